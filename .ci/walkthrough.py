#!/usr/bin/env python3
"""Follows a Markdown tutorial word by word, in a new folder, as a reader would.

A block of ```swift after `<!-- file: PATH -->` becomes that file. In a block of ```sh each line is a
command that must succeed. In a block of ```console a line that begins with "$ " is one, and the
lines up to the next are what it must print. A block of ```text after `<!-- shown by: COMMAND -->`
must stand in what that command prints, whether it succeeds or not; a reader does not see that
command, nor one in `<!-- run: COMMAND -->`. A `cd` lasts until the end. The folder in which the tutorial
begins holds this repository under the name Depin. See apps.py.
"""

import pathlib
import re
import subprocess
import sys
import time

import apps

BLOCK = re.compile(
    r"<!-- run: (?P<hidden>[^\n]+) -->|(?:<!-- (?:file|shown by): (?P<comment>[^\n]+) -->\n)?"
    r"```(?P<language>swift|sh|console|text)\n(?P<text>.*?)^```$",
    re.M | re.S,
)


def run(folder, command, expected=None, excerpt=None):
    """Runs a command and returns the folder in which it ends."""
    print(f"--- {command}", flush=True)
    mark = apps.FOLDER / "folder"
    process = subprocess.run(
        ["timeout", "--kill-after=10", "900", "bash", "-euo", "pipefail", "-c",
         f"{command}\npwd > {mark}"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=None if expected is None and excerpt is None else subprocess.PIPE,
        stderr=None if excerpt is None else subprocess.STDOUT,
        encoding="utf-8",
        env={**apps.ENVIRONMENT, "SWIFT_BACKTRACE": "enable=no"},
    )
    if excerpt is not None:
        if excerpt not in process.stdout:
            sys.exit(f"'{command}' prints\n{process.stdout}which does not have\n{excerpt}")
        return folder
    if process.returncode != 0:
        sys.exit(f"'{command}' failed with status {process.returncode}")
    if expected is not None and process.stdout != expected:
        sys.exit(f"'{command}' prints\n{process.stdout}instead of\n{expected}")
    return mark.read_text().strip()


def main():
    started = time.monotonic()
    apps.prepare()
    count = 0
    for path in sys.argv[1:]:
        folder = str(apps.FOLDER)
        for match in BLOCK.finditer(pathlib.Path(path).read_text(encoding="utf-8")):
            comment, language, text = match.group("comment", "language", "text")
            if match["hidden"]:
                folder = run(folder, match["hidden"])
            elif language == "text" and comment:
                run(folder, comment, excerpt=text)
                count += 1
            elif language == "swift" and comment:
                place = pathlib.Path(folder) / comment
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, encoding="utf-8")
            elif language == "sh":
                for line in filter(str.strip, text.splitlines()):
                    folder = run(folder, line)
                    count += 1
            elif language == "console":
                for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
                    command, expected = part.split("\n", 1)
                    folder = run(folder, command, expected)
                    count += 1
    if not count:
        sys.exit("no command")
    print(f"{count} commands followed in {time.monotonic() - started:.0f} s")


main()
