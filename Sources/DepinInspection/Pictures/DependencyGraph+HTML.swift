import Depin

extension DependencyGraph {
    /// The graph as a page to look into.
    ///
    /// ```swift
    /// try container.dependencyGraph().html(title: "Feed").write(to: URL(filePath: "feed.html"))
    /// ```
    ///
    /// The page lists the services by module, scope or container, and searches and filters them. For each, it
    /// shows what it needs and what needs it, as far as you follow. A drawing shows the same. All of it can
    /// be used with the keyboard.
    ///
    /// A graph knows what its types declare; that of a `ValidationReport` also what factories asked for,
    /// and its page shows the problems.
    ///
    /// - Parameter title: The title of the page.
    /// - Returns: The page, the same for the same graph.
    public func html(title: String) -> HTMLPage {
        GraphPicture(self).page(title: title)
    }
}

extension ValidationReport {
    /// The report as a page to look into: its problems, and the graph that was checked.
    ///
    /// ```swift
    /// let report = try container.validate()
    /// try report.html(title: "Feed").write(to: URL(filePath: "feed.html"))
    /// ```
    ///
    /// It shows the `graph` of the report as the page of a `DependencyGraph` does. In addition it has the
    /// messages of all problems, marks the services that they are about, and shows how each service was
    /// checked and which are needed by nothing that is known.
    ///
    /// If the validation fails, its report is in the error:
    ///
    /// ```swift
    /// do {
    ///     try container.validate()
    /// } catch let error as ValidationError {
    ///     try error.report.html(title: "Feed").write(to: URL(filePath: "feed.html"))
    ///     throw error
    /// }
    /// ```
    ///
    /// - Parameter title: The title of the page.
    /// - Returns: The page, the same for the same report.
    public func html(title: String) -> HTMLPage {
        GraphPicture(self).page(title: title)
    }
}
