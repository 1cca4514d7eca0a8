"""Where the packages are built that stand in Markdown files: side by side, beside this repository.

Packages that find the library at the same path, and build in the same folder, compile it once.
"""

import os
import pathlib
import shutil

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".build/ci-apps"
BUILD = FOLDER / ".build"
# SwiftPM builds there, whatever package a command is for.
ENVIRONMENT = {**os.environ, "SWIFTPM_BUILD_DIR": str(BUILD)}
# What a manifest ends with whose modules have the main actor as their default isolation, and no warning.
MAIN_ACTOR = """
for target in package.targets {
    target.swiftSettings = [.defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)]
}
"""


def prepare():
    """Leaves nothing in the folder but this repository, under the name Depin, and what has been built."""
    BUILD.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.iterdir():
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path != BUILD:
            shutil.rmtree(path)
    (FOLDER / "Depin").symlink_to(ROOT)
