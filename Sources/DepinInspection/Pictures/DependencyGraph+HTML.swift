extension DependencyGraph {
    /// The graph as an interactive page.
    ///
    /// ```swift
    /// try container.dependencyGraph().html(title: "Feed").write(to: URL(filePath: "feed.html"))
    /// ```
    ///
    /// The page lists the services by module, scope or container, and searches and filters them. For each, it
    /// shows what it needs and what needs it, as far as you follow. A drawing shows the same. You can use
    /// all of it with the keyboard.
    ///
    /// A graph knows what its types declare. The graph of a `ValidationReport` also knows what factories
    /// requested, and its page shows the problems.
    ///
    /// - Parameter title: The title of the page.
    /// - Returns: The page, the same for the same graph.
    public func html(title: String) -> HTMLPage {
        GraphPicture(self).page(title: title)
    }
}

extension ValidationReport {
    /// The report as an interactive page: its problems, and the graph that was checked.
    ///
    /// ```swift
    /// let report = try container.validate()
    /// try report.html(title: "Feed").write(to: URL(filePath: "feed.html"))
    /// ```
    ///
    /// It shows the `graph` of the report as the page of a `DependencyGraph` does. In addition it has the
    /// messages of all problems, marks the services that they are about, and shows how each service was
    /// checked and which services nothing is known to need.
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
