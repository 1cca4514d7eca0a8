// swift-tools-version: 6.2
import PackageDescription

// Code as Depin's users write it, built by `.ci/run clients` in each mode that their modules are
// in. `Shared` is part of all three clients, by a symbolic link.
//
// The Swift 5 client builds without a warning, the others with at most those about `@Sendable`.
let package = Package(
    name: "Clients",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "Depin", path: "../..")],
    targets: [
        .target(
            name: "Swift5Client",
            dependencies: ["Depin"],
            path: "Swift5Client",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]
        ),
        .target(
            name: "Swift6Client",
            dependencies: ["Depin"],
            path: "Swift6Client",
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .target(
            name: "MainActorClient",
            dependencies: ["Depin"],
            path: "MainActorClient",
            swiftSettings: [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]
        ),
    ]
)
