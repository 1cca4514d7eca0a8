extension GraphScript {
    /// The services as the page knows them, and who needs whom.
    static let model = #"""
        // MARK: The services

        const nodes = data.nodes;
        const byID = new Map(nodes.map((node) => [node.id, node]));
        const problems = data.problems ?? [];
        const kinds = new Set(["transient", "graph", "container", "weak", "instance"]);
        const outside = {
          missing: "Not registered", empty: "Not registered", provided: "Registered elsewhere",
          injected: "Injected properties",
        };

        for (const node of nodes) {
          const isRegistered = node.place !== undefined;
          node.isProperty = !isRegistered && node.scope === "injected";
          node.kind = node.isProperty ? "property" : !isRegistered ? "outside"
            : kinds.has(node.scope) ? node.scope : "custom";
          node.title = node.service + (node.name === undefined ? "" : ` "${node.name}"`)
            + (node.arguments ? ` (${node.arguments.join(", ")})` : "");
          node.container = node.level === undefined ? "this container"
            : node.level === 1 ? "its parent" : `its parent, ${node.level} steps up`;
          node.groups = isRegistered
            ? { module: node.module, scope: node.scope, container: node.container }
            : { module: outside[node.scope], scope: outside[node.scope], container: outside[node.scope] };
          node.needs = [];
          node.neededBy = [];
          node.problems ??= [];
          node.text = [
            node.title, ...(node.forwards ?? []), node.scope, node.groups.module, node.place ?? "",
            ...node.problems,
          ].join("\n").toLowerCase();
        }
        for (const edge of data.edges) {
          edge.source = byID.get(edge.from);
          edge.target = byID.get(edge.to);
          edge.source.needs.push(edge);
          edge.target.neededBy.push(edge);
        }

        /** What a service is marked with, and what the filter for it is called. */
        const marks = [
          ["problem", "With problems", (node) => node.problems.length > 0],
          ["captive", "Captives", (node) => node.problems.includes("captive")],
          ["cycle", "Cycles", (node) => node.cycle !== undefined],
          ["unreached", "Unreached", (node) => node.unreached === true],
          ["property", "Injected properties", (node) => node.isProperty],
        ];
        for (const node of nodes) node.marks = marks.filter((mark) => mark[2](node)).map((mark) => mark[0]);

        /** What is reached from a service, itself included, with the number of steps. */
        function reach(start, steps, edgesOf, end) {
          const found = new Map([[start, 0]]);
          for (const node of found.keys()) {
            const step = found.get(node);
            if (step === steps) continue;
            for (const edge of edgesOf(node)) if (!found.has(end(edge))) found.set(end(edge), step + 1);
          }
          return found;
        }
        const needsOf = (node, steps = Infinity) => reach(node, steps, (n) => n.needs, (e) => e.target);
        const needing = (node, steps = Infinity) => reach(node, steps, (n) => n.neededBy, (e) => e.source);

        /** The shortest circle through a service: the needs that lead back to it. */
        function circle(node) {
          const cameBy = new Map();
          const queue = [node];
          for (const at of queue) {
            for (const edge of at.needs) {
              if (edge.target.cycle !== node.cycle || cameBy.has(edge.target)) continue;
              cameBy.set(edge.target, edge);
              if (edge.target === node) {
                const path = [];
                for (let step = node; path.length === 0 || step !== node; step = path[0].source) {
                  path.unshift(cameBy.get(step));
                }
                return path;
              }
              queue.push(edge.target);
            }
          }
          return [];
        }
        """#
}
