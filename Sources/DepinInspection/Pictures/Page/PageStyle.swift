/// How the pages look: in light and dark, on a screen and on a phone.
enum PageStyle {
    static let text = #"""
        :root {
          --page: #f6f7f8; --panel: #ffffff; --text: #1b1f24; --muted: #57606a; --line: #d5dade;
          --link: #0b57a4; --chosen: #dcebfb; --bad: #b3261e; --bad-panel: #fdeceb; --edge: #7d8894;
          --transient: #ffffff; --graph: #e3ecf9; --container: #d2ead0; --weak: #fff0bd;
          --custom: #ffe0c2; --instance: #e8dcf0; --outside: #e9ebed; --property: #d6f0f0;
          --bar: #8fb3da; --critical: #e0824f;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #14171a; --panel: #1c2024; --text: #e6e8ea; --muted: #a3acb5; --line: #373e45;
            --link: #80baff; --chosen: #1d3a59; --bad: #ff8f86; --bad-panel: #3b2220; --edge: #76828e;
            --transient: #1c2024; --graph: #24364f; --container: #22432a; --weak: #4b4114;
            --custom: #543718; --instance: #40304e; --outside: #31363b; --property: #174344;
            --bar: #6f9ccf; --critical: #e58552;
          }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        body {
          margin: 0; background: var(--page); color: var(--text);
          font: 15px/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
        }
        header, #filters { padding: 0 16px; }
        h1 { margin: 14px 0 0; font-size: 22px; overflow-wrap: anywhere; }
        h2 { margin: 0 0 4px; font-size: 18px; overflow-wrap: anywhere; }
        h3 { margin: 18px 0 4px; font-size: 14px; }
        #summary { margin: 2px 0 10px; color: var(--muted); }
        button, input, select { font: inherit; color: inherit; }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
        /* The names of a program may be written from right to left. */
        .name, .place, pre { unicode-bidi: isolate; }

