#!/usr/bin/env python3
"""Builds the documentation of the modules into one static site, with the toolchain alone.

    .ci/docs.py            build .build/docs/site, any warning being an error
    .ci/docs.py --serve    then serve it on the loopback interface

Public symbols without a comment, symbols that stand in no page's topics but only in groups that DocC
makes, tests that Tests/README.md names and that are not there, words of other libraries that no title
has, and rows of the sidebar that look alike, are errors too.
"""

import argparse
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".build/docs"
MODULES = ["Depin", "DepinInspection", "DepinTesting", "DepinOverloads"]


def run(*command, **options):
    print("---", " ".join(map(str, command[:4])), "…", flush=True)
    subprocess.run([str(part) for part in command], check=True, **options)


def symbol_graphs():
    """Has the compiler write down the public symbols of the modules.

    Not as for handing them out in binary form: the Foundation of Linux, which DepinInspection uses, is not built so.
    """
    graphs = FOLDER / "graphs"
    shutil.rmtree(graphs, ignore_errors=True)
    # The compiler writes a graph only when it compiles the module.
    shutil.rmtree(FOLDER / "build", ignore_errors=True)
    flags = ["-warnings-as-errors",
             "-emit-symbol-graph", "-emit-symbol-graph-dir", graphs,
             "-symbol-graph-minimum-access-level", "public",
             "-symbol-graph-skip-synthesized-members", "-emit-extension-block-symbols"]
    for module in MODULES[2:]:  # They need the others.
        run("swift", "build", "--target", module, "--scratch-path", FOLDER / "build",
            *(part for flag in flags for part in ("-Xswiftc", flag)))
    known = set()
    for module in MODULES:
        own = set()
        for graph in graphs.glob("*.symbols.json"):
            if graph.name.split(".")[0].split("@")[0] == module:
                place = graphs / module / graph.name
                place.parent.mkdir(exist_ok=True)
                contents = json.loads(graph.read_text())
                # What a module exports again has its page in its own.
                contents["symbols"] = [symbol for symbol in contents["symbols"]
                                       if symbol["identifier"]["precise"] not in known]
                contents["relationships"] = [relationship for relationship in contents["relationships"]
                                             if relationship["source"] not in known]
                own |= {symbol["identifier"]["precise"] for symbol in contents["symbols"]}
                for relationship in contents["relationships"]:
                    # Or DocC lists what a type's extension does for a protocol twice, the second
                    # time as a “default implementation”, which it is not.
                    relationship.pop("sourceOrigin", None)
                put_first(plainest(contents["symbols"]))
                place.write_text(json.dumps(contents))
                graph.unlink()
        known |= own
    return graphs


def plainest(symbols):
    """Yields of each group of overloads the one that its page is to open on."""
    groups = {}
    for symbol in symbols:
        key = symbol["kind"]["identifier"], *symbol["pathComponents"]
        groups.setdefault(key, []).append(symbol)
    for overloads in groups.values():
        if len(overloads) > 1:
            yield min(overloads, key=lambda symbol: (
                "/Compatibility/" in symbol.get("location", {}).get("uri", ""),
                sum(len(part["spelling"]) for part in symbol["declarationFragments"])))


# DocC opens the page of a group on the declaration that is the first in order of its letters, so that
# `<Service, Argument>` comes before `<Service>`. Nothing comes before a space.
FIRST = {"kind": "text", "spelling": " "}


def put_first(symbols):
    for symbol in symbols:
        symbol["declarationFragments"].insert(0, FIRST)


def take_back_spaces(archive):
    """Takes away what `put_first` has put into declarations."""
    for path in (archive / "data").rglob("*.json"):
        page = json.loads(path.read_text())
        declarations = [declaration
                        for section in page.get("primaryContentSections", [])
                        for declaration in section.get("declarations", [])]
        declarations += [other for declaration in declarations
                         for other in declaration.get("otherDeclarations", {}).get("declarations", [])]
        marked = [declaration["tokens"] for declaration in declarations
                  if declaration["tokens"][0].get("text") == FIRST["spelling"]]
        for tokens in marked:
            del tokens[0]
        if marked:
            path.write_text(json.dumps(page))


def convert(module, graphs, dependencies, is_draft=False):
    """Makes the archive of a module; a draft may have links to what is not there yet."""
    archive = FOLDER / f"{module}.doccarchive"
    shutil.rmtree(archive, ignore_errors=True)
    catalog = ROOT / f"Sources/{module}/{module}.docc"
    options = ["--additional-symbol-graph-dir", graphs / module,
               "--fallback-display-name", module,
               "--fallback-bundle-identifier", f"depin.{module}",
               "--enable-experimental-external-link-support",
               "--enable-experimental-overloaded-symbol-presentation",
               "--transform-for-static-hosting", "--hosting-base-path", options_.base_path,
               "--diagnostic-filter", "error" if is_draft else "warning",
               "--output-dir", archive]
    for dependency in dependencies:
        options += ["--dependency", dependency]
    if not is_draft:
        options.append("--warnings-as-errors")
    run("docc", "convert", *([catalog] if catalog.exists() else []), *options)
    take_back_spaces(archive)
    return archive


def fill_sidebar(site):
    """Gives the library's links to the other modules those modules' pages.

    The sidebar shows what is below the first module of a page's path, and would find those links first.
    """
    path = site / "index/index.json"
    index = json.loads(path.read_text())
    library, *others = index["interfaceLanguages"]["swift"][0]["children"]
    for other in others:
        link, = (child for child in library["children"] if child.get("path") == other["path"])
        link["children"] = other.get("children", [])
    path.write_text(json.dumps(index))


