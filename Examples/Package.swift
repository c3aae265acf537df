// swift-tools-version: 6.2
// Programs on the library `Companion`, to read and to begin with. A package of its own, as yours would be:
// `swift build --package-path Examples`.
import PackageDescription

/// The rules of the main package.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let companion: Target.Dependency = .product(name: "Companion", package: "dockface")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "dockface", path: ".."),
        // For its signals only; the library itself needs it anyway.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // What every program needs and none is about: its command line, its lines, its end.
        .target(name: "ExampleSupport", dependencies: [companion, signals], swiftSettings: strict),
        .executableTarget(name: "dock-control", dependencies: [companion, "ExampleSupport"], swiftSettings: strict),
        .executableTarget(name: "custom-tracking", dependencies: [companion, "ExampleSupport"], swiftSettings: strict),
    ]
)
