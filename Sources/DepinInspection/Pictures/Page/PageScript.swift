/// What the scripts of all pages share.
///
/// They make every element by itself, and never markup out of text.
enum PageScript {
    static let common = #"""
        const data = JSON.parse(document.getElementById("data").textContent);
        const find = (id) => document.getElementById(id);

        /** Makes an element. What is no property of it becomes an attribute; null is left out. */
        function make(tag, properties, ...children) {
          const element = document.createElement(tag);
          for (const [name, value] of Object.entries(properties ?? {})) {
            if (value == null) continue;
            if (name in element) element[name] = value; else element.setAttribute(name, value);
          }
          element.append(...children.filter((child) => child != null));
          return element;
        }

        const count = (number, noun, nouns) =>
          number.toLocaleString("en") + " " + (number === 1 ? noun : nouns ?? noun + "s");
        const compare = new Intl.Collator("en", { numeric: true }).compare;

        /** Makes the arrow keys move between the buttons of a list, which is one stop of the Tab key. */
        function rove(list, selector) {
          const rows = () => [...list.querySelectorAll(selector)].filter((row) => !row.closest("[hidden]"));
          list.addEventListener("focusin", (event) => {
            const row = event.target.closest(selector);
            if (row) stop(list, selector, row);
          });
          list.addEventListener("keydown", (event) => {
            if (event.altKey || event.ctrlKey || event.metaKey) return;
            const all = rows();
            const at = all.indexOf(event.target.closest(selector));
            if (at < 0) return;
            const next = {
              ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1,
              PageDown: Math.min(at + 10, all.length - 1), PageUp: Math.max(at - 10, 0),
            }[event.key];
            if (next === undefined) return;
            event.preventDefault();
            if (all[next]) all[next].focus();
            else if (at === 0 && event.key === "ArrowUp" && list.id === "list") find("search").focus();
          });
        }

        /** Makes this row the one that the Tab key stops at. */
        function stop(list, selector, row) {
          for (const other of list.querySelectorAll(selector + "[tabindex='0']")) other.tabIndex = -1;
          if (row) row.tabIndex = 0;
        }

        /** The first row of the list that is shown. */
        const firstRow = () => find("list").querySelector("li:not([hidden]) .row");

        /** The keys that work everywhere, and those of the field for searching. */
        function listenToKeys() {
          const search = find("search");
          search.addEventListener("keydown", (event) => {
            if (event.key === "ArrowDown") {
              event.preventDefault();
              firstRow()?.focus();
            } else if (event.key === "Enter") {
              event.preventDefault();
              firstRow()?.click();
            } else if (event.key === "Escape" && search.value) {
              event.preventDefault();
              event.stopPropagation();
              search.value = "";
              search.dispatchEvent(new Event("input"));
            }
          });
          document.addEventListener("keydown", (event) => {
            if (event.altKey || event.ctrlKey || event.metaKey) return;
            if (event.key === "/" && !["INPUT", "SELECT"].includes(event.target.tagName)) {
              event.preventDefault();
              search.focus();
              search.select();
            } else if (event.key === "Escape" && chosen()) {
              choose("");
            }
          });
        }

        /** What is chosen stands in the address, so that the browser goes back and forth. */
        const chosen = () => location.hash.slice(1);
        function choose(id) {
          if (chosen() === id) window.dispatchEvent(new Event("hashchange"));
          else location.hash = id;
        }

        /** A button that chooses an entry of the list. */
        function linkTo(entry) {
          const link = make("button", { type: "button", className: "link name" }, entry.title);
          link.addEventListener("click", () => choose(entry.id));
          return link;
        }

        /** Shows the entry that the address names, now and whenever that changes. */
        function begin() {
          let previous;
          const show = (isFirst) => {
            const entry = byID.get(chosen());
            document.querySelector("#list [aria-current]")?.removeAttribute("aria-current");
            entry?.row.setAttribute("aria-current", "true");
            if (entry?.isShown) {
              stop(find("list"), ".row", entry.row);
              entry.row.scrollIntoView({ block: "nearest" });
            }
            if (entry) showDetail(entry); else showOverview();
            find("detail").scrollTop = 0;
            // Whoever has looked at one entry goes on where they were in the list.
            if (!entry && previous?.isShown) previous.row.focus();
            else if (!isFirst) find("detail").querySelector("h2").focus();
            previous = entry;
          };
          rove(find("list"), ".row");
          find("filters").addEventListener("submit", (event) => event.preventDefault());
          listenToKeys();
          window.addEventListener("hashchange", () => show(false));
          show(true);
        }

        /** Calls once when it has not been called again for a moment. */
        function later(action) {
          let timer;
          return () => {
            clearTimeout(timer);
            timer = setTimeout(action, 100);
          };
        }
        """#
}