def complaints(module, graphs, archive):
    """Yields what is public and undocumented, or in no group of topics that somebody wrote."""
    synthesized = set()
    for graph in (graphs / module).glob("*.symbols.json"):
        for symbol in json.loads(graph.read_text())["symbols"]:
            kind = symbol["kind"]["identifier"]
            is_ours = "@" not in graph.name or kind != "swift.extension"
            if "location" not in symbol:
                synthesized.add(symbol["identifier"]["precise"])
            elif is_ours and not symbol.get("docComment"):
                yield f"{module}: {'.'.join(symbol['pathComponents'])} has no comment"
    pages = {path: json.loads(path.read_text())
             for path in sorted((archive / "data/documentation").rglob("*.json"))}
    written, generated = set(), {}
    for path, page in pages.items():
        for section in page.get("topicSections", []):
            for identifier in section["identifiers"]:
                if section.get("generated"):
                    generated.setdefault(identifier, (path, page, section.get("title")))
                else:
                    written.add(identifier)
    for identifier, (path, page, title) in generated.items():
        # Let pass: the modules and protocols that we extend, which are not ours; what the compiler
        # makes and no comment can describe, which has no location: `init(rawValue:)`. The standard
        # library's own members, `!=` and the like, are not in the graph at all.
        if identifier in written or title in ("Extended Modules", "Extended Protocols"):
            continue
        place = archive / f"data{page['references'][identifier]['url']}.json"
        if pages.get(place, {}).get("metadata", {}).get("externalID") in synthesized:
            continue
        yield f"{path.stem}: {identifier.split('/', 4)[-1]} is under no topic, only “{title}”"


# What those look for who come from other libraries. The sidebar's filter finds titles alone.
SOUGHT = ["singleton", "mock", "open a scope", "asynchronous"]


def unfindable(site):
    """Yields the words for which the sidebar's filter finds no page."""
    def titles(node):
        yield node["title"].lower()
        for child in node.get("children", []):
            yield from titles(child)
    index = json.loads((site / "index/index.json").read_text())
    found = [title for node in index["interfaceLanguages"]["swift"] for title in titles(node)]
    for words in SOUGHT:
        if not any(words in title for title in found):
            yield f"no page has “{words}” in its title"


def lookalikes(site):
    """Rows of the sidebar under one page between which nobody could choose."""
    def walk(node):
        rows = [child for child in node.get("children", []) if child["type"] != "groupMarker"]
        titles = [row["title"] for row in rows]
        for title in sorted({title for title in titles if titles.count(title) > 1}):
            yield f"{node['title']}: two rows are '{title}'"
        for row in rows:
            yield from walk(row)

    index = json.loads((site / "index/index.json").read_text())
    for node in index["interfaceLanguages"]["swift"]:
        yield from walk(node)


def false_references():
    """Yields the tests that contributors are told of, “test” in `File.swift`, and that are not there."""
    text = re.sub(r"\s+", " ", (ROOT / "Tests/README.md").read_text())
    for tests, file in re.findall(r"((?:“[^”]+”(?:, | and )?)+) in `(\S+\.swift)`", text):
        path = ROOT / "Tests" / file
        code = path.read_text() if path.exists() else ""
        for test in re.findall(r"“([^”]+)”", tests):
            if f"func `{test}`" not in code:
                yield f"Tests/README.md: no test “{test}” in {file}"


def serve(site):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=site)
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", options_.port), handler)
    except OSError:  # Another program has the port: take any that is free.
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    with server:
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)
        server.serve_forever()


def main():
    os.chdir(ROOT)
    graphs = FOLDER / "graphs" if options_.reuse else symbol_graphs()
    # The articles of each module link to the others', so those are made as drafts first.
    drafts = [convert(module, graphs, [], is_draft=True) for module in MODULES[1:]]
    archives = [convert(MODULES[0], graphs, drafts)]
    for module in MODULES[1:]:
        archives.append(convert(module, graphs, archives))
    found = [complaint for module, archive in zip(MODULES, archives)
             for complaint in complaints(module, graphs, archive)] + [*false_references()]
    if found:
        sys.exit("\n".join(found))
    site = FOLDER / "site"
    shutil.rmtree(site, ignore_errors=True)
    run("docc", "merge", *archives, "--output-path", site,
        "--synthesized-landing-page-name", "Depin",
        "--synthesized-landing-page-kind", "Package")
    fill_sidebar(site)
    if missing := [*unfindable(site), *lookalikes(site)]:
        sys.exit("\n".join(missing))
    # Long lines of code scroll beside the text, on a phone too, and not the page with them. The icon of a
    # page's head would lie under its sentence.
    for sheet in (site / "css").glob("index.*.css"):
        rules = (".container-general{overflow-x:auto!important}"
                 ".documentation-hero .background-icon{display:none!important}")
        sheet.write_text(sheet.read_text() + rules)
    # The library's own page greets, and not the one that `docc merge` makes of names alone.
    for page, target in (("index.html", "documentation/depin/"), ("documentation/index.html", "depin/")):
        (site / page).write_text(
            f'<!doctype html><html lang="en"><title>Depin</title>'
            f'<meta http-equiv="refresh" content="0; url={target}">'
            f'<a href="{target}">Depin</a></html>\n')
    print(f"the documentation stands in {site.relative_to(ROOT)}")
    if options_.serve:
        serve(site)


parser = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--serve", action="store_true", help="serve the site until interrupted")
parser.add_argument("--reuse", action="store_true", help="take the symbols of the last build")
parser.add_argument("--port", type=int, default=8000)
parser.add_argument("--base-path", default="/", help="the path on the server that will host it")
options_ = parser.parse_args()
main()
