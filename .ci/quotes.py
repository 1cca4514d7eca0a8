#!/usr/bin/env python3
"""Checks that the Swift code in Markdown files stands in this repository's compiled sources too.

Each block of ```swift must be found, line after line, in one Swift file of Examples or Tests.
Indentation and empty lines do not count. A line of `…` stands for lines left out. A block that
makes a package (`Package(`) is none of this script's business: tour.py and walkthrough.py build it.

    <!-- stands in: PATH -->    the next block must be found in that file, and in no other
"""

import pathlib
import sys

import pages


def significant(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def parts(block):
    """Splits the lines of a block where it leaves some out."""
    part = []
    for line in significant(block):
        if line == "…":
            yield part
            part = []
        else:
            part.append(line)
    yield part


def stands_in(block, source):
    """Whether the parts of the block stand in the source, in their order."""
    position = 0
    for part in parts(block):
        ends = (
            i + len(part)
            for i in range(position, len(source) - len(part) + 1)
            if source[i : i + len(part)] == part
        )
        position = next(ends, None)
        if position is None:
            return False
    return True


def main():
    sources = {
        file: significant(file.read_text(encoding="utf-8"))
        for folder in ("Examples", "Tests")
        for file in sorted(pathlib.Path(folder).rglob("*.swift"))
        if ".build" not in file.parts
    }
    count = 0
    failed = False
    for path in sys.argv[1:]:
        for block in pages.blocks(path):
            if block.language != "swift" or "Package(" in block.text:
                continue
            count += 1
            file = pages.named("stands in", block.note)
            candidates = [sources.get(pathlib.Path(file), [])] if file else sources.values()
            if not any(stands_in(block.text, source) for source in candidates):
                failed = True
                print(f"{path}:{block.line}: this code is not in {file or 'a compiled source'}:\n{block.text}")
    if failed or not count:
        sys.exit("no quoted code" if not count else 1)
    print(f"{count} blocks of code found in compiled sources")


main()
