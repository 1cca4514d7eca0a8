#!/usr/bin/env python3
"""Checks the table of mistakes in Tests/Mistakes.md.

Each row says what one sees in quotes (“…”), where that is proved, and which section of which article
answers it. The words must stand in the proof, and the section in the article; an error of the compiler
must stand in the section itself, where one looks for it. A silence needs a reason and a test.
"""

import pathlib
import re
import sys

import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "Tests"
TABLE = TESTS / "Mistakes.md"
GOLDEN = TESTS / "DepinSpecificationTests/Errors/Golden"
COMPILED = [TESTS / "Clients" / folder for folder in ("Mistakes", "Mistakes/Macros", "Warnings")]
LEAST = 40


def plain(text):
    return re.sub(r"\s+", " ", text)


def rows():
    """Yields the section, the mistake, what one sees, the proof and the answer of each row."""
    # Markdown drops cells that the head does not have, and adds those that a row lacks.
    for line in pages.read(TABLE).splitlines():
        if line.startswith("| ") and len(line.strip("|").split(" | ")) != 4:
            sys.exit(f"{TABLE.name}: not four cells:\n{line}")
    for section, tokens in pages.sections(TABLE):
        for cells in pages.rows(tokens):
            yield section, *cells


def proof(text):
    """The text of a golden file, of a compiled one, or of the test of a name; None where there is none."""
    if golden := re.fullmatch(r"golden “(.*)”", text):
        files, test = [GOLDEN / f"{golden[1]}.txt"], None
    elif named := re.fullmatch(r"“(.*)” in `(.*)`", text):
        files, test = [TESTS / named[2]], f"func `{named[1]}`"
    else:
        files, test = [folder / text.strip("`") for folder in COMPILED], None
    for file in files:
        content = file.read_text(encoding="utf-8") if file.exists() else ""
        if content and test is None:
            return content
        if test and test in content:
            # Up to the next test.
            return re.split(r"\n    @Test", content.split(test, 1)[1], maxsplit=1)[0]
    return None


def section_of(answer):
    """The text of the section of an article, None where there is none."""
    article, _, heading = answer.partition(": ")
    for file in ROOT.glob(f"Sources/*/*.docc/Articles/{article}.md"):
        for title, tokens in pages.sections(file):
            if title == heading:
                return "\n".join(token.content for token in tokens)
    return None


def problems():
    count = 0
    for section, mistake, seen, proved, answered in rows():
        count += 1
        shown, answer = proof(proved), section_of(answered)
        words = re.findall(r"“(.*?)”", seen)
        if shown is None:
            yield f"{mistake}: no proof {proved}"
        if answer is None:
            yield f"{mistake}: no section “{answered}”"
        if section == "Silence":
            if words or not seen:
                yield f"{mistake}: a silence says why nothing can be seen"
        elif not words:
            yield f"{mistake}: nothing is quoted"
        for word in words:
            if shown is not None and plain(word) not in plain(shown):
                yield f"{mistake}: “{word}” is not in {proved}"
            if section.startswith("The compiler") and answer and plain(word) not in plain(answer):
                yield f"{mistake}: “{word}” is not in {answered}"
    if count < LEAST:
        yield f"{count} mistakes, fewer than {LEAST}"
    print(f"{count} mistakes")


found = list(problems())
if found:
    sys.exit("\n".join(f"{TABLE.name}: {problem}" for problem in found))
