extension GraphScript {
    /// The drawing, as SVG.
    static let drawing = #"""

        // MARK: The drawing

        let picture = null;
        let scale = 1;

        function shape(tag, attributes, ...children) {
          const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
          for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
          element.append(...children);
          return element;
        }

        const extents = {
          around: [
            ["1", "around the service, 1 step"], ["2", "around the service, 2 steps"],
            ["3", "around the service, 3 steps"], ["any", "around the service, any number of steps"],
            ["all", "all that is listed"],
          ],
          whole: [["groups", "a box for each group"], ["all", "all that is listed"]],
        };
        /** What was picked where a service is chosen, and where none is: there, null is for its number. */
        const extent = { around: "2", whole: null };

        /** What is to be drawn around the chosen service, or of all that is listed. */
        function drawn(node) {
          const state = node ? "around" : "whole";
          const listed = nodes.filter((other) => other.isShown || other === node);
          const wanted = extent[state] ?? (listed.length > 150 ? "groups" : "all");
          const select = find("extent");
          select.replaceChildren(...extents[state].map(([value, title]) =>
            make("option", { value, selected: value === wanted }, title)));
          if (wanted === "groups") return { some: boxes(listed) };
          const steps = Number(wanted) || Infinity;
          const near = node && new Set([...needsOf(node, steps).keys(), ...needing(node, steps).keys()]);
          if (!node || wanted === "all") return { some: listed, near };
          return { some: nodes.filter((other) => near.has(other)), near };
        }

        /** A box for each group, and what its services need of others'. */
        function boxes(some) {
          const groups = new Map(groupsOf(some).map((group) => [group.title, {
            title: `${group.title} (${group.nodes.length})`, group: group.title,
            kind: group.isOutside ? "outside" : "box", place: "", groups: { [filter.group]: "" },
            problems: group.nodes.flatMap((node) => node.problems), needs: [], neededBy: [],
          }]));
          const edges = new Map();
          for (const node of some) for (const need of node.needs) {
            const source = groups.get(node.groups[filter.group]);
            const target = groups.get(need.target.groups[filter.group]);
            if (!target || !need.target.isShown || source === target) continue;
            const names = `${source.group}\n${target.group}`;
            if (!edges.has(names)) edges.set(names, { source, target });
            if (need.problem) edges.get(names).problem = true;
          }
          for (const edge of edges.values()) {
            edge.source.needs.push(edge);
            edge.target.neededBy.push(edge);
          }
          return [...groups.values()];
        }

        function draw() {
          const node = byID.get(chosen());
          const { some, near } = drawn(node);
          const canvas = find("canvas");
          if (some.length === 0) {
            picture = null;
            canvas.replaceChildren(make("p", { className: "note" }, "Nothing is listed."));
            return;
          }
          const plan = arrange(some);
          const svg = shape(
            "svg", { viewBox: `0 0 ${plan.width} ${plan.height}`, "aria-hidden": "true" },
            ...plan.bands.map((band) => shape(
              "g", { class: "band" },
              shape("rect", {
                x: 4, y: band.y, width: plan.width - 8, height: band.height, rx: 6,
              }),
              textAt(10, band.y + 15, band.title),
            )),
            edgesOf(some, plan),
          );
          for (const other of some) svg.append(boxOf(other, plan.boxes.get(other), node, near));
          picture = { svg, width: plan.width, height: plan.height, boxes: plan.boxes };
          canvas.replaceChildren(svg);
          const wide = canvas.clientWidth / plan.width;
          zoom(Math.min(1, Math.max(wide, 0.55)));
          if (node) center(plan.boxes.get(node));
        }

        /** Lists one group alone, where there is a filter for it. */
        function open(group) {
          const select = find(filter.group);
          if (!select) return;
          select.value = group;
          select.dispatchEvent(new Event("change"));
        }

        const textAt = (x, y, text) => shape("text", { x, y }, text);

        function boxOf(node, box, current, near) {
          const words = [
            "node", node.kind, node.problems.length > 0 && "bad", node === current && "chosen",
            near && !near.has(node) && "far", node.unreached && "unreached",
          ];
          const title = [node.title, node.scope, node.place].filter(Boolean).join("\n");
          return shape(
            "g", { class: words.filter(Boolean).join(" "), "data-id": node.id ?? "", "data-group": node.group ?? "" },
            shape("rect", { x: box.x, y: box.y, width: box.width, height: size.height, rx: 4 }),
            textAt(box.x + 8, box.y + 16, short(node.title)),
            shape("title", {}, title),
          );
        }

