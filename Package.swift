// swift-tools-version: 6.2
// The target table is the architecture: an arrow here is an import that a test (Tests/Layout) allows. See ARCHITECTURE.md.
import PackageDescription

/// One set of rules for all Swift code: language mode 6, explicit imports and existentials, warnings are errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Deliberate bugs that the simulation must find; compiled in for that build only (see scripts/simulate).
let mutants: [SwiftSetting] = Context.environment["DOCKFACE_MUTANTS"] == nil ? [] : [.define("SAFETY_MUTANTS")]

/// Modules whose tests compute for minutes are optimised in debug builds, too, with their assertions. SwiftPM does not allow
/// this in a package that another one fetches. DOCKFACE_DEBUG=1 leaves it out, for a debugger.
let fast: [SwiftSetting] =
    Context.packageDirectory.contains("/checkouts/") || Context.environment["DOCKFACE_DEBUG"] != nil
    ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let toml: Target.Dependency = .product(name: "TOMLKit", package: "TOMLKit")

let package = Package(
    name: "dockface",
    products: [
        .executable(name: "dockface", targets: ["dockface"]),
        // A session to embed, with the modules whose values it speaks.
        .library(
            name: "Companion",
            targets: ["Companion", "ControlProtocol", "DockControl", "DockTypes", "FaceTracker", "Geometry"]),
        // The same in DockKit's own types, which need Foundation: for ports of apps.
        .library(name: "CompanionDockKit", targets: ["CompanionDockKit"]),
        // The face alone, for a program of your own.
        .library(name: "RobotFace", targets: ["RobotFace"]),
        // What a program beside the daemon shares with it.
        .library(name: "DockTypes", targets: ["DockTypes"]),
        .library(name: "PlainText", targets: ["PlainText"]),
        .library(name: "Processes", targets: ["Processes"]),
        .library(name: "Geometry", targets: ["Geometry"]),
        .library(name: "Files", targets: ["Files"]),
        .library(name: "ControlProtocol", targets: ["ControlProtocol"]),
        .library(name: "DockClient", targets: ["DockClient"]),
        .library(name: "PictureShare", targets: ["PictureShare"]),
        .library(name: "SpatialModel", targets: ["SpatialModel"]),
        // A fake daemon, for tests of what is written against the daemon.
        .library(name: "DockTestKit", targets: ["DockTestKit"]),
        .library(name: "DockWire", targets: ["DockWire"]),
        .library(name: "DockFirmware", targets: ["DockFirmware"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // What the system gives.
        .systemLibrary(name: "CSerialPort", pkgConfig: "libserialport", providers: [.apt(["libserialport-dev"])]),
        .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        .target(name: "CPosix", cSettings: [.treatAllWarnings(as: .error)]),

        // Plain values.
        .target(name: "Geometry", swiftSettings: strict + fast),
        // A head in a room: where its camera is and looks, and what it sees of a place.
        .target(name: "SpatialModel", dependencies: ["Geometry"], swiftSettings: strict + fast),
        // Text from outside, made safe to show.
        .target(name: "PlainText", swiftSettings: strict + fast),
        // Charts over time as SVG.
        .target(name: "Plotting", swiftSettings: strict),

        // The dock's own wire protocol and behaviour; both also compile as Embedded Swift.
        .target(name: "DockWire", swiftSettings: strict + fast),
        .target(name: "DockFirmware", dependencies: ["DockWire"], swiftSettings: strict + fast),

        // Errors and modes of a dock: what every program that speaks of one must be able to say.
        .target(name: "DockTypes", dependencies: ["PlainText"], swiftSettings: strict),
        // Files that people write (rows of TOML) and files that programs keep.
        .target(
            name: "Files", dependencies: ["DockTypes", "PlainText", "CPosix", toml], swiftSettings: strict),

        // The control API as data: JSON, lines, errors, and one table of methods and topics.
        .target(
            name: "ControlProtocol", dependencies: ["DockTypes", "Geometry", "PlainText"], swiftSettings: strict + fast),

        // Programs that work for us: started, watched, started again.
        .target(name: "Processes", dependencies: ["Geometry", "PlainText", "CPosix"], swiftSettings: strict),

        // The connection of a program to the daemon.
        .target(
            name: "DockClient",
            dependencies: [
                "ControlProtocol", "DockTypes", "Files", "Geometry", "PictureShare", "Processes", "CPosix",
            ],
            swiftSettings: strict),
        // A fake daemon for tests of clients and extensions.
        .target(
            name: "DockTestKit", dependencies: ["ControlProtocol", "DockTypes", "Geometry", "Processes", "CPosix"],
            swiftSettings: strict),
        // Pictures for other processes, which can only read them.
        .target(name: "PictureShare", dependencies: ["Geometry", "Processes", "CPosix"], swiftSettings: strict),

        // The domains, which do not know each other.
        .target(
            name: "DockControl",
            dependencies: ["DockTypes", "Geometry", "PlainText", "DockWire", "CSerialPort", "CUdev", "CPosix"],
            swiftSettings: strict + fast + mutants),
        .target(
            name: "FaceTracker", dependencies: ["Geometry", "PlainText", "Processes", "CPosix"],
            swiftSettings: strict + fast),
        .target(
            name: "Camera", dependencies: ["Geometry", "PictureShare", "PlainText", "Processes", "CPosix"],
            swiftSettings: strict),
        .target(name: "RobotFace", dependencies: ["Geometry", "Processes", "CPosix"], swiftSettings: strict + fast),

        // A dock and a camera without hardware.
        .target(
            name: "DockSimulator",
            dependencies: [
                "ControlProtocol", "Geometry", "DockWire", "DockFirmware", "DockControl", "FaceTracker", "CPosix",
            ],
            swiftSettings: strict + fast),

        // The session: brings the domains together.
        .target(
            name: "Companion",
            dependencies: [
                "ControlProtocol", "DockClient", "DockTypes", "Files", "Geometry", "PlainText", "DockControl",
                "FaceTracker", "RobotFace", "Camera", "PictureShare", "SpatialModel", "Processes", "CPosix", logging,
                lifecycle, signals, toml,
            ],
            swiftSettings: strict + mutants),
        // The library in DockKit's types. The daemon does without it, and so without the whole of Foundation.
        .target(name: "CompanionDockKit", dependencies: ["Companion", "Geometry"], swiftSettings: strict),
        // The whole daemon in virtual time, under faults, from a seed; and the program that tells its stories.
        .target(
            name: "DaemonSimulation",
            dependencies: [
                "Companion", "DockSimulator", "DockControl", "DockTypes", "DockWire", "FaceTracker", "RobotFace",
                "Geometry",
            ],
            swiftSettings: strict + fast + mutants),
        .executableTarget(
            name: "simulate-stories", dependencies: ["DaemonSimulation", "DockControl", arguments],
            swiftSettings: strict + mutants),
        // The tracking loop against a simulated rig and camera, in virtual time or live, and the program that prints its table.
        .target(
            name: "ServoTrials",
            dependencies: [
                "Companion", "ControlProtocol", "DockSimulator", "DockControl", "DockTypes", "FaceTracker", "Geometry",
                "Plotting", "Processes", "CPosix",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "servo-trials", dependencies: ["ServoTrials", "DockSimulator", "Geometry", "Plotting", arguments],
            swiftSettings: strict),
        // What drawing a face costs; started by Benchmarks/face/run.
        .executableTarget(
            name: "face-figures", dependencies: ["RobotFace", "Geometry", "CPosix"], path: "Benchmarks/face/Sources",
            swiftSettings: strict),
        .executableTarget(
            name: "dockface",
            dependencies: [
                "Companion", "ControlProtocol", "DockClient", "DockSimulator", "DockTypes", "Files", "Geometry",
                "PlainText", "DockControl", "FaceTracker", "RobotFace", "Camera", "PictureShare", "Processes", "CPosix",
                "Plotting", "ServoTrials", arguments,
            ],
            swiftSettings: strict),

        // Tests: one folder per target, what they share in Support.
        .target(
            name: "TestSupport",
            dependencies: ["Geometry", "DockControl", "DockSimulator", "Processes", "CPosix"], path: "Tests/Support",
            swiftSettings: strict),
        .testTarget(name: "LayoutTests", path: "Tests/Layout", swiftSettings: strict),
        .testTarget(name: "GeometryTests", dependencies: ["Geometry"], swiftSettings: strict),
        .testTarget(name: "SpatialModelTests", dependencies: ["SpatialModel", "Geometry"], swiftSettings: strict),
        .testTarget(name: "PlainTextTests", dependencies: ["PlainText"], swiftSettings: strict),
        .testTarget(name: "FilesTests", dependencies: ["Files", "DockTypes", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "ControlProtocolTests", dependencies: ["ControlProtocol", "Geometry"], swiftSettings: strict),
        .testTarget(
            name: "DockClientTests", dependencies: ["DockClient", "ControlProtocol", "DockTypes", "Geometry"],
            swiftSettings: strict),
        .testTarget(
            name: "DockTestKitTests", dependencies: ["DockTestKit", "ControlProtocol", "DockClient", "DockTypes"],
            swiftSettings: strict),
        .testTarget(name: "PlottingTests", dependencies: ["Plotting"], swiftSettings: strict),
        .testTarget(
            name: "DockWireTests", dependencies: ["DockWire", "TestSupport"], resources: [.copy("Fixtures")],
            swiftSettings: strict),
        .testTarget(
            name: "DockFirmwareTests", dependencies: ["DockFirmware", "DockWire", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "DockControlTests",
            dependencies: [
                "DockControl", "DockTypes", "DockWire", "Geometry", "DockSimulator", "DaemonSimulation", "TestSupport",
                "CPosix",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ProcessesTests", dependencies: ["Processes", "Geometry", "TestSupport", "CPosix"],
            swiftSettings: strict),
        .testTarget(
            name: "PictureShareTests", dependencies: ["PictureShare", "Geometry", "Processes", "CPosix"],
            swiftSettings: strict),
        .testTarget(
            name: "FaceTrackerTests", dependencies: ["FaceTracker", "Processes", "Geometry", "TestSupport", "CPosix"],
            swiftSettings: strict),
        .testTarget(
            name: "CameraTests", dependencies: ["Camera", "Geometry", "PictureShare"], swiftSettings: strict),
        .testTarget(
            name: "RobotFaceTests", dependencies: ["RobotFace", "Geometry", "TestSupport", "CPosix"],
            resources: [.copy("Fixtures")], swiftSettings: strict),
        .testTarget(
            name: "DockSimulatorTests",
            dependencies: [
                "DockSimulator", "DockControl", "FaceTracker", "DockWire", "Geometry",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CompanionTests",
            dependencies: [
                "Companion", "CompanionDockKit", "ControlProtocol", "DockClient", "DockControl", "DockTypes", "Files",
                "DockSimulator", "PictureShare", "SpatialModel", "Camera", "FaceTracker", "RobotFace", "Processes",
                "Geometry", "TestSupport", "CPosix",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ServoTrialsTests",
            dependencies: [
                "ServoTrials", "DockSimulator", "DockControl", "DockTypes", "Companion", "Geometry", "Plotting",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DaemonSimulationTests", dependencies: ["DaemonSimulation", "Companion", "DockControl"],
            swiftSettings: strict),
        // The built program from outside: terminals, signals, cables.
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "dockface", "Companion", "ControlProtocol", "DockClient", "DockSimulator", "DockControl", "DockTypes",
                "Files",
                "DockWire", "Geometry", "ServoTrials", "TestSupport", "CPosix",
            ],
            swiftSettings: strict),
    ]
)
