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
}

/// What the daemon learns of the programs that it runs, and of others that use their names.
@Suite(.timeLimit(.minutes(1))) struct ExtensionChildTests {
    /// Starts a program that is a shell script.
    private static func child(_ script: String, in folder: ExtensionFolder) throws -> ExtensionChild {
        try folder.add("log", program: "#!/bin/sh\n" + script + "\n")
        let installed = try ExtensionLibrary.read(folder.path + "/log.toml")
        var child = ExtensionChild(installed, socket: "/nonexistent", seed: 1)
        _ = child.turn(now: 0)
        return child
    }

    /// Waits for its end.
    private static func end(_ child: inout ExtensionChild) {
        var waits = [child.waits(after: 0)[1]]
        #expect(poll(&waits, 1, 30_000) == 1)
        _ = child.reap(now: 1)
    }

    private static func kill(_ child: inout ExtensionChild) {
        child.kill()
        end(&child)
    }

    /// Waits until it has printed something.
    private static func hear(_ child: inout ExtensionChild) {
        var waits = [child.waits(after: 0)[0]]
        #expect(poll(&waits, 1, 30_000) == 1)
    }

    @Test func `only the child itself speaks for it`() throws {
        let folder = try ExtensionFolder()
        var child = try Self.child("exec tail -f /dev/null", in: folder)
        defer { Self.kill(&child) }
        let process = try #require(child.reading.process)
        for foreign in [process + 1, nil] as [Int32?] {
            child.hear(ExtensionNews(ExtensionSamples.reading("log", .ready, process: foreign), .reported), now: 1)
            #expect(child.reading.state == .starting)
        }
        child.hear(ExtensionNews(ExtensionSamples.reading("other", .ready, process: process), .reported), now: 2)
        #expect(child.reading.state == .ready, "whatever it calls itself")
        child.hear(ExtensionNews(ExtensionSamples.reading("log", .ready, process: process + 1), .silent), now: 3)
        #expect(child.reading.state == .ready)
        child.hear(ExtensionNews(ExtensionSamples.reading("log", .ready, process: process), .silent), now: 3)
        #expect(child.reading.state == .silent)
    }

    @Test func `a false report does not hide a child that never reports`() throws {
        let folder = try ExtensionFolder()
        var child = try Self.child("exec tail -f /dev/null", in: folder)
        defer { Self.kill(&child) }
        for now in stride(from: 1.0, to: 20, by: 2) {
            child.hear(ExtensionNews(ExtensionSamples.reading("log", .ready, process: 1), .reported), now: now)
            _ = child.turn(now: now)
        }
        #expect(child.reading.state == .starting)
        _ = child.turn(now: 20)
        #expect(child.reading.state == .silent && child.reading.text.contains("no report (the call setExtension)"))
    }

    @Test func `a child that another program has ended is started again, and one that has finished is not`() throws {
        let folder = try ExtensionFolder()
        var ended = try Self.child("trap 'exit 143' TERM\ntail -f /dev/null &\necho here\nwait", in: folder)
        Self.hear(&ended)
        Glibc.kill(try #require(ended.reading.process), SIGTERM)
        Self.end(&ended)
        #expect(ended.reading.state == .restarting && ended.reading.text.contains("another program has ended it"))
        var finished = try Self.child("exit 0", in: folder)
        Self.end(&finished)
        #expect(finished.reading.state == .over)
    }

    @Test func `news of programs that are no children do not wait`() {
        var inbox = ExtensionInbox()
        inbox.children = [ExtensionSamples.reading("log", .ready, isChild: true, process: 7)]
        let own = ExtensionNews(ExtensionSamples.reading("log", .ready, process: 7), .reported)
        let isTaken = inbox.add(ExtensionNews(ExtensionSamples.reading("log", .ready, process: 8), .reported))
        let taken = (0..<1000).count { _ in inbox.add(own) }
        #expect(!isTaken && taken == ExtensionInbox.most)
        let first = inbox.take(), second = inbox.take()
        #expect(first.count == ExtensionInbox.most && second.isEmpty)
    }

    @Test func `the control server names the process group that reports`() {
        let report = ControlCall.command(.show(.report(ExtensionSamples.fault, time: 1)))
        guard case .command(.show(.report(let reading, _))) = report.made(by: getpid()) else {
            Issue.record("another call")
            return
        }
        #expect(reading.process == getpgid(0))
        #expect(report.made(by: 0) == report && ControlCall.words("stop").made(by: getpid()) == .words("stop"))
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
