import Depin

extension GraphScript {
    /// The beginning.
    static let start = #"""

        // MARK: The page

        let previous;

        /** Shows what the address says is chosen. */
        function show(isFirst) {
          const node = byID.get(chosen());
          document.querySelector("#list [aria-current]")?.removeAttribute("aria-current");
          if (node) {
            node.row.setAttribute("aria-current", "true");
            if (node.isShown) {
              stop(find("list"), ".row", node.row);
              node.row.scrollIntoView({ block: "nearest" });
            }
            showDetail(node);
          } else {
            showOverview();
          }
          draw();
          find("detail").scrollTop = 0;
          // Who has looked at one goes on where they were in the list.
          if (!node && previous?.isShown) previous.row.focus();
          else if (!isFirst) find("detail").querySelector("h2").focus();
          previous = node;
        }

        makeRows();
        makeFilters();
        makeDrawing();
        groupRows();
        rove(find("list"), ".row");
        const registered = nodes.filter((node) => node.place !== undefined);
        find("summary").textContent = [
          count(registered.length, "service"),
          "in " + count(new Set(registered.map((node) => node.module)).size, "module"),
          count(data.edges.length, "need"),
          data.problems && count(problems.length, "problem"),
        ].filter(Boolean).join(", ").replace(", in ", " in ");
        listenToKeys((row) => rows.get(row).isShown);
        window.addEventListener("hashchange", () => show(false));
        show(true);
        """#
}
