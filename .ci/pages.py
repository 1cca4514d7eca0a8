"""What stands in a Markdown file, as markdown-it reads it: code, comments and tables.

A comment is what a reader does not see: it tells a script what to do with the block that follows it.
"""

import dataclasses
import pathlib
import re
import sys

try:
    import markdown_it
except ImportError:
    sys.exit("markdown-it is missing: `.ci/run tools` installs it")

MARKDOWN = markdown_it.MarkdownIt("commonmark").enable("table")


@dataclasses.dataclass
class Block:
    language: str | None  # None for a comment.
    text: str
    line: int  # The number of the first line of the text.
    note: str = ""  # What the comment right above it says.


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


def parse(path):
    return MARKDOWN.parse(read(path))


def blocks(path):
    """Yields each fenced block and each comment."""
    lines = read(path).splitlines()
    above = None
    for token in parse(path):
        if token.type == "fence":
            first, end = token.map
            # Markdown ends what is not closed with the file.
            if end - first < 2 or lines[end - 1].strip().strip(token.markup):
                sys.exit(f"{path}:{first + 1}: a block is not closed")
            note = above.text if above and "-->" in lines[first - 1] else ""
            yield Block(token.info.strip(), token.content, first + 2, note)
        comment = re.fullmatch(r"<!--\s*(.*?)\s*-->\s*", token.content, re.S)
        above = Block(None, comment[1], token.map[0] + 1) if token.type == "html_block" and comment else None
        if above:
            yield above


def named(pattern, note):
    """What a comment gives for a name, as in `<!-- file: Package.swift -->`; None where it is another one."""
    found = re.fullmatch(rf"(?:{pattern}): (.*)", note, re.S)
    return found and found[1]


def spans(path):
    """Yields each code span, as one line."""
    for token in parse(path):
        for child in token.children or []:
            if child.type == "code_inline":
                yield " ".join(child.content.split())


def sections(path):
    """Yields each heading, and the tokens up to the next."""
    heading, found, tokens = None, [], iter(parse(path))
    for token in tokens:
        if token.type == "heading_open":
            yield heading, found
            heading, found = next(tokens).content, []
        else:
            found.append(token)
    yield heading, found


def rows(tokens):
    """Yields the cells of each row of the tables, without their heads."""
    cells = None
    for token in tokens:
        if token.type == "thead_close":
            cells = []
        elif token.type == "inline" and cells is not None:
            cells.append(token.content)
        elif token.type == "tr_close" and cells:
            yield cells
            cells = []
        elif token.type == "table_close":
            cells = None


def session(block):
    """Yields each command of a block of ```sh, or of ```console with the output that it must have."""
    if block.language == "sh":
        for line in block.text.splitlines():
            if line.strip() and not line.startswith("#"):
                yield line.strip(), None
        return
    first, *parts = re.split(r"^\$ ", block.text, flags=re.M)
    if first or not parts:
        sys.exit(f"a console block that does not begin with a command:\n{block.text}")
    for part in parts:
        command, _, output = part.partition("\n")
        yield command.strip(), output
