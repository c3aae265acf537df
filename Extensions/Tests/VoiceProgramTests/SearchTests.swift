import DockClient
import DockTestKit
import Foundation
import ProgramTestKit
import Testing

/// The finder, the daemon and the voice together, in a recorded room.
@Suite(.enabled(if: Running.daemon != nil, "the daemon is not built"), .timeLimit(.minutes(10)))
struct SearchTests {
    private let place = TemporaryFolder()

    private static let root = #filePath.replacing("Extensions/Tests/VoiceProgramTests/SearchTests.swift", with: "")

    @Test func `a person who faces the robot hears where the cat is`() async throws {
        let binary = try #require(Running.daemon), link = place.path + "/rig", socket = place.path + "/s"
        let rig = try Running(binary, ["simulate", "--link", link], in: place)
        try await wait("the rig: \(rig.text)") { FileManager.default.fileExists(atPath: link + ".head") }
        let daemon = try Running(
            binary,
            ["run", "--headless", "--port", link, "--config", "none", "--mode", "manual", "--socket", socket]
                + ["--detector", "room:\(Self.root)Examples/rooms/room-a.jsonl"], in: place)
        var dock: Dock?
        try await wait("the daemon: \(daemon.text)") {
            dock = try? await Dock.connect(path: socket)
            return try await dock?.status().accessory.dock == "ready"
        }
        let voice = try Running(
            Running.program("dockface-voice"), ["--dry-run", "--night", "none", "--control", socket], in: place)
        try await wait("it listens: \(voice.text)") { try await dock?.cue("ok") == true }
        let search = try Running(Running.program("dockface-find"), ["cat", "--control", socket], in: place)
        #expect(await search.status() == 0, "\(search.text)")
        #expect(search.text.contains("120 degrees to my left"), "\(search.text)")
        try await wait("the sentence: \(voice.text)") { voice.text.contains("The cat is 120 degrees to your right.") }
        let lines = voice.text.split(separator: "\n").map(String.init)
        let found = try #require(lines.firstIndex { $0.hasPrefix("play find-found") }, "\(voice.text)")
        let said = try #require(lines.firstIndex { $0.hasPrefix("say (high): The cat is ") })
        #expect(found < said && lines[found].hasSuffix("% to the right"), "\(voice.text)")
        #expect(lines[..<found].contains { $0.hasPrefix("play find-candidate") }, "\(voice.text)")
        for program in [voice, daemon] {
            program.signal(SIGTERM)
            _ = await program.status()
        }
        rig.signal(SIGKILL)
        _ = await rig.status()
    }
}
