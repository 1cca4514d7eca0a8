// swift-tools-version: 6.2
import PackageDescription

// Two libraries that are loaded at run time, each with a copy of Depin, and a program with one of its own.
// `.ci/run copies` runs it.
let package = Package(
    name: "TwoCopies",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "One", type: .dynamic, targets: ["One"]),
        .library(name: "Other", type: .dynamic, targets: ["Other"]),
    ],
    dependencies: [.package(name: "Depin", path: "../..")],
    targets: [
        .target(name: "One", dependencies: [.product(name: "Depin", package: "Depin")]),
        .target(name: "Other", dependencies: [.product(name: "Depin", package: "Depin")]),
        .executableTarget(
            name: "Program",
            dependencies: [.product(name: "DepinInspection", package: "Depin")]
        ),
        .executableTarget(
            name: "SharedProgram",
            dependencies: [.product(name: "DepinDynamic", package: "Depin")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
