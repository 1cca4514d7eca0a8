// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Depin",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Depin", targets: ["Depin"]),
        // For an app and its frameworks that share services: each of them would have a copy of its own.
        .library(name: "DepinDynamic", type: .dynamic, targets: ["Depin"]),
        .library(name: "DepinInspection", targets: ["DepinInspection"]),
        // For a module with overloads of `register` of its own, and no other.
        .library(name: "DepinOverloads", targets: ["DepinOverloads"]),
        .library(name: "DepinTesting", targets: ["DepinTesting"]),
    ],
    targets: [
        .target(name: "Depin"),
        .target(name: "DepinInspection", dependencies: ["Depin"]),
        .target(name: "DepinOverloads", dependencies: ["Depin"]),
        .target(name: "DepinTesting", dependencies: ["Depin", "DepinInspection"]),
        .executableTarget(
            name: "QuickStart",
            dependencies: ["Depin", "DepinInspection"],
            path: "Examples/QuickStart",
            exclude: ["README.md"]
        ),
        .executableTarget(
            name: "Previews",
            dependencies: ["Depin"],
            path: "Examples/Previews",
            exclude: ["README.md"]
        ),
        .target(
            name: "JournalDomain",
            dependencies: ["Depin"],
            path: "Examples/Journal/Domain"
        ),
        .target(
            name: "JournalSystem",
            dependencies: ["Depin", "JournalDomain"],
            path: "Examples/Journal/System"
        ),
        .target(
            name: "JournalStorage",
            dependencies: ["Depin", "JournalDomain", "JournalSystem"],
            path: "Examples/Journal/Storage"
        ),
        .target(
            name: "JournalMarkdown",
            dependencies: ["Depin", "JournalDomain"],
            path: "Examples/Journal/Markdown"
        ),
        .target(
            name: "JournalSession",
            dependencies: ["Depin", "JournalDomain"],
            path: "Examples/Journal/Session"
        ),
        .executableTarget(
            name: "Journal",
            dependencies: [
                "Depin", "JournalDomain", "JournalMarkdown", "JournalSession", "JournalStorage",
                "JournalSystem",
            ],
            path: "Examples/Journal/App"
        ),
        .executableTarget(
            name: "LaunchTime",
            dependencies: ["Depin"],
            path: "Examples/LaunchTime",
            exclude: ["README.md"]
        ),
        // The tests have no main thread on Linux.
        .executableTarget(
            name: "MainThread",
            dependencies: ["Depin", "DepinInspection"],
            path: "Tests/MainThread"
        ),
        .testTarget(
            name: "DepinSpecificationTests",
            dependencies: ["Depin", "DepinInspection"],
            exclude: ["Errors/Golden"]
        ),
        .testTarget(name: "DepinTests", dependencies: ["Depin", "DepinInspection"]),
        .testTarget(
            name: "DepinInspectionTests",
            dependencies: ["Depin", "DepinInspection", "DepinTesting"]
        ),
        .testTarget(name: "DepinOverloadsTests", dependencies: ["Depin", "DepinOverloads"]),
        .testTarget(name: "DepinTestingTests", dependencies: ["Depin", "DepinTesting"]),
        .testTarget(name: "DepinXCTests", dependencies: ["Depin"]),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "Depin", "DepinInspection", "DepinTesting", "QuickStart", "Previews", "LaunchTime",
                "MainThread", "Journal", "JournalDomain", "JournalMarkdown", "JournalSession",
                "JournalStorage", "JournalSystem",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// `.ci/run` sets this where it optimizes the library: to optimize the specification's tests takes longer
// than to optimize everything else. The tests of the other targets stay optimized callers.
if Context.environment["DEPIN_PLAIN_SPECIFICATION"] != nil {
    for target in package.targets where target.name == "DepinSpecificationTests" {
        target.swiftSettings = [
            .unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"])
        ]
    }
}
