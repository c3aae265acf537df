// swift-tools-version: 6.2
// Programs beside the daemon, which know it only by its public interface. This is a separate package, so that the
// daemon's build never waits for what they need: `swift build --package-path Extensions`.
import PackageDescription

/// The compiler settings of the main package.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

/// A module that the main package offers.
func core(_ name: String) -> Target.Dependency { .product(name: name, package: "dockface") }

let package = Package(
    name: "Extensions",
    dependencies: [
        .package(name: "dockface", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // What every extension shares: options, settings, log, signals, the wait for the daemon, reports to it.
        .target(
            name: "ExtensionKit",
            dependencies: [
                core("ControlProtocol"), core("DockClient"), core("DockTypes"), core("Files"), core("Geometry"),
                core("PlainText"), arguments,
            ],
            swiftSettings: strict),

        // Keeps what happens, in daily files.
        .target(
            name: "EventLog",
            dependencies: [
                "ExtensionKit", core("ControlProtocol"), core("DockClient"), core("DockTypes"), core("Files"),
                core("Geometry"), core("PlainText"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "dockface-log",
            dependencies: [
                "EventLog", "ExtensionKit", core("ControlProtocol"), core("DockTypes"), core("Files"), core("Geometry"),
                arguments,
            ],
            exclude: ["log.toml"], swiftSettings: strict),

        // What a person does at a gamepad means for the head: mappings, sticks, and the rules of safety; pure.
        .target(name: "Gamepad", dependencies: [core("Geometry")], swiftSettings: strict),
        // Input devices of the kernel.
        .target(name: "CEventDevice", cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "EventDevice", dependencies: ["Gamepad", "CEventDevice", core("DockTypes")], swiftSettings: strict),
        .executableTarget(
            name: "dockface-pad",
            dependencies: [
                "EventDevice", "ExtensionKit", "Gamepad", core("ControlProtocol"), core("DockClient"),
                core("DockTypes"), core("Files"), core("Geometry"), arguments,
            ],
            exclude: ["pad.toml"], swiftSettings: strict),

        // Tests: one folder per target.
        .testTarget(name: "LayoutTests", swiftSettings: strict),
        .testTarget(
            name: "ExtensionKitTests",
            dependencies: [
                "ExtensionKit", core("ControlProtocol"), core("DockClient"), core("DockTypes"), core("Files"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EventLogTests",
            dependencies: [
                "EventLog", "ExtensionKit", "dockface-log", core("ControlProtocol"), core("DockClient"),
                core("DockTypes"), core("Files"), core("Geometry"),
            ],
            swiftSettings: strict),
        .testTarget(name: "GamepadTests", dependencies: ["Gamepad", core("Geometry")], swiftSettings: strict),
        // A pad that only the kernel's uinput can make.
        .target(
            name: "CVirtualPad", path: "Tests/EventDeviceTests/CVirtualPad", cSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "EventDeviceTests",
            dependencies: [
                "EventDevice", "CEventDevice", "CVirtualPad", "Gamepad", "dockface-pad", "ExtensionKit",
                core("ControlProtocol"), core("DockClient"), core("DockTypes"), core("Files"), core("Geometry"),
            ],
            exclude: ["CVirtualPad"], swiftSettings: strict),
    ]
)
