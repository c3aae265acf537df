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

/// Modules whose tests compute for minutes are optimised in debug builds, too, with their assertions. DOCKFACE_DEBUG=1
/// leaves it out, for a debugger.
let fast: [SwiftSetting] =
    Context.environment["DOCKFACE_DEBUG"] != nil
    ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")

/// A module of SwiftNIO.
func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }

/// A module that the main package offers.
func core(_ name: String) -> Target.Dependency { .product(name: name, package: "dockface") }

let package = Package(
    name: "Extensions",
    dependencies: [
        .package(name: "dockface", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
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
        .target(name: "Gamepad", dependencies: [core("Geometry")], swiftSettings: strict + fast),
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

        // What the hands of a person mean for the head: shapes, confidence, the clutch, and what protects; pure.
        .target(name: "Gestures", dependencies: [core("Geometry")], swiftSettings: strict + fast),
        .executableTarget(
            name: "dockface-gesture",
            dependencies: [
                "ExtensionKit", "Gestures", core("ControlProtocol"), core("DockClient"), core("DockTypes"),
                core("Geometry"), arguments,
            ],
            exclude: ["gesture.toml"], swiftSettings: strict),

        // JPEG.
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .target(name: "JPEGCodec", dependencies: ["CTurboJPEG", "Codecs"], swiftSettings: strict),
        // Depth as PNG.
        .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .target(name: "DepthCodec", dependencies: ["CDeflate", "Codecs"], swiftSettings: strict + fast),
        // Pictures as bytes: planes, mosaics, depth. Pure.
        .target(name: "Codecs", dependencies: [core("Geometry")], swiftSettings: strict + fast),
        // Which part of a picture must be covered before it is kept or sent. Pure.
        .target(
            name: "FacePrivacy", dependencies: ["Codecs", core("ControlProtocol"), core("Geometry")],
            swiftSettings: strict + fast),
        // Video in chunks: their borders, names, files, budget and encoder.
        .target(
            name: "VideoRecorder",
            dependencies: [
                "Codecs", "FacePrivacy", core("DockTypes"), core("Files"), core("Geometry"), core("PlainText"),
                core("Processes"),
            ],
            swiftSettings: strict),
        // The way of chunks to the server that their owner has chosen.
        .target(
            name: "VideoUpload",
            dependencies: [
                "AllSpark", "Networking", "VideoRecorder", core("ControlProtocol"), core("DockTypes"), core("Files"),
                core("Geometry"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "dockface-record",
            dependencies: [
                "AllSpark", "Codecs", "ExtensionKit", "FacePrivacy", "Networking", "VideoRecorder", "VideoUpload",
                core("ControlProtocol"), core("DockClient"), core("DockTypes"), core("Files"), core("Geometry"),
                core("PictureShare"), core("Processes"), arguments,
            ],
            exclude: ["record.toml"], swiftSettings: strict),
        // The protocol of an AllSpark server. Pure.
        .target(
            name: "AllSpark", dependencies: [core("ControlProtocol"), core("Geometry"), core("PlainText")],
            swiftSettings: strict + fast),
        // The messages and the signatures of an Aerie server. Pure.
        .target(
            name: "Aerie",
            dependencies: [
                core("ControlProtocol"), core("DockTypes"), core("Files"), core("Geometry"), core("PlainText"),
                core("SpatialModel"), crypto,
            ],
            swiftSettings: strict + fast),
        // Pictures with the place of their camera, sent to the server that their owner has chosen.
        .target(
            name: "Uplink",
            dependencies: [
                "Aerie", "Codecs", "Networking", core("ControlProtocol"), core("DockTypes"), core("Files"),
                core("Geometry"), core("SpatialModel"),
            ],
            swiftSettings: strict + fast),
        // Files of pictures, transforms and people for other people's programs: MCAP, with Foxglove's schemas.
        .target(
            name: "SpatialLog",
            dependencies: [
                "CDeflate", "Codecs", "JPEGCodec", core("DockTypes"), core("Files"), core("Geometry"),
                core("Processes"), core("SpatialModel"),
            ],
            swiftSettings: strict + fast),
        // Pictures to a media server, by ffmpeg.
        .target(
            name: "LiveStream",
            dependencies: ["Codecs", crypto, core("DockTypes"), core("Geometry"), core("Processes")],
            swiftSettings: strict),
        .executableTarget(
            name: "dockface-uplink",
            dependencies: [
                "Aerie", "Codecs", "ExtensionKit", "JPEGCodec", "LiveStream", "Networking", "SpatialLog", "Uplink",
                core("ControlProtocol"), core("DockClient"), core("DockTypes"), core("Files"), core("Geometry"),
                core("PictureShare"), core("Processes"), core("SpatialModel"), arguments,
            ],
            exclude: ["uplink.toml"], swiftSettings: strict),
        // What an operator's hand does to the head: commands as text, and the rules of safety; pure.
        .target(name: "Teleop", dependencies: [core("Geometry"), core("PlainText")], swiftSettings: strict + fast),
        .executableTarget(
            name: "dockface-teleop",
            dependencies: [
                "ExtensionKit", "Networking", "Teleop", core("ControlProtocol"), core("DockClient"),
                core("DockTypes"), core("Files"), core("Geometry"), core("Processes"), arguments,
            ],
            exclude: ["teleop.toml"], swiftSettings: strict),
        // A search for a thing with a head that turns. Pure, except the file of the memory.
        .target(
            name: "ThingFinder",
            dependencies: [
                core("ControlProtocol"), core("DockTypes"), core("Files"), core("Geometry"), core("PlainText"),
                core("SpatialModel"),
            ],
            swiftSettings: strict + fast),
        .executableTarget(
            name: "dockface-find",
            dependencies: [
                "Codecs", "ExtensionKit", "JPEGCodec", "ThingFinder", core("ControlProtocol"), core("DockClient"),
                core("DockTypes"), core("Files"), core("Geometry"), core("PictureShare"), core("Processes"),
                core("SpatialModel"), arguments,
            ],
            exclude: ["find.toml"], swiftSettings: strict),
        // What a voice says and plays, and when: rules, words, sounds, and the talk with Speech Dispatcher. Pure.
        .target(
            name: "Voice", dependencies: [core("ControlProtocol"), core("Geometry")], swiftSettings: strict + fast),
        .executableTarget(
            name: "dockface-voice",
            dependencies: [
                "ExtensionKit", "Voice", core("ControlProtocol"), core("DockClient"), core("DockTypes"), core("Files"),
                core("Geometry"), core("Processes"), arguments,
            ],
            exclude: ["voice.toml"], swiftSettings: strict),
        // A server for the robots of a room: who is accepted, and where people are.
        .target(
            name: "Room",
            dependencies: [
                "Aerie", "Networking", core("ControlProtocol"), core("DockTypes"), core("Geometry"),
                core("PlainText"), core("Processes"), core("SpatialModel"),
            ],
            swiftSettings: strict + fast),
        .executableTarget(
            name: "dockface-room",
            dependencies: [
                "Aerie", "ExtensionKit", "Networking", "Room", core("ControlProtocol"), core("DockTypes"),
                core("Files"), arguments,
            ],
            exclude: ["room.toml"], swiftSettings: strict),
        // Streams of pictures with depth: their forms, what the samples mean, who sends, how far a face is. Pure.
        .target(
            name: "DepthStream",
            dependencies: ["Codecs", core("ControlProtocol"), core("DockTypes"), core("Geometry")],
            swiftSettings: strict + fast),
        // Depth cameras of the kernel.
        .target(name: "CDepthCamera", cSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "dockface-depth",
            dependencies: [
                "CDepthCamera", "Codecs", "DepthCodec", "DepthStream", "ExtensionKit", "JPEGCodec", "Networking",
                core("ControlProtocol"), core("DockClient"),
                core("DockTypes"), core("Files"), core("Geometry"), core("PictureShare"), core("PlainText"), arguments,
            ],
            exclude: ["depth.toml"], swiftSettings: strict),
        // Connections to other machines: WebSocket, plain bytes, TLS with pins, mDNS.
        .target(
            name: "Networking",
            dependencies: [
                crypto, core("DockTypes"), core("Geometry"), core("PlainText"), nio("NIOCore"), nio("NIOPosix"),
                nio("NIOHTTP1"), nio("NIOWebSocket"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict + fast),

        // Tests: one folder per target.
        .testTarget(name: "LayoutTests", swiftSettings: strict),
        .testTarget(
            name: "ExtensionKitTests",
            dependencies: [
                "ExtensionKit", core("ControlProtocol"), core("DockClient"), core("DockTestKit"), core("DockTypes"),
                core("Files"), core("Geometry"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EventLogTests",
            dependencies: [
                "EventLog", "ExtensionKit", "dockface-log", core("ControlProtocol"), core("DockClient"),
                core("DockTestKit"), core("DockTypes"), core("Files"), core("Geometry"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GamepadTests", dependencies: [core("DockTestKit"), "Gamepad", core("Geometry")],
            swiftSettings: strict),
        .testTarget(
            name: "GesturesTests", dependencies: ["ExtensionKit", "Gestures", core("Geometry")], swiftSettings: strict),
        .testTarget(
            name: "GestureProgramTests",
            dependencies: [
                "ProgramTestKit", "dockface-gesture", core("ControlProtocol"), core("DockClient"), core("DockTestKit"),
                core("DockTypes"), core("Geometry"),
            ],
            swiftSettings: strict),
        // A pad that only the kernel's uinput can make.
        .target(
            name: "CVirtualPad", path: "Tests/EventDeviceTests/CVirtualPad", cSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "EventDeviceTests",
            dependencies: [
                "EventDevice", "CEventDevice", "CVirtualPad", "Gamepad", "dockface-pad", "ExtensionKit",
                core("ControlProtocol"), core("DockClient"), core("DockTestKit"), core("DockTypes"), core("Files"),
                core("Geometry"),
            ],
            exclude: ["CVirtualPad"], swiftSettings: strict),
        .testTarget(
            name: "CodecsTests", dependencies: [core("DockTestKit"), "Codecs", core("Geometry")],
            swiftSettings: strict + fast),
        .testTarget(
            name: "FacePrivacyTests",
            dependencies: ["Codecs", "FacePrivacy", core("ControlProtocol"), core("Geometry")],
            swiftSettings: strict),
        .testTarget(
            name: "VideoRecorderTests",
            dependencies: [
                core("DockTestKit"),
                "Codecs", "FacePrivacy", "VideoRecorder", core("DockTypes"), core("Files"), core("Geometry"),
                core("Processes"),
            ],
            swiftSettings: strict),
        // Programs that tests start.
        .target(
            name: "ProgramTestKit", dependencies: [core("DockTestKit")], path: "Tests/ProgramTestKit",
            swiftSettings: strict),
        .testTarget(
            name: "UplinkProgramTests",
            dependencies: [
                "NetworkTestKit", "Networking", "ProgramTestKit", "dockface-room", "dockface-uplink",
                core("DockTestKit"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TeleopTests", dependencies: ["ExtensionKit", "Teleop", core("Geometry")], swiftSettings: strict),
        .testTarget(
            name: "TeleopProgramTests",
            dependencies: [
                "ProgramTestKit", "dockface-teleop", core("ControlProtocol"), core("DockClient"), core("DockTestKit"),
                core("DockTypes"), core("Geometry"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ThingFinderTests",
            dependencies: [
                "ThingFinder", core("ControlProtocol"), core("DockTestKit"), core("DockTypes"), core("Geometry"),
                core("SpatialModel"),
            ],
            swiftSettings: strict + fast),
        .testTarget(
            name: "FindProgramTests",
            dependencies: [
                "Codecs", "ExtensionKit", "JPEGCodec", "ProgramTestKit", "ThingFinder", "dockface-find",
                core("ControlProtocol"), core("DockClient"), core("DockTestKit"), core("DockTypes"), core("Geometry"),
                core("Processes"), arguments,
            ],
            exclude: ["chat_server.py", "fixed_things.py", "verifier.py"], swiftSettings: strict),
        .testTarget(
            name: "VoiceTests", dependencies: ["Voice", core("ControlProtocol"), core("Geometry")],
            swiftSettings: strict + fast),
        .testTarget(
            name: "VoiceProgramTests",
            dependencies: [
                "ProgramTestKit", "Voice", "dockface-find", "dockface-voice", core("ControlProtocol"),
                core("DockClient"),
                core("DockTestKit"), core("Geometry"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "RoomTests",
            dependencies: [
                "Aerie", "Networking", "Room", core("ControlProtocol"), core("DockTestKit"), core("DockTypes"),
                core("Geometry"), core("SpatialModel"),
            ],
            swiftSettings: strict + fast),
        .testTarget(
            name: "JPEGCodecTests", dependencies: ["Codecs", "JPEGCodec", core("DockTestKit")],
            swiftSettings: strict),
        .testTarget(
            name: "DepthCodecTests", dependencies: ["Codecs", "DepthCodec", core("DockTestKit")],
            swiftSettings: strict + fast),
        .testTarget(
            name: "DepthStreamTests",
            dependencies: ["Codecs", "DepthStream", core("DockTestKit"), core("DockTypes"), core("Geometry")],
            swiftSettings: strict + fast),
        .testTarget(
            name: "DepthProgramTests",
            dependencies: [
                "Codecs", "DepthCodec", "DepthStream", "ExtensionKit", "JPEGCodec", "ProgramTestKit", "dockface-depth",
                core("ControlProtocol"), core("DockClient"), core("DockTestKit"), core("DockTypes"), core("Geometry"),
                core("PictureShare"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "RecordProgramTests",
            dependencies: [
                "ExtensionKit", "ProgramTestKit", "FacePrivacy", "NetworkTestKit", "Networking", "VideoRecorder",
                "dockface-record",
                core("ControlProtocol"), core("DockClient"), core("DockTestKit"), core("DockTypes"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AllSparkTests",
            dependencies: [core("DockTestKit"), "AllSpark", core("ControlProtocol"), core("Geometry")],
            swiftSettings: strict + fast),
        .testTarget(
            name: "AerieTests",
            dependencies: [
                "Aerie", core("ControlProtocol"), core("DockTestKit"), core("Geometry"), core("SpatialModel"),
            ],
            swiftSettings: strict + fast),
        .testTarget(
            name: "LiveStreamTests",
            dependencies: ["Codecs", "LiveStream", core("DockTestKit"), core("DockTypes")],
            swiftSettings: strict),
        .testTarget(
            name: "SpatialLogTests",
            dependencies: [
                "Codecs", "SpatialLog", core("DockTestKit"), core("DockTypes"), core("Geometry"), core("SpatialModel"),
            ],
            swiftSettings: strict + fast),
        .testTarget(
            name: "UplinkTests",
            dependencies: [
                "Aerie", "Codecs", "Networking", "Uplink", core("ControlProtocol"), core("Geometry"),
                core("SpatialModel"),
            ],
            swiftSettings: strict + fast),
        // A server that behaves as badly as a test wants, and certificates of all kinds.
        .target(
            name: "NetworkTestKit",
            dependencies: [
                "Networking", core("DockTypes"), nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/NetworkTestKit", swiftSettings: strict),
        .testTarget(
            name: "NetworkingTests",
            dependencies: [
                "NetworkTestKit", "Networking", core("DockTestKit"), core("DockTypes"), nio("NIOCore"),
                nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict + fast),
        .testTarget(
            name: "VideoUploadTests",
            dependencies: [
                "AllSpark", "NetworkTestKit", "Networking", "VideoRecorder", "VideoUpload", core("ControlProtocol"),
                core("DockTestKit"), core("DockTypes"), core("Geometry"), nio("NIOCore"), nio("NIOWebSocket"),
            ],
            swiftSettings: strict),
    ]
)
