// swift-tools-version: 6.2
import PackageDescription

// The construction protocol alone, and the tests that walk through every order of its steps, for the step
// `ledger` of `run`: optimized that takes a minute, unoptimized or under a sanitizer ten.
let package = Package(
    name: "Ledger",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Depin"),
        .testTarget(name: "DepinTests", dependencies: ["Depin"]),
    ],
    swiftLanguageModes: [.v6]
)