        /** All needs of one style are one path: thousands of elements would take their time. */
        function edgesOf(some, plan) {
          const lines = new Map();
          const edges = some.flatMap((node) => node.needs.filter((edge) => plan.boxes.has(edge.target)));
          const isMany = edges.length > 500;
          for (const edge of edges) {
            const from = plan.boxes.get(edge.source);
            const to = plan.boxes.get(edge.target);
            const style = [edge.observed && "observed", edge.later && "later", edge.problem && "bad"]
              .filter(Boolean).join(" ");
            if (!lines.has(style)) lines.set(style, { lines: [], heads: [] });
            const columns = isMany ? [] : plan.columns;
            const middle = size.height / 2;
            if (from === to) {
              const [x, y] = [from.x + from.width, from.y + middle];
              lines.get(style).lines.push(`M${x} ${y - 5}c28 -14 32 20 7 12`);
              lines.get(style).heads.push(`M${x} ${y + 7}l7 -3.5v7z`);
            } else if (to.x < from.x) {
              // Back: from the left side, beside what may lead the other way.
              const start = { x: to.x + to.width + 7, y: to.y + middle + 6 };
              const end = { x: from.x, y: from.y + middle + 6 };
              lines.get(style).lines.push(lineTo(end, start, columns));
              lines.get(style).heads.push(`M${start.x - 7} ${start.y}l7 -3.5v7z`);
            } else {
              const end = { x: to.x - 7, y: to.y + middle };
              const start = { x: from.x + from.width, y: from.y + middle };
              lines.get(style).lines.push(lineTo(end, start, columns));
              lines.get(style).heads.push(`M${to.x} ${end.y}l-7 -3.5v7z`);
            }
          }
          const paths = [...lines].sort((left, right) => compare(left[0], right[0]))
            .flatMap(([style, parts]) => [
              shape("path", { class: style, d: parts.lines.join("") }),
              shape("path", { class: style + " heads", d: parts.heads.join("") }),
            ]);
          return shape("g", { class: isMany ? "edges many" : "edges" }, ...paths);
        }

        /** A line that crosses the columns on its way between their boxes. */
        function lineTo(end, start, columns) {
          let { x, y } = start;
          let line = `M${x} ${y}`;
          const bend = (nextX, nextY) => {
            const by = Math.max(26, Math.min(90, Math.abs(nextX - x) / 2));
            line += `C${x + by} ${y} ${nextX - by} ${nextY} ${nextX} ${nextY}`;
            [x, y] = [nextX, nextY];
          };
          for (const column of columns) {
            if (column.x <= x || column.x >= end.x) continue;
            const gap = gapAt(column, y + (end.y - y) * (column.x - x) / (end.x - x));
            bend(column.x - 4, gap);
            line += `H${x = column.x + column.width + 4}`;
          }
          bend(end.x, end.y);
          return line;
        }

        function zoom(wanted) {
          if (!picture) return;
          scale = Math.min(2.5, Math.max(0.05, wanted));
          picture.svg.setAttribute("width", picture.width * scale);
          picture.svg.setAttribute("height", picture.height * scale);
        }

        function center(box) {
          const canvas = find("canvas");
          canvas.scrollTo(
            (box.x + box.width / 2) * scale - canvas.clientWidth / 2,
            (box.y + size.height / 2) * scale - canvas.clientHeight / 2,
          );
        }

        function makeDrawing() {
          find("legend").append(make("span", {}, "An arrow leads to what is needed."));
          const canvas = find("canvas");
          find("extent").addEventListener("change", () => {
            extent[byID.has(chosen()) ? "around" : "whole"] = find("extent").value;
            draw();
          });
          find("smaller").addEventListener("click", () => zoom(scale / 1.3));
          find("larger").addEventListener("click", () => zoom(scale * 1.3));
          find("fit").addEventListener("click", () => zoom(Math.min(
            canvas.clientWidth / picture?.width, canvas.clientHeight / picture?.height, 1)));
          // A mouse drags; a finger scrolls by itself.
          let start = null;
          let isDragged = false;
          canvas.addEventListener("pointerdown", (event) => {
            isDragged = false;
            if (event.pointerType !== "mouse" || event.button !== 0) return;
            start = { x: event.clientX + canvas.scrollLeft, y: event.clientY + canvas.scrollTop };
          });
          window.addEventListener("pointermove", (event) => {
            if (!start) return;
            const left = start.x - event.clientX;
            const top = start.y - event.clientY;
            if (Math.abs(left - canvas.scrollLeft) + Math.abs(top - canvas.scrollTop) > 4) isDragged = true;
            if (!isDragged) return;
            canvas.classList.add("dragged");
            canvas.scrollTo(left, top);
          });
          window.addEventListener("pointerup", () => {
            start = null;
            canvas.classList.remove("dragged");
          });
          canvas.addEventListener("click", (event) => {
            const box = event.target.closest(".node");
            if (!box || isDragged) return;
            if (box.getAttribute("data-id")) choose(box.getAttribute("data-id"));
            else open(box.getAttribute("data-group"));
          });
          const used = new Set(nodes.map((node) => node.kind));
          const words = {
            property: "injected property", transient: "transient", graph: "graph",
            container: "container", weak: "weak", custom: "another scope",
            instance: "instance", outside: "not registered here",
          };
          for (const [kind, title] of Object.entries(words)) {
            if (used.has(kind)) find("legend").append(make("span", { className: kind }, make("i", {}), title));
          }
          if (nodes.some((node) => node.unreached)) {
            find("legend").append(make("span", {}, make("em", {}, "slanted"), ": unreached"));
          }
          const styles = [
            [(edge) => edge.observed, "dashed: observed"], [(edge) => edge.later, "hollow: needed later"],
            [(edge) => edge.problem, "red: a problem"],
          ];
          for (const [isOne, title] of styles) {
            if (data.edges.some(isOne)) find("legend").append(make("span", {}, title));
          }
        }
        """#
}
