#!/usr/bin/env python3
"""Depends on this package as its users do: from another package, by an address and a version.

The tracked files, as they are now, become a repository with the tag of a release. An app depends on it by
`file://` and that version, builds and runs in debug and release mode, and its test runs. No other package
may come along.
"""

import json
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".build/ci-package"
VERSION = "1.0.0"

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "%s", from: "%s")
    ],
    targets: [
        .executableTarget(name: "App", dependencies: ["Depin"]),
        .testTarget(
            name: "AppTests",
            dependencies: ["App", .product(name: "DepinTesting", package: "Depin")]
        ),
    ]
)
"""

APP = """import Depin

struct Greeter: Sendable {
    let name: String

    var greeting: String { "Hello, \\(name)." }
}

struct GreetingAssembly: Assembly {
    func assemble(container: Container) {
        container.register(String.self) { "Ada" }
        container.autoregister(Greeter.self, initializer: Greeter.init)
    }
}

struct Screen {
    @Injected var greeter: Greeter
}

@main
enum App {
    static func main() {
        SpaceValues.current.dependenciesAssembler.apply { GreetingAssembly() }
        print(Screen().greeter.greeting)
    }
}
"""

TEST = """import Depin
import DepinTesting
import Testing

@testable import App

@Suite(.assemblies { GreetingAssembly() })
struct AppTests {
    @Test(.overriding { $0.register(String.self) { "Grace" } })
    func `greets whom the test names`() {
        #expect(Screen().greeter.greeting == "Hello, Grace.")
    }
}
"""


def run(*command, folder, **options):
    print("---", *command, flush=True)
    return subprocess.run(["timeout", "--kill-after=10", "900", *command], cwd=folder, check=True,
                          stdin=subprocess.DEVNULL, encoding="utf-8", **options)


def output(*command, folder):
    return run(*command, folder=folder, stdout=subprocess.PIPE).stdout


def release(folder):
    """Makes a repository of the tracked files, with a tag."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    for name in tracked.stdout.decode().split("\0"):
        source = ROOT / name
        if name and (source.is_symlink() or source.exists()):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, folder / name, follow_symlinks=False)
    git = ["git", "-c", "user.name=CI", "-c", "user.email=ci@localhost", "-c", "commit.gpgsign=false"]
    run(*git, "init", "--quiet", folder=folder)
    run(*git, "add", "--all", "--force", folder=folder)
    run(*git, "commit", "--quiet", "--message", VERSION, folder=folder)
    run(*git, "tag", VERSION, folder=folder)


def main():
    library, app = FOLDER / "Depin", FOLDER / "App"
    shutil.rmtree(FOLDER, ignore_errors=True)
    for folder in (library, app / "Sources/App", app / "Tests/AppTests"):
        folder.mkdir(parents=True)
    release(library)
    (app / "Package.swift").write_text(MANIFEST % (library.as_uri(), VERSION))
    (app / "Sources/App/App.swift").write_text(APP)
    (app / "Tests/AppTests/AppTests.swift").write_text(TEST)
    # The cache that packages share would keep a clone of each run.
    swift = lambda verb, *rest: ["swift", verb, "--disable-dependency-cache", *rest]
    tree = json.loads(output(*swift("package", "show-dependencies", "--format", "json"), folder=app))
    found = [(package["identity"], package["version"], package["dependencies"])
             for package in tree["dependencies"]]
    if found != [("depin", VERSION, [])]:
        raise SystemExit(f"the app depends on {found}")
    for mode in ("debug", "release"):
        printed = output(*swift("run", "-c", mode, "App"), folder=app)
        if printed != "Hello, Ada.\n":
            raise SystemExit(f"in {mode} mode the app prints {printed!r}")
    run(*swift("test"), folder=app)


main()
