// swift-tools-version: 6.2
import PackageDescription

// The library and the random programs alone, for the step `model` of `run`: built with optimizations and
// a sanitizer, all targets would take several times as long.
let package = Package(
    name: "Model",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Depin"),
        .testTarget(
            name: "DepinTests",
            dependencies: ["Depin"],
            sources: ["Model", "Threads/SeededGenerator.swift", "Threads/Threads.swift"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
