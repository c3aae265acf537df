// swift-tools-version: 6.2
// What dockface costs, measured from outside: this package builds the harness only. Start it with `Benchmarks/run`.
import PackageDescription

/// The rules of the main package.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "Benchmarks",
    targets: [
        .target(name: "CMeasure", cSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(name: "measure", dependencies: ["CMeasure"], swiftSettings: strict),
    ]
)
