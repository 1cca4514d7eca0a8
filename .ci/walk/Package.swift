// swift-tools-version: 6.2
import PackageDescription

// The slots and the waits alone, and the tests that walk through every order of their steps, for the step
// `walk` of `run`: optimized that takes a minute, unoptimized or under a sanitizer ten.
let package = Package(
    name: "Walk",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Depin"),
        .testTarget(name: "DepinTests", dependencies: ["Depin"]),
    ],
    swiftLanguageModes: [.v6]
)
