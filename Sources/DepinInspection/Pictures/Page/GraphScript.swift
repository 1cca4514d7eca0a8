/// The page of a graph: a list of services, one of them in detail, and a drawing beside them.
enum GraphScript {
    static let body = #"""
        <form id="filters" role="search">
        \#(HTMLPage.search)
        <label>Module <select id="module"></select></label>
        <label>Scope <select id="scope"></select></label>
        <label>Group by
        <select id="group">
        <option value="module">module</option>
        <option value="scope">scope</option>
        <option value="container">container</option>
        </select>
        </label>
        <div id="marks" role="group" aria-label="Show only"></div>
        </form>
        <main>
        <section id="services" aria-label="Services">
        <p id="status" role="status"></p>
        <div id="list"></div>
        </section>
        <section id="detail" aria-label="Details"></section>
        <section id="drawing" aria-label="Drawing">
        <div class="tools">
        <h2>Drawing</h2>
        <select id="extent" aria-label="What is drawn"></select>
        <button type="button" id="smaller" aria-label="Smaller">−</button>
        <button type="button" id="larger" aria-label="Larger">+</button>
        <button type="button" id="fit">Fit</button>
        </div>
        <div id="canvas" tabindex="0" role="group"
        aria-label="Drawing of the services; the list and the details say the same"></div>
        <div class="legend" id="legend"></div>
        </section>
        </main>
        """#

    /// The script, in the order in which it stands there.
    static var text: String {
        [model, list, detail, layout, drawing, start].joined(separator: "\n")
    }

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
