// swift-tools-version: 6.2
import PackageDescription

// The program whose messages the article "When something is missing" shows; walkthrough.py runs it.
let package = Package(
    name: "News",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Depin", path: "../Depin")],
    targets: [
        .executableTarget(
            name: "News",
            dependencies: ["Depin", .product(name: "DepinInspection", package: "Depin")]
        )
    ]
)
