extension GraphScript {
    /// One service in detail, or the whole in short.
    static let detail = #"""

        // MARK: The details

        function problemBox(problem, node) {
          const others = problem.nodes.map((id) => byID.get(id)).filter((other) => other !== node);
          return make(
            "div", { className: `problem ${problem.severity}` },
            make("b", {}, `${problem.severity}: ${problem.kind}`),
            make("pre", {}, problem.text),
            ...others.map((other) => make("div", {}, linkTo(other))),
          );
        }

        const section = (title, items) => items.length === 0 ? [] : [
          make("h3", {}, title), make("ul", { className: "plain" }, ...items),
        ];

        function showOverview() {
          const unchecked = nodes.filter((node) => node.checked?.startsWith("not: "));
          const unreached = nodes.filter((node) => node.unreached);
          const content = [make("h2", { tabIndex: -1 }, "Overview")];
          if (data.problems) content.push(make("h3", {}, count(problems.length, "problem")));
          else if (nodes.some((node) => node.checked)) content.push(make("p", {}, "No problem was found."));
          content.push(...problems.map((problem) => problemBox(problem)));
          content.push(
            ...section(`Not checked: ${unchecked.length}`, unchecked.map((node) => make(
              "li", {}, linkTo(node), make("div", { className: "note" }, node.checked.slice(5))))),
            ...section("Properties checked only in part", (data.notes ?? []).map((note) =>
              make("li", { className: "note" }, note))),
            ...section(`Not known to be needed: ${unreached.length}`, unreached.map((node) =>
              make("li", {}, linkTo(node)))),
            make("h3", {}, "Keys"),
            make("p", { className: "note" },
              "/ searches. The arrow keys move in lists, right and left open and close a branch. "
              + "Enter selects a service, Escape returns to the list."),
          );
          find("detail").replaceChildren(...content);
          draw();
        }

        function showDetail(node) {
          const facts = [
            ["Name", node.name], ["Arguments", node.arguments?.join(", ")],
            ["Also found as", node.forwards?.join(", ")],
            ["Scope", node.place === undefined ? outside[node.scope] : node.scope],
            ["Registered at", node.place],
            ["Container", node.place === undefined ? undefined : node.container],
            ["Checked", node.checked],
          ].filter((fact) => fact[1] !== undefined);
          const content = [
            make("h2", { tabIndex: -1 }, make("span", { className: "name" }, node.title)),
            make("div", {}, ...badges(node)),
            make("dl", {}, ...facts.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)])),
          ];
          const about = problems.filter((problem) => problem.nodes.includes(node.id));
          content.push(...about.map((problem) => problemBox(problem, node)));
          if (node.unreached) {
            content.push(make("p", { className: "note" }, "Nothing is known to need it."));
          }
          if (node.cycle !== undefined) content.push(...circleOf(node));
          content.push(
            ...needs(node, "Needs", needsOf(node).size - 1, (n) => n.needs, (edge) => edge.target),
            ...needs(node, "Needed by", needing(node).size - 1, (n) => n.neededBy, (edge) => edge.source),
          );
          find("detail").replaceChildren(...content);
          draw();
        }

        function circleOf(node) {
          const path = circle(node);
          return [
            make("h3", {}, "Part of a dependency cycle"),
            make("ol", { className: "path" },
              ...path.map((edge) => make("li", {}, linkTo(edge.target), ...edgeBadges(edge)))),
          ];
        }

        function edgeBadges(edge) {
          const words = [edge.later && "later", edge.problem && "problem"].filter(Boolean);
          return words.map((word) =>
            make("span", { className: word === "problem" ? "badge bad" : "badge" }, word));
        }

        /** The needs in one direction, as a tree that opens step by step, or all at once. */
        function needs(node, title, total, edgesOf, end) {
          const edges = edgesOf(node);
          const number = edges.length === total ? `${total}` : `${edges.length}, ${total} in all`;
          const heading = make("h3", {}, `${title}: ${number}`);
          if (edges.length === 0) return [heading];
          const tree = make("ul", { className: "tree", "aria-label": title });
          tree.append(...steps(edges, end, edgesOf, [node], title));
          rove(tree, ".link");
          stop(tree, ".link", tree.querySelector(".link"));
          tree.addEventListener("keydown", (event) => {
            const wanted = { ArrowRight: "false", ArrowLeft: "true" }[event.key];
            const toggle = event.target.closest(".step")?.querySelector(".toggle:enabled");
            if (wanted !== undefined && toggle?.getAttribute("aria-expanded") === wanted) toggle.click();
          });
          if (total === edges.length) return [heading, tree];
          const all = make(
            "button", { type: "button", className: "link", "aria-label": `Open all: ${title}` }, "Open all");
          all.addEventListener("click", () => openAll(tree));
          return [make("div", { className: "more" }, heading, all), tree];
        }

        function steps(edges, end, edgesOf, path, title) {
          return edges.map((edge) => {
            const node = end(edge);
            const isCircle = path.includes(node);
            const next = isCircle ? [] : edgesOf(node);
            const toggle = make("button", {
              type: "button", className: "toggle", tabIndex: -1, disabled: next.length === 0,
              "aria-expanded": next.length === 0 ? null : "false", "aria-label": `${title}: ${node.title}`,
            });
            const link = linkTo(node);
            link.tabIndex = -1;
            const item = make(
              "li", {},
              make("div", { className: "step" }, toggle, make(
                "span", {}, link, ...edgeBadges(edge), ...badges(node),
                isCircle ? make("span", { className: "badge" }, "see above") : null)),
            );
            item.node = node;
            toggle.addEventListener("click", () => {
              const isOpen = toggle.getAttribute("aria-expanded") === "true";
              toggle.setAttribute("aria-expanded", !isOpen);
              if (isOpen) item.lastChild.remove();
              else item.append(make("ul", {}, ...steps(next, end, edgesOf, [...path, node], title)));
            });
            return item;
          });
        }

        /** Opens every service once, the nearest first: where it comes again, it stays closed. */
        function openAll(tree) {
          const known = new Set();
          const queue = [...tree.children];
          for (const item of queue) {
            const toggle = item.querySelector(".toggle");
            if (toggle.disabled || known.has(item.node)) continue;
            known.add(item.node);
            if (toggle.getAttribute("aria-expanded") !== "true") toggle.click();
            queue.push(...item.lastChild.children);
          }
        }
        """#
}
