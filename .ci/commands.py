#!/usr/bin/env python3
"""Runs the commands of Markdown files, from the top of the repository, as a reader would.

In a block of ```sh each line is a command that must succeed. In a block of ```console a line
that begins with "$ " is one, and the lines up to the next are what it must print, to the letter.
A code span in prose that begins with a program of this repository, or with what `swift` is asked to
do, is a command too; it is run unless a block of the same page has it.

A command with `--serve` is run until it says at which address, its page is fetched, and it is
ended. Not run is `.ci/run`, alone or with names of its steps: that is what runs this script.
"""

import argparse
import difflib
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request

import pages

SPAN = re.compile(r"\.ci/|Tests/Benchmarks/\w+(?=\s|$)|swift\s+(?:build|format|package|run|test)\b")


def commands(path):
    """Yields each command with the output it must have, None where any will do."""
    in_blocks = set()
    for block in pages.blocks(path):
        if block.language in ("sh", "console"):
            for command, output in pages.session(block):
                in_blocks.add(command)
                yield command, output
        elif block.language is not None and re.search(r"^\$ ", block.text, re.M):
            sys.exit(f"{path}: a command in a block that is not of ```console")
    for command in dict.fromkeys(filter(SPAN.match, pages.spans(path))):
        if command not in in_blocks:
            yield command, None


def is_this_run(command):
    """Whether the command is `.ci/run`, or names steps of it: a step is calling this script."""
    program, *steps = command.split()
    if program != ".ci/run" or steps[:1] == ["--list"]:
        return False
    listed = subprocess.run([program, "--list"], stdout=subprocess.PIPE, encoding="utf-8").stdout
    unknown = set(steps) - set(listed.split())
    if unknown:
        sys.exit(f"'{command}' names no step: {', '.join(unknown)}")
    return True


def serve(path, command):
    """Runs a server until a page of it was fetched."""
    process = subprocess.Popen(
        ["timeout", "--kill-after=10", "900", "bash", "-euo", "pipefail", "-c", command],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True,
    )
    address = None
    for line in process.stdout:
        print(line, end="", flush=True)
        address = re.search(r"http://\S+", line)
        if address:
            break
    if not address:
        sys.exit(f"{path}: '{command}' names no address")
    try:
        with urllib.request.urlopen(address[0], timeout=30) as page:
            if b"<html" not in page.read():
                sys.exit(f"{path}: '{command}' serves no page at {address[0]}")
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def run(path, command, expected):
    print(f"--- {path}: {command}", flush=True)
    if is_this_run(command):
        return
    if "--serve" in command.split():
        serve(path, command)
        return
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
    parser.add_argument("--elsewhere", action="append", default=[], metavar="COMMAND",
                        help="leave this command to another step, which requires it")
    parser.add_argument("--only", metavar="COMMAND", help="run this command alone")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    found = []
    for path in options.files:
        found += [(path, *command) for command in commands(path)]
    if not found:
        sys.exit("no command")
    wanted = {*options.require, *options.elsewhere, *filter(None, [options.only])}
    missing = wanted - {command for _, command, _ in found}
    if missing:
        sys.exit(f"not found: {', '.join(sorted(missing))}")
    for path, command, expected in found:
        if command not in options.elsewhere and options.only in (None, command):
            run(path, command, expected)


main()
