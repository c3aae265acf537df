import ControlProtocol
import DockTypes
import Files
import Glibc
import Processes
import TestSupport
import Testing

@testable import Companion

/// Values that several tests use.
enum ExtensionSamples {
    static let fault: ExtensionReading = {
        var reading = ExtensionReading()
        (reading.name, reading.version, reading.state, reading.text) = ("log", "1.0", .fault, "disk full")
        return reading
    }()

    static func reading(
        _ name: String, _ state: ExtensionState, isChild: Bool = false, process: Int32? = nil
    ) -> ExtensionReading {
        var reading = ExtensionReading()
        (reading.name, reading.state, reading.isChild, reading.process) = (name, state, isChild, process)
        return reading
    }
}

/// The manifests, and where they are found.
@Suite struct ExtensionManifestTests {
    static let good = """
        name = "log"
        about = "Keeps what happens."
        version = "0.2.0"
        protocol = 1
        rights = ["events", "files"]
        unit = "dockface-log.service"

        """

    private func problems(_ text: String, file: String = "/x/log.toml") -> [String] {
        do throws(FileError) {
            _ = try ExtensionManifest(text, file: file)
            return []
        } catch {
            return error.problems.map { "\($0)" }
        }
    }

    @Test func `a manifest is read`() throws {
        let manifest = try ExtensionManifest(Self.good, file: "/x/log.toml")
        #expect(manifest.name == "log" && manifest.version == "0.2.0" && manifest.unit == "dockface-log.service")
        #expect(manifest.rights == ["events", "files"] && manifest.features == [])
    }

    static let bad: [(change: (from: String, to: String), part: String)] = [
        (("name = \"log\"", "name = \"pad\""), "the file's name says \"log\""),
        (("about", "abuot"), "did you mean \"about\""),
        (("version = \"0.2.0\"\n", ""), "\"version\" is missing"),
        (("protocol = 1", "protocol = \"1\""), "\"protocol\" is wrong"),
        (("\"files\"", "\"fils\""), "did you mean \"files\""),
        (("Keeps what", "Keeps\\u001bwhat"), "control or invisible"),
    ]

    @Test(arguments: bad.indices)
    func `a mistake is named`(row: Int) {
        let (change, part) = Self.bad[row]
        let found = problems(Self.good.replacing(change.from, with: change.to))
        #expect(found.contains { $0.contains(part) }, "\(found)")
    }

    @Test(arguments: ["", "-log", "Log", "a b", "../log", "a/b", "läuft", String(repeating: "a", count: 33)])
    func `a word with other characters is no name`(word: String) { #expect(!ExtensionManifest.isName(word)) }

    @Test func `the first folder counts, and what cannot run says why`() throws {
        let one = try ExtensionFolder(), two = try ExtensionFolder()
        try one.add("log", program: "#!/bin/sh\n")
        try two.add("log", program: nil)
        try two.add("pad", program: nil)
        try two.add("web", program: "#!/bin/sh\n", manifest: { $0.replacing("protocol = 1", with: "protocol = 9") })
        try two.add("bad", program: nil, manifest: { _ in "name = 3" })
        let (found, problems) = ExtensionLibrary(folders: [one.path, two.path]).all()
        #expect(found.map(\.name) == ["log", "pad", "web"])
        #expect(found[0].program == one.path + "/dockface-log" && found[0].problem == nil)
        #expect(found[1].problem?.contains("is missing") == true)
        #expect(found[2].problem?.contains("protocol 9") == true)
        #expect(!problems.isEmpty && problems.allSatisfy { $0.file == two.path + "/bad.toml" })
    }

    @Test func `a folder that others can write to is not used`() throws {
        let folder = try ExtensionFolder()
        try folder.add("log", program: "#!/bin/sh\n")
        chmod(folder.path, 0o777)
        let (found, problems) = ExtensionLibrary(folders: [folder.path]).all()
        #expect(found.isEmpty && problems.first.map { "\($0)".contains("not used") } == true)
    }

    @Test(arguments: [(0o755, true), (0o775, false), (0o777, false)] as [(mode_t, Bool)])
    func `a link to a program is followed only into a folder that others cannot change`(
        mode: mode_t, isUsed: Bool
    ) throws {
        let folder = try ExtensionFolder(), other = try ExtensionFolder()
        try folder.add("log", program: nil)
        try other.add("log", program: "#!/bin/sh\n")
        try #require(symlink(other.path + "/dockface-log", folder.path + "/dockface-log") == 0)
        chmod(other.path, mode)
        let problem = try #require(ExtensionLibrary(folders: [folder.path]).named("log")).problem
        let program = folder.path + "/dockface-log"
        let reason = "others can write to the folder \(other.path), so its program \(program) is not used"
        #expect(problem == (isUsed ? nil : reason))
    }
}

/// A folder with extensions, removed at the end.
final class ExtensionFolder {
    let path: String

