#!/usr/bin/env python3
"""Follows a Markdown tutorial word by word, in a new folder, as a reader would.

A block of ```swift after `<!-- file: PATH -->` becomes that file. In a block of ```sh each line is a
command that must succeed. In a block of ```console a line that begins with "$ " is one, and the
lines up to the next are what it must print. A block of ```text after `<!-- shown by: COMMAND -->`
must stand in what that command prints, whether it succeeds or not; a reader does not see that
command, nor one in `<!-- run: COMMAND -->`. A `cd` lasts until the end. The folder in which the tutorial
begins holds this repository under the name Depin. See apps.py.

    .ci/walkthrough.py FILE…
    .ci/walkthrough.py --main-actor FILE…    the main actor is the default isolation of each package, and
                                             the compiler may not warn
"""

import pathlib
import subprocess
import sys
import time

import apps
import pages

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
    paths = sys.argv[1:]
    is_main_actor = paths[:1] == ["--main-actor"]
    for path in paths[is_main_actor:]:
        folder = str(apps.FOLDER)
        for block in pages.blocks(path):
            hidden = pages.named("run", block.text) if block.language is None else None
            place, shower = pages.named("file", block.note), pages.named("shown by", block.note)
            if hidden:
                folder = run(folder, hidden)
            elif block.language == "text" and shower:
                run(folder, shower, excerpt=block.text)
                count += 1
            elif block.language == "swift" and place:
                file = pathlib.Path(folder) / place
                file.parent.mkdir(parents=True, exist_ok=True)
                ending = apps.MAIN_ACTOR if is_main_actor and file.name == "Package.swift" else ""
                file.write_text(block.text + ending, encoding="utf-8")
            elif block.language in ("sh", "console"):
                for command, expected in pages.session(block):
                    folder = run(folder, command, expected)
                    count += 1
    if not count:
        sys.exit("no command")
    print(f"{count} commands followed in {time.monotonic() - started:.0f} s")


main()
