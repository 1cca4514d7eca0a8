#!/usr/bin/env python3
"""Makes the app that a README tells its reader to write, beside this package, and runs it.

A block of ```swift after `<!-- file: PATH -->` begins that file of the app; one without continues the
file above it, as a reader does who pastes one block below the other. In a block of ```console a line
that begins with "$ " is a command, and the lines up to the next are what it must print. Last, the app's
tests run. The app's folder stands beside this repository, which has the name Depin there. See apps.py.
"""

import subprocess
import sys

import apps
import pages

APP = apps.FOLDER / "MyApp"


def run(command, check=True, **options):
    print("---", command, flush=True)
    return subprocess.run(["timeout", "--kill-after=10", "900", "bash", "-euc", command], cwd=APP,
                          stdin=subprocess.DEVNULL, encoding="utf-8", env=apps.ENVIRONMENT, check=check,
                          **options)


def main():
    path = sys.argv[1]
    files, outputs = {}, []
    place = None
    for block in pages.blocks(path):
        place = pages.named("file", block.note) or place
        if block.language == "console":
            outputs += pages.session(block)
        elif block.language == "swift" and not place:
            sys.exit(f"{path}:{block.line}: this block belongs to no file:\n{block.text}")
        elif block.language == "swift":
            files.setdefault(place, []).append(block.text)

    apps.prepare()
    for name, blocks in files.items():
        (APP / name).parent.mkdir(parents=True, exist_ok=True)
        (APP / name).write_text("\n".join(blocks), encoding="utf-8")

    build = run("swift build --build-tests", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if build.returncode != 0 or "warning: " in build.stdout:
        sys.exit(build.stdout)
    for command, expected in outputs:
        printed = run(command, stdout=subprocess.PIPE).stdout
        if printed != expected:
            sys.exit(f"{path}: '{command}' prints\n{printed}instead of\n{expected}")
    run("swift test --skip-build")


main()
