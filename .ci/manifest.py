#!/usr/bin/env python3
"""Makes an app of the package manifest in a Markdown file, beside this package, and builds it.

The manifest is the one block of ```swift with `Package(` in it. It names this package by path.
"""

import pathlib
import re
import shutil
import subprocess
import sys

text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
manifests = [b for b in re.findall(r"^```swift\n(.*?)^```$", text, re.M | re.S) if "Package(" in b]
if len(manifests) != 1:
    sys.exit(f"{sys.argv[1]}: {len(manifests)} package manifests, not one")
manifest = manifests[0]
target = re.search(r'Target\(\s*name: "(\w+)"', manifest)[1]

folder = pathlib.Path(".build/ci-app").absolute()
shutil.rmtree(folder / target, ignore_errors=True)
sources = folder / target / "Sources" / target
sources.mkdir(parents=True)
(folder / target / "Package.swift").write_text(manifest, encoding="utf-8")
(sources / "main.swift").write_text("import Depin\nprint(Container())\n", encoding="utf-8")
link = folder / "Depin"
if not link.exists():
    link.symlink_to(pathlib.Path.cwd())

command = ["timeout", "--kill-after=10", "900", "swift", "run", "--package-path", str(folder / target), "--scratch-path",
           str(folder / "build"), target]
print("---", " ".join(command), flush=True)
subprocess.run(command, check=True)
