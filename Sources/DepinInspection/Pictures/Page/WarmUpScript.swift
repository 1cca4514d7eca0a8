/// The page of a warm-up: a timeline, and one of its services in detail.
enum WarmUpScript {
    static let body = #"""
        <form id="filters" role="search">
        \#(HTMLPage.search)
        <label>Order by
        <select id="order">
        <option value="start">beginning</option>
        <option value="took">time taken</option>
        <option value="service">name</option>
        </select>
        </label>
        <div id="marks" role="group" aria-label="Show only">
        <button type="button" id="critical" aria-pressed="false">Critical path</button>
        </div>
        </form>
        <main class="times">
        <section id="services" aria-label="Timeline">
        <p id="status" role="status"></p>
        <div id="axis" class="time" aria-hidden="true"><span></span><div class="track"></div></div>
        <ul id="list"></ul>
        </section>
        <section id="detail" aria-label="Details"></section>
        </main>
        """#

    static let text = #"""

        // MARK: The timeline

        const services = data.services;
        const path = data.path.map((index) => services[index]);
        const end = (service) => service.start + service.took;
        const whole = Math.max(data.duration, ...services.map(end), 1);

        /** A time of so many nanoseconds. */
        function time(nanoseconds) {
          if (nanoseconds === 0) return "0 ms";
          const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]];
          const [unit, name] = units.find((unit) => nanoseconds >= unit[0]) ?? [1e3, "µs"];
          const number = nanoseconds / unit;
          return number.toFixed(number < 10 ? 2 : number < 100 ? 1 : 0) + " " + name;
        }

        services.forEach((service, index) => {
          service.id = `s${index + 1}`;
          service.title = service.service;
          service.text = [service.service, service.place].join("\n").toLowerCase();
        });
        const byID = new Map(services.map((service) => [service.id, service]));
        const filter = { words: [], isCritical: false };

        function makeRows() {
          for (const service of services) {
            const left = service.start / whole * 100;
            const right = end(service) / whole * 100;
            const bar = make("i", {});
            bar.style.left = `min(${left}%, 100% - 3px)`;
            bar.style.width = `${right - left}%`;
            const words = make("span", {}, time(service.took));
            // The words stand where there is room.
            if (right < 82) words.style.left = `calc(${right}% + 8px)`;
            else if (left > 18) words.style.right = `calc(${100 - left}% + 5px)`;
            else words.className = "inside";
            if (words.className) bar.append(words);
            const says = `${service.service}, begins at ${time(service.start)}, takes ${time(service.took)}`
              + (service.critical ? ", on the critical path" : "");
            const row = make(
              "button", {
                type: "button", className: service.critical ? "row time critical" : "row time",
                tabIndex: -1, "aria-label": says, title: service.service,
              },
              make("span", { className: "name" }, service.service),
              make("span", { className: "track" }, bar, words.className ? null : words),
            );
            row.addEventListener("click", () => choose(service.id));
            service.row = row;
            service.item = make("li", {}, row);
          }
        }

        function orderRows() {
          const order = find("order").value;
          const sorted = [...services].sort((left, right) =>
            order === "took" ? right.took - left.took
              : order === "service" ? compare(left.service, right.service) : left.start - right.start);
          find("list").replaceChildren(...sorted.map((service) => service.item));
          showRows();
        }

        function showRows() {
          let shown = 0;
          for (const service of services) {
            service.isShown = filter.words.every((word) => service.text.includes(word))
              && (!filter.isCritical || service.critical === true);
            service.item.hidden = !service.isShown;
            if (service.isShown) shown += 1;
          }
          const all = count(services.length, "service");
          find("status").textContent = shown === services.length ? all : `${shown} of ${all}`;
          const current = byID.get(chosen());
          stop(find("list"), ".row", current?.isShown ? current.row : firstRow());
        }

        /** Round times, at most six of them. */
        function makeAxis() {
          const power = 10 ** Math.floor(Math.log10(whole / 5));
          const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => whole / step <= 6);
          for (let at = 0; at <= whole * 0.93; at += step) {
            const tick = make("span", {}, time(at));
            tick.style.left = `${at / whole * 100}%`;
            find("axis").lastElementChild.append(tick);
          }
        }

        // MARK: The details

        const links = (some) => make("ul", { className: "plain" }, ...some.map((service) =>
          make("li", {}, linkTo(service), make("span", { className: "badge" }, time(service.took)))));

        const pathList = () => make("ol", { className: "path" }, ...path.map((service) => make(
          "li", {}, linkTo(service),
          make("div", { className: "note" }, `from ${time(service.start)} to ${time(end(service))}`))));

        function showOverview() {
          const longest = [...services].sort((left, right) => right.took - left.took).slice(0, 10);
          find("detail").replaceChildren(
            make("h2", { tabIndex: -1 }, "Overview"),
            make("h3", {}, "Critical path"),
            make("p", { className: "note" }, "The chain that took longest: each waited for the one before it."),
            pathList(),
            make("h3", {}, "Longest"),
            make("p", { className: "note" }, "The time of a service includes everything made for it."),
            links(longest),
            make("h3", {}, "Keys"),
            make("p", { className: "note" },
              "/ searches. The arrow keys move in the list. "
              + "Enter selects a service, Escape returns to the list."),
          );
        }

        function showDetail(service) {
          const at = path.indexOf(service);
          const facts = [
            ["Began at", time(service.start)], ["Took", time(service.took)],
            ["Ended at", time(end(service))], ["Registered at", service.place],
          ];
          const content = [
            make("h2", { tabIndex: -1 }, make("span", { className: "name" }, service.service)),
            make("dl", {}, ...facts.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)])),
          ];
          if (at >= 0) {
            content.push(make("h3", {}, `Step ${at + 1} of ${path.length} of the critical path`), pathList());
          }
          const beside = services.filter((other) =>
            other !== service && other.start < end(service) && service.start < end(other));
          content.push(make("h3", {}, `At the same time: ${beside.length}`), links(beside));
          find("detail").replaceChildren(...content);
        }

        // MARK: The page

        makeRows();
        makeAxis();
        orderRows();
        find("order").addEventListener("change", orderRows);
        find("search").addEventListener("input", () => {
          filter.words = find("search").value.toLowerCase().split(/\s+/).filter(Boolean);
          showRows();
        });
        find("critical").addEventListener("click", () => {
          filter.isCritical = !filter.isCritical;
          find("critical").setAttribute("aria-pressed", filter.isCritical);
          showRows();
        });
        find("summary").textContent = `${count(services.length, "service")} in ${time(data.duration)}`
          + (path.length > 0 ? `, ${path.length} on the critical path` : "");
        begin();
        """#
}
