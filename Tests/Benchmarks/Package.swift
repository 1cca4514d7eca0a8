// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Depin", path: "../.."),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        // The operations and their floors, each a loop.
        .target(
            name: "Operations",
            dependencies: [
                .product(name: "Depin", package: "Depin"),
                .product(name: "DepinTesting", package: "Depin"),
            ]
        ),
        // Measures time, each row in a process of its own.
        .executableTarget(
            name: "Suite",
            dependencies: ["Operations", .product(name: "Benchmark", package: "benchmark")],
            path: "Benchmarks/Suite",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        // Measures time, all rows in turns, and runs loops for others.
        .executableTarget(name: "Report", dependencies: ["Operations"]),
        // Counts allocations and bytes.
        .executableTarget(name: "Counts", dependencies: ["CAllocations", "Operations"]),
        .target(name: "CAllocations"),
    ],
    swiftLanguageModes: [.v6]
)
