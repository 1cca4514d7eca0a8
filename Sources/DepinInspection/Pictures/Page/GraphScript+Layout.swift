extension GraphScript {
    /// Where the services stand in the drawing.
    static let layout = #"""

        // MARK: The layout

        const size = { row: 30, height: 24, gap: 56, padding: 12, title: 22, letter: 6.9, most: 30 };
        const short = (text) => text.length > size.most ? text.slice(0, size.most - 1) + "…" : text;

        /**
         * A column for each step of the longest path, and in it a band for each group. Within a band, who
         * needs stands near what it needs.
         */
        function arrange(some) {
          const isIn = new Set(some);
          const layers = layersOf(some, isIn);
          const columns = [];
          for (const node of some) {
            const layer = layers.get(node);
            columns[layer] ??= { width: 60 };
            columns[layer].width = Math.max(
              columns[layer].width, short(node.title).length * size.letter + 18);
          }
          let x = size.padding;
          for (const column of columns) {
            column.x = x;
            x += column.width + size.gap;
          }
          const bands = groupsOf(some).map((group) => {
            const cells = [];
            for (const node of group.nodes) (cells[layers.get(node)] ??= []).push(node);
            // A band may have nothing in some of the columns.
            const most = cells.reduce((most, cell) => Math.max(most, cell.length), 0);
            return { title: group.title, cells, height: most * size.row + size.title + 6 };
          });
          let y = size.padding;
          for (const band of bands) {
            band.y = y;
            y += band.height + 8;
          }
          const boxes = new Map();
          for (const band of bands) band.cells.forEach((cell, layer) => {
            for (const node of cell) boxes.set(node, { x: columns[layer].x, width: columns[layer].width });
          });
          const place = () => {
            for (const band of bands) for (const cell of band.cells) {
              if (!cell) continue;
              const free = band.height - size.title - 6 - cell.length * size.row;
              cell.forEach((node, index) => {
                boxes.get(node).y = band.y + size.title + free / 2 + index * size.row;
              });
            }
          };
          place();
          for (let round = 0; round < 6; round += 1) {
            const isForward = round % 2 === 0;
            const weights = new Map(some.map((node) => {
              const near = (isForward ? node.neededBy : node.needs)
                .map((edge) => boxes.get(isForward ? edge.source : edge.target)?.y)
                .filter((value) => value !== undefined);
              const sum = near.reduce((total, value) => total + value, 0);
              return [node, near.length === 0 ? boxes.get(node).y : sum / near.length];
            }));
            for (const band of bands) for (const cell of band.cells) {
              cell?.sort((left, right) => weights.get(left) - weights.get(right));
            }
            place();
          }
          for (const column of columns) {
            column.tops = [...boxes.values()].filter((box) => box.x === column.x)
              .map((box) => box.y).sort((left, right) => left - right);
          }
          return { boxes, bands, columns, width: x - size.gap + size.padding, height: y - 8 + size.padding };
        }

        /** Where a need crosses a column at about this height: between its boxes. */
        function gapAt(column, y) {
          const top = column.tops.find((top) => y > top - 3 && y < top + size.height + 3);
          if (top === undefined) return y;
          return y < top + size.height / 2 ? top - 3 : top + size.height + 3;
        }

        /** The layers by longest path. Needs that close a circle do not count. */
        function layersOf(some, isIn) {
          const order = [];
          const states = new Map();
          const closing = new Set();
          const starts = [...some].sort((left, right) => left.neededBy.length - right.neededBy.length);
          for (const start of starts) {
            if (states.has(start)) continue;
            const calls = [{ node: start, next: 0 }];
            states.set(start, "open");
            while (calls.length > 0) {
              const call = calls.at(-1);
              const edge = call.node.needs[call.next++];
              if (!edge) {
                states.set(call.node, "done");
                order.push(call.node);
                calls.pop();
              } else if (!isIn.has(edge.target)) {
                continue;
              } else if (states.get(edge.target) === "open") {
                closing.add(edge);
              } else if (!states.has(edge.target)) {
                states.set(edge.target, "open");
                calls.push({ node: edge.target, next: 0 });
              }
            }
          }
          const layers = new Map(some.map((node) => [node, 0]));
          for (const node of order.reverse()) {
            for (const edge of node.needs) {
              if (closing.has(edge) || !isIn.has(edge.target)) continue;
              layers.set(edge.target, Math.max(layers.get(edge.target), layers.get(node) + 1));
            }
          }
          // Who needs only what is far to the right stands near it.
          for (const node of order.reverse()) {
            const next = node.needs.filter((edge) => isIn.has(edge.target) && !closing.has(edge))
              .map((edge) => layers.get(edge.target));
            if (next.length > 0) layers.set(node, Math.max(layers.get(node), Math.min(...next) - 1));
          }
          return layers;
        }
        """#
}
