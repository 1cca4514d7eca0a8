#!/usr/bin/env python3
"""Makes the app of which a README shows the code, beside this package, and runs it.

A block of ```swift after `<!-- file: PATH -->` belongs to that file of the app, and so do those after it,
one below the other. A comment that begins with `swift` does, too: what a reader need not see. A block of
```text or ```mermaid after `<!-- printed -->` must stand in what the app prints, each after the one before; times, the
bars that show them and the numbers of lines may differ. Last, the app's tests run. Then all is done once more with the main
actor as the default isolation of the app and its tests, as Xcode makes new projects. There must be no
warning. The app's folder stands beside this repository, which has the name Depin there. See apps.py.
"""

import re
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


def likeness(text):
    """The lines of a text without what may differ: lengths of time, their bars, numbers of lines."""
    text = re.sub(r"\d+\.\d+ ms", "_ ms", re.sub(r"\.swift:\d+", ".swift:_", text))
    return re.sub(r"[█▒]+", "█", re.sub(r" +", " ", text)).splitlines()


def end_of(expected, lines):
    """The number of the lines up to the end of those that are expected; None where they do not stand there.

    What takes place at the same time may begin in any order.
    """
    order = sorted if any("_ ms" in line for line in expected) else list
    for end in range(len(expected), len(lines) + 1):
        if order(lines[end - len(expected):end]) == order(expected):
            return end
    return None


def read(path):
    """The text of each file of the app, and what it must print."""
    files, outputs = {}, []
    place = None
    for block in pages.blocks(path):
        place = pages.named("file", block.note) or place
        code = block.text
        if block.language is None and code.startswith("swift\n"):
            code = code.removeprefix("swift\n") + "\n"
        elif block.language in ("text", "mermaid") and block.note == "printed":
            outputs.append(code)
            continue
        elif block.language != "swift":
            continue
        if not place:
            sys.exit(f"{path}:{block.line}: this block belongs to no file:\n{code}")
        files.setdefault(place, []).append(code)
    if not outputs:
        sys.exit(f"{path}: nothing is printed")
    return {name: "\n".join(blocks) for name, blocks in files.items()}, outputs


def check(path, files, outputs):
    for name, text in files.items():
        (APP / name).parent.mkdir(parents=True, exist_ok=True)
        (APP / name).write_text(text, encoding="utf-8")
    build = run("swift build --build-tests", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if build.returncode != 0 or "warning: " in build.stdout:
        sys.exit(build.stdout)
    printed = run("swift run --skip-build MyApp", stdout=subprocess.PIPE).stdout
    rest = likeness(printed)
    for output in outputs:
        end = end_of(likeness(output), rest)
        if end is None:
            sys.exit(f"{path}: the app prints\n{printed}without, or not in this order,\n{output}")
        rest = rest[end:]
    run("swift test --skip-build")


def main():
    path = sys.argv[1]
    files, outputs = read(path)
    apps.prepare()
    check(path, files, outputs)
    manifest = "Package.swift"
    check(path, {**files, manifest: files[manifest] + apps.MAIN_ACTOR}, outputs)


main()