    init() throws {
        path = TemporaryFile.freePath("extensions")
        try #require(mkdir(path, 0o755) == 0)
    }

    deinit {
        for file in UserFile.files(in: path) { unlink(path + "/" + file) }
        rmdir(path)
    }

    func add(_ name: String, program: String?, manifest: (String) -> String = { $0 }) throws {
        try write(
            path + "/\(name).toml", manifest(ExtensionManifestTests.good.replacing("\"log\"", with: "\"\(name)\"")))
        guard let program else { return }
        try write(path + "/dockface-\(name)", program)
        chmod(path + "/dockface-\(name)", 0o755)
    }

    private func write(_ path: String, _ text: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }
}

/// What the status says of the programs beside the daemon.
@Suite struct ExtensionBoardTests {
    typealias Samples = ExtensionSamples

    @Test func `a report is shown until its connection ends`() throws {
        var board = ExtensionBoard()
        #expect(try board.set(Samples.fault, client: 3, until: 10))
        #expect(try !board.set(Samples.fault, client: 3, until: 12), "nothing new")
        #expect(board.all == [Samples.fault])
        #expect(board.leave(client: 4) == nil && board.leave(client: 3) == Samples.fault)
        #expect(board.all.isEmpty)
    }

    @Test func `other numbers in the same words are nothing new`() throws {
        var board = ExtensionBoard(), reading = Samples.reading("log", .ready)
        reading.text = "29.7 frames/s"
        #expect(try board.set(reading, client: 3, until: 10))
        reading.text = "8 frames/s"
        #expect(try !board.set(reading, client: 3, until: 10) && board.all == [reading])
        reading.text = "no frames"
        #expect(try board.set(reading, client: 3, until: 10))
    }

    @Test func `a report that is late makes it silent, once`() throws {
        var board = ExtensionBoard()
        _ = try board.set(Samples.reading("log", .ready), client: 3, until: 10)
        #expect(board.overdue(now: 9.9).isEmpty)
        #expect(board.overdue(now: 10).map(\.name) == ["log"] && board.overdue(now: 11).isEmpty)
        #expect(board.all.map(\.state) == [.silent])
        #expect(try board.set(Samples.reading("log", .ready), client: 3, until: 20))
        #expect(board.all.map(\.state) == [.ready])
    }

    @Test func `a program that reports on two connections is silent when both are`() throws {
        var board = ExtensionBoard()
        _ = try board.set(Samples.reading("log", .ready, process: 7), client: 3, until: 10)
        _ = try board.set(Samples.reading("log", .ready, process: 7), client: 4, until: 20)
        // Another program may use the name.
        _ = try board.set(Samples.reading("log", .ready, process: 8), client: 5, until: 90)
        #expect(board.overdue(now: 15).isEmpty)
        #expect(board.overdue(now: 25).map(\.process) == [7])
    }

    @Test func `a child that runs is what it says, and otherwise what the daemon says`() throws {
        var board = ExtensionBoard(), fault = Samples.fault
        fault.process = 7
        board.setChildren([Samples.reading("log", .starting, isChild: true, process: 7)])
        _ = try board.set(fault, client: 3, until: 10)
        #expect(board.all.map(\.state) == [.starting])
        board.setChildren([Samples.reading("log", .ready, isChild: true, process: 7)])
        #expect(board.all.map(\.text) == ["disk full"] && board.all.map(\.isChild) == [true])
        board.setChildren([Samples.reading("log", .failed, isChild: true, process: 7)])
        #expect(board.all.map(\.state) == [.failed])
    }

