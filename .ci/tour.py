#!/usr/bin/env python3
"""Makes the app that a README tells its reader to write, beside this package, and runs it.

A block of ```swift after `<!-- file: PATH -->` begins that file of the app; one without continues the
file above it, as a reader does who pastes one block below the other. In a block of ```console a line
that begins with "$ " is a command, and the lines up to the next are what it must print. Last, the app's
tests run. The app's folder stands beside this repository, which has the name Depin there. See apps.py.
"""

import pathlib
import re
import subprocess
import sys

import apps

APP = apps.FOLDER / "MyApp"
BLOCK = re.compile(r"(?:<!-- file: (?P<file>\S+) -->\n)?```(?P<language>swift|console)\n(?P<text>.*?)^```$",
                   re.M | re.S)


def run(command, check=True, **options):
    print("---", command, flush=True)
    return subprocess.run(["timeout", "--kill-after=10", "900", "bash", "-euc", command], cwd=APP,
                          stdin=subprocess.DEVNULL, encoding="utf-8", env=apps.ENVIRONMENT, check=check,
                          **options)


def main():
    path = sys.argv[1]
    files, outputs = {}, []
    place = None
    for match in BLOCK.finditer(pathlib.Path(path).read_text(encoding="utf-8")):
        place = match["file"] or place
        if match["language"] == "console":
            outputs += re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", match["text"], re.M)
        elif not place:
            sys.exit(f"{path}: this block belongs to no file:\n{match['text']}")
        else:
            files.setdefault(place, []).append(match["text"])

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
