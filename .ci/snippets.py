#!/usr/bin/env python3
"""Compiles the Swift code of Markdown files against this package, in Swift 6 mode.

    .ci/snippets.py            all articles of Depin
    .ci/snippets.py FILE…      these files

Each file becomes a module that imports Depin, DepinTesting and Testing. All blocks of ```swift are
compiled. Declarations stand in the file's scope; statements stand in a function of their block;
properties (`@Injected var …`, `static let …`) stand in a type of their block. A reader does not see
comments of Markdown, so what a block takes for granted stands there, at the file's scope:

    <!-- swift
    let container = Container()
    -->

(DocC takes a line that begins with `@` for a directive, so write `/**/ @MainActor` there.)

    <!-- not compiled: REASON -->    the next block is left alone
    <!-- stands in: PATH -->         the next block is quoted from that file, see quotes.py
    <!-- file: PATH -->              the next block is a file of a tutorial, see walkthrough.py
    <!-- new module -->              what follows is a module of its own, so names may return
    <!-- new module: main actor -->  the same, and the main actor is its default isolation

Errors and warnings name the line of the Markdown file. See apps.py.
"""

import pathlib
import re
import subprocess
import sys

import apps
import pages
from apps import ROOT

FOLDER = apps.FOLDER / "Snippets"
ATTRIBUTE = r"@\w+(?:\([^\n]*?\))?\s+"
MODIFIER = r"(?:final|public|private|fileprivate|nonisolated|indirect|package|internal)\s+"
START = rf"^(?:{ATTRIBUTE}|{MODIFIER})*"
DECLARATION = re.compile(
    START + r"(import|struct|class|enum|protocol|extension|actor|func|typealias|(?:pre|post|in)fix"
    r"\s+(?:operator|func))\b"
)
MEMBER = re.compile(
    rf"^(?:(?:{ATTRIBUTE}|{MODIFIER})*static\s+(let|var|func)|"
    rf"@(Injected|Space)\b|{MODIFIER}(let|var)|(convenience\s+)?init\b)"
)
# An example makes values only to show how.
TOLERATED = re.compile(r"was never (used|mutated|read)|is unused|never used; consider|will never be executed")


class Module:
    def __init__(self, name, is_main_actor=False):
        self.name = name
        self.is_main_actor = is_main_actor
        self.imports = {"Depin", "DepinTesting", "Testing"}
        self.text = []
        self.count = 0

    def add(self, path, line, code, is_hidden):
        """Puts each item of the code where it may stand: what is hidden, at the file's scope."""
        self.count += not is_hidden
        place = f'#sourceLocation(file: "{path}", line: {{}})'
        groups = []
        for offset, item in items(code):
            head = re.sub(r"^(\s*//[^\n]*\n)+", "", item).lstrip()
            kind = "declaration" if is_hidden or DECLARATION.match(head) else (
                "member" if MEMBER.match(head) else "statement")
            if imported := re.match(r"(?:@testable )?import (\w+)", head):
                self.imports.add(imported[1])
                continue
            if kind == "declaration" or not groups or groups[-1][0] != kind:
                groups.append((kind, []))
            groups[-1][1].append((line + offset, item))
        # A block's statements see one another, whatever declarations stand between them.
        for wanted, opening, closing in (
            ("declaration", None, None),
            ("member", f"struct Members{line} {{", "}"),
            ("statement", f"func statements{line}() async throws {{", "}"),
        ):
            found = [part for kind, parts in groups if kind == wanted for part in parts]
            if not found:
                continue
            if opening:
                self.text.append(opening)
            for number, item in found:
                self.text += [place.format(number), item]
            self.text.append("#sourceLocation()")
            if closing:
                self.text.append(closing)

    @property
    def source(self):
        imports = [f"import {name}" for name in sorted(self.imports)]
        return "\n".join(imports + self.text) + "\n"


def items(code):
    """Yields the offset of the first line and the text of each item at the outermost level."""
    start, lines, depth = 0, [], 0
    for offset, line in enumerate(code.split("\n")):
        continues = depth > 0 or not line or line[0] in " \t})].?:" or line.startswith("else")
        last = next(filter(None, reversed(lines)), "//")
        open_before = re.match(r"^(//.*|@\w+(\(.*\))?)$", last)
        if lines and not continues and not open_before:
            yield start, "\n".join(lines)
            start, lines = offset, []
        lines.append(line)
        bare = re.sub(r'"(?:\\.|[^"\\])*"|//.*', "", line)
        depth += sum(map(bare.count, "({[")) - sum(map(bare.count, ")}]"))
    if any(lines):
        yield start, "\n".join(lines)


def modules(path):
    """Makes the modules of a Markdown file."""
    relative = path.relative_to(ROOT)
    stem = re.sub(r"\W", "", path.parent.name if path.stem == "README" else path.stem)
    found = [Module(f"{stem}Snippets")]
    for block in pages.blocks(path):
        if block.language == "swift":
            if not pages.named("not compiled|stands in|file", block.note):
                found[-1].add(relative, block.line, block.text, is_hidden=False)
        elif block.language is None and block.text in ("new module", "new module: main actor"):
            found.append(Module(f"{stem}Snippets{len(found) + 1}", block.text.endswith("main actor")))
        elif block.language is None and block.text.startswith("swift\n"):
            code = block.text.removeprefix("swift\n")
            found[-1].add(relative, block.line + 1, code, is_hidden=True)
    return [module for module in found if module.count]


def main():
    names = sys.argv[1:] or sorted([*ROOT.glob("Sources/Depin/Depin.docc/**/*.md"),
                                    *ROOT.glob("Sources/DepinInspection/DepinInspection.docc/*.md")])
    found = [module for name in names for module in modules(pathlib.Path(name).resolve())]
    if not found:
        sys.exit("no code")
    apps.prepare()
    targets = []
    for module in found:
        place = FOLDER / "Sources" / module.name / "Snippets.swift"
        place.parent.mkdir(parents=True, exist_ok=True)
        # A warning is shown only when its file is compiled, so each file is written anew.
        place.write_text(module.source, encoding="utf-8")
        targets.append(
            f'.target(name: "{module.name}", dependencies: ["Depin", '
            '.product(name: "DepinTesting", package: "Depin")]'
            + (", swiftSettings: [.defaultIsolation(MainActor.self)]" if module.is_main_actor else "")
            + "),"
        )
    (FOLDER / "Package.swift").write_text(
        "// swift-tools-version: 6.2\nimport PackageDescription\n"
        'let package = Package(name: "Snippets", platforms: [.macOS(.v15)], '
        'dependencies: [.package(name: "Depin", path: "../Depin")], targets: [\n'
        + "\n".join(targets) + "\n])\n",
        encoding="utf-8",
    )
    process = subprocess.run(
        ["swift", "build", "--package-path", FOLDER], env=apps.ENVIRONMENT,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )
    problems = re.findall(r"^\S+: (?:error|warning): .*$", process.stdout, re.M)
    problems = sorted({line for line in problems if not TOLERATED.search(line)})
    if problems or process.returncode != 0:
        sys.exit("\n".join(problems) or process.stdout)
    print(f"{sum(module.count for module in found)} blocks compiled in {len(found)} modules")


main()
