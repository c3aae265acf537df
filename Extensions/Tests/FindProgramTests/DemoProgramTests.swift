import ControlProtocol
import DockTestKit
import Foundation
import Geometry
import ProgramTestKit
import Testing

/// `dockface demo --find`, with the real daemon and the real extension.
@Suite(.enabled(if: Running.daemon != nil, "the daemon is not built"), .serialized, .timeLimit(.minutes(10)))
struct DemoProgramTests {
    private let place = TemporaryFolder()
    /// Where the cups of the room are.
    private static let cups: [PanTilt] = [
        .degrees(pan: -38.5, tilt: -15.4), .degrees(pan: 98.4, tilt: -5.4), .degrees(pan: -160.4, tilt: -13.4),
    ]

    /// Installs the extension of this build where the daemon looks for it.
    private func install() throws {
        let files = FileManager.default, folder = place.path + "/.local/libexec/dockface"
        let manifest = #filePath.replacing(
            "Tests/FindProgramTests/DemoProgramTests.swift", with: "Sources/dockface-find/find.toml")
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try files.copyItem(atPath: manifest, toPath: folder + "/find.toml")
        try files.copyItem(atPath: Running.program("dockface-find"), toPath: folder + "/dockface-find")
        for file in [folder, folder + "/find.toml", folder + "/dockface-find"] {
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
    }

    /// The folder for temporary files of a demo.
    private var temporary: String { place.path + "/tmp" }

    private func demo(_ words: String...) throws -> Running {
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: temporary + "/kept"))
        let daemon = try #require(Running.daemon)
        return try Running("/usr/bin/env", ["TMPDIR=" + temporary, daemon, "demo"] + words, in: place)
    }

    /// What is in the folder for temporary files, and beside it.
    private func left() throws -> (inside: [String], isWhole: Bool) {
        let files = FileManager.default
        let isWhole = files.isExecutableFile(atPath: place.path + "/.local/libexec/dockface/dockface-find")
        return (try files.contentsOfDirectory(atPath: temporary), isWhole)
    }

    private func summary(_ demo: Running) throws -> JSONValue {
        let line = try #require(demo.text.split(separator: "\n").last { $0.hasPrefix("{") }, "\(demo.text)")
        return try #require(JSONValue(json: line.utf8))
    }

    @Test func `the search demo finds a cup, remembers it, looks back at it, and ends by itself`() async throws {
        try install()
        let demo = try demo("--find", "--summary")
        #expect(await demo.status() == 0, "\(demo.text)")
        for words in ["1 of 3", "searching: ", "found: ", "2 of 3", "remembered: cup: ", "3 of 3"] {
            #expect(demo.text.contains(words), "no \(words) in \(demo.text)")
        }
        let summary = try summary(demo), story = summary["find"]
        #expect(summary["stoppedLast"]?.bool == true && summary["faults"]?.number == 0)
        #expect(story?["thing"]?.string == "cup" && story?["remembered"]?.string?.contains("cup: ") == true)
        for part in ["search", "look"] {
            let outcome = story?[part]
            #expect(outcome?["found"]?.bool == true && (outcome?["seconds"]?.number ?? 0) > 0, "\(part): \(summary)")
            let bearing = try #require(outcome?["bearing"]?.panTilt)
            #expect(Self.cups.contains { (bearing - $0).magnitude < .degrees(5) }, "\(bearing)")
        }
        // It removes its own folder, and nothing else.
        let left = try left()
        #expect(left.inside == ["kept"] && left.isWhole, "\(left)")
        // What the user's own robot remembers is another matter.
        #expect(!FileManager.default.fileExists(atPath: place.path + "/state/dockface/find"))
    }

    @Test func `a search demo whose time is over says so, and has another status`() async throws {
        try install()
        let demo = try demo("--find=unicorn", "--seconds", "6", "--summary")
        #expect(await demo.status() == 1, "\(demo.text)")
        let summary = try summary(demo)
        #expect(summary["stoppedLast"]?.bool == true && summary["find"]?["look"]?.isNull == true)
        let left = try left()
        #expect(left.inside == ["kept"] && left.isWhole, "\(left)")
    }

    @Test func `without the extension the demo says how to install it`() async throws {
        let demo = try demo("--find")
        #expect(await demo.status() == 69, "\(demo.text)")
        for words in ["the extension find, which is not installed", "scripts/extensions --install", "dockface-find"] {
            #expect(demo.text.contains(words), "\(demo.text)")
        }
    }

    @Test func `a wish that cannot be ends the demo with the reason`() async throws {
        try install()
        let demo = try demo("--find=cup\u{1B}[2J", "--summary")
        #expect(await demo.status() == 69, "\(demo.text)")
        #expect(!demo.text.contains("\u{1B}"))
    }
}