        #filters { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: end; padding-bottom: 12px; }
        #filters label { display: flex; flex-direction: column; font-size: 12px; color: var(--muted); }
        #filters input, #filters select {
          height: 34px; max-width: 100%; padding: 0 8px; font-size: 15px; color: var(--text);
          background: var(--panel); border: 1px solid var(--edge); border-radius: 6px;
        }
        #search { width: 260px; }
        #filters select { max-width: 190px; }
        #marks { display: flex; flex-wrap: wrap; gap: 6px; }
        #marks button, .tools button {
          height: 34px; padding: 0 12px; background: var(--panel); cursor: pointer;
          border: 1px solid var(--edge); border-radius: 17px;
        }
        #marks button[aria-pressed=true] {
          background: var(--chosen); border-color: var(--link); box-shadow: inset 0 0 0 1px var(--link);
        }

        main { display: grid; gap: 12px; padding: 0 16px 16px; }
        main > section {
          min-width: 0; background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
        }
        #status { margin: 0; padding: 8px 12px; color: var(--muted); border-bottom: 1px solid var(--line); }
        #list { overflow: auto; padding-bottom: 8px; }
        #list h3 {
          position: sticky; top: 0; z-index: 1; margin: 0; padding: 8px 12px 4px;
          background: var(--panel); overflow-wrap: anywhere;
        }
        #list h3 span { font-weight: normal; color: var(--muted); }
        #list ul, ul#list, .plain { margin: 0; padding: 0; list-style: none; }
        #list .group { content-visibility: auto; contain-intrinsic-size: auto 400px; }
        .row {
          display: block; width: 100%; padding: 4px 12px; text-align: left; cursor: pointer;
          background: none; border: 0; border-left: 5px solid var(--kind, transparent);
          overflow-wrap: anywhere;
        }
        .row:hover { background: var(--page); }
        .row[aria-current] { background: var(--chosen); }
        .row:focus-visible { outline-offset: -2px; }
        .place { color: var(--muted); font-size: 12px; overflow-wrap: anywhere; }
        .row .place { display: block; }
        .badge {
          display: inline-block; margin-left: 5px; padding: 0 6px; font-size: 11px; line-height: 16px;
          white-space: nowrap; border: 1px solid var(--edge); border-radius: 9px; color: var(--muted);
        }
        .badge.bad { color: var(--bad); border-color: var(--bad); }

        #detail { padding: 12px 16px 16px; overflow: auto; }
        #detail h2:focus { outline: none; }
        #detail h2:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
        dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 10px 0; }
        dt { color: var(--muted); }
        dd { margin: 0; overflow-wrap: anywhere; }
        .link {
          padding: 2px 0; background: none; border: 0; text-align: left; cursor: pointer;
          color: var(--link); overflow-wrap: anywhere;
        }
        .link:hover { text-decoration: underline; }
        .problem { margin: 8px 0; padding: 8px 10px; border-radius: 6px; background: var(--bad-panel); }
        .problem.hint { background: var(--page); }
        .problem b { color: var(--bad); }
        .problem.hint b { color: inherit; }
        pre {
          margin: 4px 0 0; white-space: pre-wrap; overflow-wrap: anywhere;
          font: 12px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        }
        .tree, .tree ul { margin: 0; padding: 0; list-style: none; }
        .tree ul { margin-left: 11px; padding-left: 10px; border-left: 1px solid var(--line); }
        .step { display: flex; align-items: baseline; gap: 2px; }
        .toggle {
          flex: none; width: 24px; height: 24px; padding: 0; background: none; border: 0;
          color: var(--muted); cursor: pointer;
        }
        .toggle::before { content: "▸"; }
        .toggle[aria-expanded=true]::before { content: "▾"; }
        .toggle:disabled { visibility: hidden; }
        .more { display: flex; gap: 14px; align-items: baseline; }
        .note { color: var(--muted); font-size: 13px; }

        .tools {
          display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 8px 12px;
          border-bottom: 1px solid var(--line);
        }
        .tools h2 { flex: 1; margin: 0; font-size: 15px; white-space: nowrap; }
        .tools button { min-width: 34px; padding: 0 10px; border-radius: 6px; }
        .tools select {
          flex: 0 1 210px; min-width: 0; height: 34px; background: var(--panel);
          border: 1px solid var(--edge); border-radius: 6px;
        }
        #canvas { overflow: auto; cursor: grab; }
        #canvas.dragged { cursor: grabbing; user-select: none; }
        #canvas svg { display: block; }
        #canvas text { font-size: 12px; fill: var(--text); pointer-events: none; }
        #canvas .node { cursor: pointer; }
        #canvas .node rect { stroke: var(--edge); fill: var(--kind); }
        #canvas .bad rect { stroke: var(--bad); stroke-width: 2.5; }
        #canvas .chosen rect { stroke: var(--link); stroke-width: 3; }
        #canvas .far { opacity: .35; }
        #canvas .unreached text { font-style: italic; }
        #canvas .weak rect, #canvas .outside rect { stroke-dasharray: 4 3; }
        #canvas .transient rect { stroke-dasharray: 1.5 2; }
        #canvas .property rect { rx: 12px; }
        #canvas .band rect { fill: var(--page); stroke: var(--line); }
        #canvas .band text { fill: var(--muted); }
        #canvas .edges path { fill: none; stroke: var(--edge); stroke-width: 1.2; }
        #canvas .edges .heads { fill: var(--edge); }
        #canvas .edges .later.heads { fill: var(--panel); }
        #canvas .edges .observed:not(.heads) { stroke-dasharray: 5 3; }
        #canvas .edges .bad { stroke: var(--bad); stroke-width: 2; }
        #canvas .edges .bad.heads:not(.later) { fill: var(--bad); }
        /* Dashes by the thousand are neither seen nor drawn within a second. */
        #canvas .edges.many path { stroke-width: 1; stroke-opacity: .5; }
        #canvas .edges.many .observed:not(.heads) { stroke-dasharray: none; }
        .legend { display: flex; flex-wrap: wrap; gap: 2px 14px; padding: 8px 12px; font-size: 12px; }
        .legend i {
          display: inline-block; width: 14px; height: 12px; margin-right: 5px; vertical-align: -1px;
          background: var(--kind); border: 1px solid var(--edge); border-radius: 3px;
        }
        .transient { --kind: var(--transient); }
        .graph { --kind: var(--graph); }
        .container { --kind: var(--container); }
        .weak { --kind: var(--weak); }
        .custom { --kind: var(--custom); }
        .instance { --kind: var(--instance); }
        .outside { --kind: var(--outside); }
        .box { --kind: var(--panel); }
        .property { --kind: var(--property); }

        .time { display: grid; grid-template-columns: 230px 1fr; gap: 10px; align-items: center; }
        .time .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .track { position: relative; height: 18px; }
        .track i {
          position: absolute; top: 2px; bottom: 2px; min-width: 3px; border-radius: 3px;
          background: var(--bar);
        }
        .critical .track i { background: var(--critical); }
        .track span {
          position: absolute; font-size: 12px; line-height: 18px; white-space: nowrap;
          color: var(--muted);
        }
        .track .inside { top: -2px; left: 6px; font-style: normal; color: #14171a; }
        #axis {
          padding: 4px 12px 4px 17px; font-size: 12px; color: var(--muted);
          border-bottom: 1px solid var(--line);
        }
        #axis .track span { padding-left: 3px; border-left: 1px solid var(--edge); }
        .path { margin: 0; padding-left: 22px; }

        @media (min-width: 760px) {
          body { display: flex; flex-direction: column; height: 100vh; }
          main {
            flex: 1; min-height: 0; grid-template-columns: minmax(250px, 1fr) minmax(300px, 1.3fr);
            grid-template-rows: minmax(0, 1fr) minmax(0, 1fr);
          }
          main > section { display: flex; flex-direction: column; min-height: 0; }
          #detail { display: block; }
          #services { grid-row: 1 / 3; }
          #list, #canvas { flex: 1; min-height: 0; }
          main.times {
            grid-template-columns: minmax(0, 2fr) minmax(280px, 1fr);
            grid-template-rows: minmax(0, 1fr);
          }
          main.times #services { grid-row: 1; }
        }
        @media (min-width: 1150px) {
          main { grid-template-columns: 310px minmax(0, 1fr) 390px; grid-template-rows: minmax(0, 1fr); }
          #services { grid-row: 1; }
          #detail { grid-column: 3; grid-row: 1; }
          #drawing { grid-column: 2; grid-row: 1; }
          main.times #detail { grid-column: 2; }
        }
        @media (max-width: 759px) {
          header, #filters { padding-left: 12px; padding-right: 12px; }
          main { padding: 0 8px 12px; grid-template-columns: minmax(0, 1fr); }
          #filters label { flex: 1 1 40%; }
          #filters label:first-child { flex-basis: 100%; }
          #filters select { max-width: none; width: 100%; }
          #search { width: 100%; }
          #list { max-height: 55vh; }
          #canvas { max-height: 75vh; }
          .tools h2 { flex-basis: 100%; }
          .row, .link { min-height: 34px; }
          .toggle { width: 34px; height: 34px; }
          .time { grid-template-columns: 1fr; gap: 0; }
          #axis { display: none; }
        }
        @media (forced-colors: active) {
          .track i { background: CanvasText; }
          .critical .track i { background: Highlight; }
        }
        """#
}
