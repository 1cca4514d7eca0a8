import Depin

extension GraphScript {
    /// The beginning.
    static let start = #"""

        // MARK: The page

        makeRows();
        makeFilters();
        makeDrawing();
        groupRows();
        const registered = nodes.filter((node) => node.place !== undefined);
        find("summary").textContent = [
          count(registered.length, "service"),
          "in " + count(new Set(registered.map((node) => node.module)).size, "module"),
          count(data.edges.length, "need"),
          data.problems && count(problems.length, "problem"),
        ].filter(Boolean).join(", ").replace(", in ", " in ");
        begin();
        """#
}
