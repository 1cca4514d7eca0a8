// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Depin", path: "../..")
    ],
    targets: [
        .target(name: "Operations", dependencies: [.product(name: "Depin", package: "Depin")]),
        .executableTarget(name: "Report", dependencies: ["Operations"]),
    ],
    swiftLanguageModes: [.v6]
)
