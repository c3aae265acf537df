// swift-tools-version: 6.2
// Example programs for the libraries `Companion` and `CompanionDockKit`. This is a separate package, like your own:
// `swift build --package-path Examples`.
import PackageDescription

/// The compiler settings of the main package.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let companion: Target.Dependency = .product(name: "Companion", package: "dockface")
let dockKit: Target.Dependency = .product(name: "CompanionDockKit", package: "dockface")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")

let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "dockface", path: ".."),
        // Only for its signals; the library needs the package anyway.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The parts that every program needs: command line, input lines, shutdown.
        .target(name: "ExampleSupport", dependencies: [companion, signals], swiftSettings: strict),
        .executableTarget(name: "dock-control", dependencies: [companion, "ExampleSupport"], swiftSettings: strict),
        // Written for DockKit's own interface; only the imports differ from an app for a phone.
        .executableTarget(name: "dockkit-app", dependencies: [dockKit, "ExampleSupport"], swiftSettings: strict),
        // Sees the camera's pictures beside a running daemon.
        .executableTarget(
            name: "save-pictures",
            dependencies: [
                .product(name: "DockClient", package: "dockface"), .product(name: "PictureShare", package: "dockface"),
                .product(name: "Geometry", package: "dockface"),
            ], swiftSettings: strict),
        // Lives beside a running daemon: topics, calls, a layer.
        .executableTarget(
            name: "greet-visitors", dependencies: [.product(name: "DockClient", package: "dockface")],
            swiftSettings: strict),
        .executableTarget(name: "custom-tracking", dependencies: [companion, "ExampleSupport"], swiftSettings: strict),
    ]
)