    @Test func `another program of a child's name is another row, and does not speak for the child`() throws {
        var board = ExtensionBoard()
        board.setChildren([Samples.reading("log", .starting, isChild: true, process: 7)])
        for process in [8, nil] as [Int32?] {
            _ = try board.set(Samples.reading("log", .ready, process: process), client: 3, until: 10)
            #expect(board.all.map(\.state) == [.starting, .ready] && board.all.map(\.isChild) == [true, false])
        }
        // A child between two starts has no process.
        board.setChildren([Samples.reading("log", .restarting, isChild: true)])
        #expect(board.all.map(\.state) == [.restarting, .ready])
    }

    @Test func `too many are refused`() throws {
        var board = ExtensionBoard()
        for client in 0..<ExtensionBoard.most {
            _ = try board.set(Samples.reading("a\(client)", .ready), client: client, until: 10)
        }
        #expect(throws: DockError.self) { try board.set(Samples.fault, client: 999, until: 10) }
        #expect(try board.set(Samples.fault, client: 1, until: 10), "one that reports already may go on")
    }

    @Test func `a child always has a place, because the daemon ends one that does not report`() throws {
        var board = ExtensionBoard()
        board.setChildren([Samples.reading("log", .starting, isChild: true, process: 7)])
        for client in 0..<ExtensionBoard.most {
            _ = try board.set(Samples.reading("log", .ready, process: 8), client: client, until: 10)
        }
        #expect(throws: DockError.self) {
            try board.set(Samples.reading("log", .ready, process: 8), client: 998, until: 10)
        }
        #expect(try board.set(Samples.reading("log", .ready, process: 7), client: 999, until: 10))
    }
}

/// What `dockface doctor` says of extensions and their units.
@Suite struct ExtensionDoctorTests {
    private static func unit(_ active: String, _ sub: String, _ result: String, _ file: String = "disabled") -> String {
        """
        Id=dockface-log.service
        LoadState=loaded
        ActiveState=\(active)
        SubState=\(sub)
        Result=\(result)
        UnitFileState=\(file)
        """
    }

    private static let daemon = "Id=dockface.service\nLoadState=loaded\nActiveState=active\nSubState=running\n\n"

    private static func findings(_ text: String, isOfUser: Bool = false) throws -> [String] {
        let folder = try ExtensionFolder()
        try folder.add("log", program: "#!/bin/sh\n")
        let units = UnitState.read(text, isOfUser: isOfUser)
        return Doctor.extensions(ExtensionLibrary(folders: [folder.path]), status: nil, units: units)
            .map { "\($0.level.rawValue) \($0.text) \($0.hint ?? "")" }
    }

    @Test(arguments: [
        (unit("failed", "failed", "exit-code"), "has failed (exit-code)"),
        (unit("activating", "auto-restart", "watchdog"), "is started again and again (watchdog)"),
        (daemon + unit("inactive", "dead", "success", "enabled"), "is enabled and does not run"),
    ])
    func `a unit that does not work is a warning`(text: String, part: String) throws {
        let found = try Self.findings(text)
        #expect(found.count == 1 && found[0].hasPrefix("warning log: its service \(part)"), "\(found)")
        #expect(found[0].hasSuffix("to start it: sudo systemctl restart dockface-log.service"))
        let user = try Self.findings(text, isOfUser: true)
        #expect(user[0].contains("its user service") && user[0].contains("journalctl --user -u dockface-log.service"))
    }

    @Test(arguments: [
        "", "\n\n=\n", daemon + unit("active", "running", "success", "enabled"), unit("inactive", "dead", "success"),
        unit("inactive", "dead", "success", "enabled"),
        unit("failed", "failed", "exit-code").replacing("loaded", with: "not-found"),
    ])
    func `a unit that works, or is not wanted now, is no problem`(text: String) throws {
        #expect(try Self.findings(text) == ["ok log 0.2.0 is installed "])
    }
}
