extension GraphScript {
    /// The list of the services, by module, scope or container, and its filters.
    static let list = #"""

        // MARK: The list

        const filter = { words: [], module: "", scope: "", marks: new Set(), group: "module" };

        function badges(node) {
          const list = [];
          if (node.isProperty) list.push(make("span", { className: "badge" }, "injected"));
          for (const problem of node.problems) {
            list.push(make("span", { className: "badge bad" }, problem));
          }
          if (node.cycle !== undefined && !node.problems.includes("circular")) {
            list.push(make("span", { className: "badge" }, "cycle"));
          }
          if (node.unreached) list.push(make("span", { className: "badge" }, "unreached"));
          return list;
        }

        function makeRows() {
          for (const node of nodes) {
            const place = node.place === undefined ? null : `${node.scope} · ${node.place}`;
            const row = make(
              "button", { type: "button", className: `row ${node.kind}`, tabIndex: -1 },
              make("span", { className: "name" }, node.title), ...badges(node),
              place && make("span", { className: "place" }, place),
            );
            row.addEventListener("click", () => choose(node.id));
            node.row = row;
          }
        }

        function groupsOf(some) {
          const groups = new Map();
          for (const node of some) {
            const title = node.groups[filter.group];
            if (!groups.has(title)) groups.set(title, { title, isOutside: node.place === undefined, nodes: [] });
            groups.get(title).nodes.push(node);
          }
          // What is registered first.
          return [...groups.values()].sort(
            (left, right) => left.isOutside - right.isOutside || compare(left.title, right.title));
        }

        let listed = [];
        function groupRows() {
          listed = groupsOf(nodes).map((group) => {
            group.nodes.sort((left, right) => compare(left.title, right.title));
            group.count = make("span", {});
            group.element = make(
              "div", { className: "group" },
              make("h3", {}, make("bdi", {}, group.title), " ", group.count),
              make("ul", {}, ...group.nodes.map((node) => make("li", {}, node.row))),
            );
            return group;
          });
          find("list").replaceChildren(...listed.map((group) => group.element));
          showRows();
        }

        const isWanted = (node) =>
          filter.words.every((word) => node.text.includes(word))
          && (filter.module === "" || node.groups.module === filter.module)
          && (filter.scope === "" || node.groups.scope === filter.scope)
          && (filter.marks.size === 0 || node.marks.some((mark) => filter.marks.has(mark)));

        function showRows() {
          let shown = 0;
          for (const group of listed) {
            let number = 0;
            for (const node of group.nodes) {
              node.isShown = isWanted(node);
              node.row.parentNode.hidden = !node.isShown;
              if (node.isShown) number += 1;
            }
            group.element.hidden = number === 0;
            group.count.textContent = number;
            shown += number;
          }
          const all = count(nodes.length, "entry", "entries");
          find("status").textContent = shown === nodes.length ? all : `${shown} of ${all}`;
          const current = byID.get(chosen());
          stop(find("list"), ".row", current?.isShown ? current.row : firstRow());
        }

        function offer(select, title, values) {
          select.append(make("option", { value: "" }, title));
          for (const value of [...new Set(values)].sort(compare)) {
            select.append(make("option", { value }, value));
          }
        }

        function makeFilters() {
          offer(find("module"), "all modules", nodes.map((node) => node.groups.module));
          offer(find("scope"), "all scopes", nodes.map((node) => node.groups.scope));
          const redraw = later(draw);
          const change = () => {
            showRows();
            redraw();
          };
          for (const name of ["module", "scope"]) {
            find(name).addEventListener("change", () => {
              filter[name] = find(name).value;
              change();
            });
          }
          find("group").addEventListener("change", () => {
            filter.group = find("group").value;
            groupRows();
            draw();
          });
          find("search").addEventListener("input", () => {
            filter.words = find("search").value.toLowerCase().split(/\s+/).filter(Boolean);
            change();
          });
          for (const [mark, title] of marks) {
            const number = nodes.filter((node) => node.marks.includes(mark)).length;
            if (number === 0) continue;
            const button = make("button", { type: "button", "aria-pressed": "false" }, `${title} ${number}`);
            button.addEventListener("click", () => {
              const isOn = !filter.marks.delete(mark);
              if (isOn) filter.marks.add(mark);
              button.setAttribute("aria-pressed", isOn);
              change();
            });
            find("marks").append(button);
          }
        }
        """#
}
