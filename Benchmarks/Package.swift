// swift-tools-version: 6.2
// The harness for the benchmarks, which measure dockface from outside. `Benchmarks/run` builds and starts it.
import PackageDescription

/// The compiler settings of the main package.
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
