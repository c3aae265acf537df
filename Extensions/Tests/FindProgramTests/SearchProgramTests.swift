import ControlProtocol
import DockClient
import DockTestKit
import Foundation
import Geometry
import ProgramTestKit
import Testing

/// The program `find` beside the real daemon, on a simulated dock in a recorded room.
@Suite(.enabled(if: Running.daemon != nil, "the daemon is not built"), .serialized, .timeLimit(.minutes(10)))
struct SearchProgramTests {
    private let place = TemporaryFolder()

    private static let root = #filePath.replacing(
        "Extensions/Tests/FindProgramTests/SearchProgramTests.swift", with: "")
    /// Where the cat of the room is. The detector names it from nearly everywhere, which it does not do with cups.
    private static let cat = PanTilt.degrees(pan: -125, tilt: 10)

    private var socket: String { place.path + "/s" }

    /// A daemon with a simulated dock, whose detector sees the room from where the head looks.
    private func robot(_ words: String...) async throws -> [Running] {
        let daemon = try Running(
            try #require(Running.daemon),
            ["run", "--headless", "--port", "sim", "--config", "none", "--mode", "manual", "--socket", socket]
                + ["--detector", "room:\(Self.root)Examples/rooms/room-a.jsonl"] + words, in: place)
        let dock = try await dock()
        let answers = try dock.updates(.detections)
        // What the head sees at first may be nothing.
        for await _ in answers { break }
        try await wait("the dock") { try await dock.status().accessory.dock == "ready" }
        dock.close()
        return [daemon]
    }

    private func dock() async throws -> Dock {
        var dock: Dock?
        try await wait("the daemon") {
            dock = try? await Dock.connect(path: socket)
            return dock != nil
        }
        return try #require(dock)
    }

    private func find(_ words: String...) throws -> Running {
        try Running(Running.program("dockface-find"), words, in: place)
    }

    private func end(_ programs: [Running]) async {
        for program in programs {
            program.signal(SIGTERM)
            _ = await program.status()
        }
    }

    @Test func `help and errors name the command as it is typed`() async throws {
        let help = try find("--help"), wrong = try find("forget", "--nothing")
        #expect(await help.status() == 0 && help.text.contains("USAGE: dockface find "), "\(help.text)")
        #expect(await wrong.status() == 64 && wrong.text.contains("Usage: dockface find forget"), "\(wrong.text)")
    }

    @Test func `a cat is found, pointed at, shown and remembered`() async throws {
        let robot = try await robot()
        let search = try find("cat", "--control", socket, "--json")
        let dock = try await dock()
        var layer = false
        try await wait("the end: \(search.text)") {
            let layers = try await dock.status().json["layers"]?.array ?? []
            layer = layer || layers.contains { $0["name"]?.string == "find" && ($0["items"]?.integer ?? 0) > 0 }
            return search.hasEnded
        }
        #expect(await search.status() == 0, "\(search.text)")
        let lines = search.text.split(separator: "\n").compactMap { JSONValue(json: $0.utf8) }
        let last = try #require(lines.last), bearing = try #require(last["bearing"]?.panTilt, "\(search.text)")
        #expect(last["phase"]?.string == "found" && lines.first?["phase"]?.string == "searching" && layer)
        #expect((bearing - Self.cat).magnitude < .degrees(5), "\(bearing)")
        let status = try await dock.status(), pose = try #require(status.motion.position)
        #expect((pose - bearing).magnitude < .degrees(5), "\(pose), \(bearing)")
        #expect(!status.isLeased && (status.json["layers"]?.array ?? []).isEmpty)
        // What is remembered.
        let things = try find("things")
        #expect(await things.status() == 0 && things.text.contains("cat: ") && things.text.contains("sure to 100 %"))
        let look = try find("look", "cat", "--control", socket)
        #expect(await look.status() == 0 && look.text.contains("found: cat, "), "\(look.text)")
        let forget = try find("forget", "cat")
        #expect(await forget.status() == 0, "\(forget.text)")
        let again = try find("forget", "cat")
        #expect(await again.status() != 0, "\(again.text)")
        let none = try find("things")
        #expect(await none.status() == 0 && none.text.contains("nothing is remembered"))
        dock.close()
        await end(robot)
    }

    @Test func `the end of a search without success has its own status, and the mode returns`() async throws {
        let robot = try await robot(), dock = try await dock()
        try await dock.setTrackingMode(.system)
        let search = try find("unicorn", "--control", socket, "--time-limit", "3")
        #expect(await search.status() == 1, "\(search.text)")
        #expect(search.text.contains("not found: unicorn: the time is over"))
        try await wait("the mode") { try await dock.status().accessory.mode == .system }
        dock.close()
        await end(robot)
    }

    @Test func `a person's stop ends the search, and nothing moves after it`() async throws {
        let robot = try await robot(), dock = try await dock()
        let search = try find("unicorn", "--control", socket)
        try await wait("the search: \(search.text)") { search.text.contains("looking round") }
        let stop = try Running(try #require(Running.daemon), ["stop", "--socket", socket], in: place)
        #expect(await stop.status() == 0, "\(stop.text)")
        #expect(await search.status() == 75, "\(search.text)")
        #expect(search.text.contains("search again when the head is free"))
        let status = try await dock.status()
        #expect(status.accessory.stoppedBy == "person" && status.motion.commanded == .zero && !status.isLeased)
        // The next search says so at once.
        let next = try find("cup", "--control", socket)
        #expect(await next.status() == 69 && next.text.contains("a person has stopped the dock"), "\(next.text)")
        dock.close()
        await end(robot)
    }

    @Test func `Ctrl-C ends a search, and gives everything back`() async throws {
        let robot = try await robot(), dock = try await dock()
        try await dock.setTrackingMode(.system)
        let search = try find("unicorn", "--control", socket)
        try await wait("the search: \(search.text)") { search.text.contains("looking round") }
        search.signal(SIGINT)
        #expect(await search.status() == 0, "\(search.text)")
        let status = try await dock.status()
        #expect(status.accessory.mode == .system && !status.isLeased)
        dock.close()
        await end(robot)
    }

    @Test func `a folder that other users can change is not used`() async throws {
        let folder = place.path + "/open"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        let stop = try Running(
            Running.program("dockface-find"), ["stop"], in: place, variables: ["XDG_STATE_HOME": folder])
        #expect(await stop.status() == 77 && stop.text.contains("others can write to the folder"), "\(stop.text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["dockface"], "nothing is written there")
    }

    @Test func `without a daemon's detector there is no search`() async throws {
        let binary = try #require(Running.daemon)
        let daemon = try Running(
            binary,
            ["run", "--headless", "--port", "sim", "--config", "none", "--detector", "none", "--socket", socket],
            in: place)
        let dock = try await dock()
        try await wait("the dock") { try await dock.status().accessory.dock == "ready" }
        let search = try find("cup", "--control", socket)
        #expect(await search.status() == 69 && search.text.contains("the daemon has no detector"), "\(search.text)")
        dock.close()
        await end([daemon])
    }

    @Test func `without a camera nothing can be verified, and the search says so at once`() async throws {
        let robot = try await robot()
        let search = try find("unicorn", "--control", socket, "--verifier", "exec:cat")
        #expect(await search.status() == 69, "\(search.text)")
        #expect(search.text.contains("there are no pictures to verify: "), "\(search.text)")
        await end(robot)
    }

    @Test(arguments: [
        ["", ""], [], ["--verifier", "mine"], ["cup", "--verifier", "exec:"], ["cup", "--requests", "0"],
        ["cup", "--money", "-1"], ["cup", "--time-limit", "0"], ["forget"], ["forget", "cup", "--all"],
        ["cup\u{1B}[2J"],
    ])
    func `a wish that cannot be is refused`(words: [String]) async throws {
        let program = try Running(Running.program("dockface-find"), words, in: place)
        #expect(await program.status() == 64, "\(program.text)")
    }
}
