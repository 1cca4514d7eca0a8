#!/usr/bin/env python3
"""Runs the commands of Markdown files, from the top of the repository, as a reader would.

In a block of ```sh each line is a command that must succeed. In a block of ```console a line
that begins with "$ " is one, and the lines up to the next are what it must print, to the letter.
"""

import argparse
import difflib
import re
import subprocess
import sys
import time

FENCE = re.compile(r"^```(\w*)\s*$")


def blocks(path):
    """Yields the language and the lines of each fenced block."""
    language, lines = None, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            fence = FENCE.match(line)
            if language is None and fence:
                language, lines = fence[1], []
            elif fence:
                yield language, lines
                language = None
            elif language is not None:
                lines.append(line)
    if language is not None:
        sys.exit(f"{path}: a block is not closed")


def commands(path):
    """Yields each command with the output it must have, None where any will do."""
    for language, lines in blocks(path):
        if language == "sh":
            for line in lines:
                if line.strip() and not line.startswith("#"):
                    yield line.strip(), None
        elif language == "console":
            command, output = None, []
            for line in lines:
                if line.startswith("$ "):
                    if command:
                        yield command, "".join(output)
                    command, output = line[2:].strip(), []
                else:
                    output.append(line)
            if not command:
                sys.exit(f"{path}: a console block without a command")
            yield command, "".join(output)


def run(path, command, expected):
    print(f"--- {path}: {command}", flush=True)
    started = time.monotonic()
    process = subprocess.run(
        ["timeout", "--kill-after=10", "900", "bash", "-euo", "pipefail", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=None if expected is None else subprocess.PIPE,
        encoding="utf-8",
    )
    print(f"--- {time.monotonic() - started:.0f} s", flush=True)
    if process.returncode != 0:
        sys.exit(f"{path}: '{command}' failed with status {process.returncode}")
    if expected is not None and process.stdout != expected:
        sys.stdout.writelines(
            difflib.unified_diff(
                expected.splitlines(keepends=True),
                process.stdout.splitlines(keepends=True),
                path,
                command,
            )
        )
        sys.exit(f"{path}: '{command}' prints something else")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--require", action="append", default=[], metavar="COMMAND",
                        help="fail unless the files have this command")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    found = []
    for path in options.files:
        in_file = list(commands(path))
        if not in_file:
            sys.exit(f"{path}: no command")
        found += [(path, *command) for command in in_file]
    missing = set(options.require) - {command for _, command, _ in found}
    if missing:
        sys.exit(f"not found: {', '.join(sorted(missing))}")
    for path, command, expected in found:
        run(path, command, expected)


main()
