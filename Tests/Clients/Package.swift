// swift-tools-version: 6.2
import PackageDescription

/// The same news app, as it is written for a library and for Depin.
///
/// The libraries cannot be fetched everywhere this is built, so `StandIns` declares what the app uses
/// of them.
func migration(
    _ library: String,
    standIn: String,
    furtherStandIns: [String] = []
) -> [Target] {
    [
        .target(
            name: standIn,
            path: "Migration/StandIns/\(standIn)",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "\(library)Before",
            dependencies: ["NewsServices", .byName(name: standIn)]
                + furtherStandIns.map { .byName(name: $0) },
            path: "Migration/\(library)/Before",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "\(library)After",
            dependencies: ["Depin", "NewsServices"] + [
                .product(name: "DepinTesting", package: "Depin")
            ],
            path: "Migration/\(library)/After"
        ),
    ]
}

// Code as Depin's users write it, built by `.ci/run clients` in each mode that their modules are
// in. `Shared` is part of all three clients, by a symbolic link, and `QuickStart` is the example.
// `Migration` has an app before and after it changes to Depin; its tests run both. `Wrappers` has the methods
// that apps add to a container and a resolver; `Overloads` has those that need DepinOverloads.
// `Mistakes` and `Warnings` belong to no target: they are compiled for the errors and warnings that
// they have.
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
        .testTarget(
            name: "MainActorTests",
            dependencies: ["Depin", .product(name: "DepinTesting", package: "Depin")],
            path: "MainActorTests",
            swiftSettings: [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)]
        ),
        .executableTarget(
            name: "MainActorQuickStart",
            dependencies: ["Depin", .product(name: "DepinInspection", package: "Depin")],
            path: "QuickStart",
            exclude: ["README.md"],
            swiftSettings: [
                .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self),
                .treatAllWarnings(as: .error),
            ]
        ),
        .target(name: "NewsServices", path: "Migration/App"),
        .target(
            name: "FactoryTesting",
            dependencies: ["FactoryKit"],
            path: "Migration/StandIns/FactoryTesting",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "SwinjectApp",
            dependencies: ["Depin", "NewsServices"],
            path: "Migration/Swinject",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "Wrappers",
            dependencies: ["Depin"],
            path: "Wrappers",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]
        ),
        .testTarget(
            name: "OverloadsSwift5",
            dependencies: ["Depin", .product(name: "DepinOverloads", package: "Depin")],
            path: "Overloads/Swift5",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]
        ),
        .testTarget(
            name: "OverloadsSwift6",
            dependencies: ["Depin", .product(name: "DepinOverloads", package: "Depin")],
            path: "Overloads/Swift6",
            swiftSettings: [
                .swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ]
        ),
        .testTarget(
            name: "OlderDepinApp",
            dependencies: ["Depin", "NewsServices"],
            path: "Migration/OlderDepin",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "Together",
            dependencies: ["Depin", "FactoryKit", "NewsServices", "Resolver"],
            path: "Migration/Together"
        ),
    ] + migration("Factory", standIn: "FactoryKit", furtherStandIns: ["FactoryTesting"])
        + migration("Resolver", standIn: "Resolver")
        + migration("Dependencies", standIn: "Dependencies")
)
