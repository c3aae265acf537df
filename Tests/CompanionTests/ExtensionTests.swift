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

    static func reading(_ name: String, _ state: ExtensionState, isChild: Bool = false) -> ExtensionReading {
        var reading = ExtensionReading()
        (reading.name, reading.state, reading.isChild) = (name, state, isChild)
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
        #expect(board.remove(client: 4) == nil && board.remove(client: 3) == "log")
        #expect(board.all.isEmpty)
    }

    @Test func `a report that is late makes it silent, once`() throws {
        var board = ExtensionBoard()
        _ = try board.set(Samples.reading("log", .ready), client: 3, until: 10)
        #expect(board.expire(now: 9.9) == [])
        #expect(board.expire(now: 10) == ["log"] && board.expire(now: 11) == [])
        #expect(board.all.map(\.state) == [.silent])
        #expect(try board.set(Samples.reading("log", .ready), client: 3, until: 20))
        #expect(board.all.map(\.state) == [.ready])
    }

    @Test func `a child that runs is what it says, and otherwise what the daemon says`() throws {
        var board = ExtensionBoard()
        board.setChildren([Samples.reading("log", .starting, isChild: true)])
        _ = try board.set(Samples.fault, client: 3, until: 10)
        #expect(board.all.map(\.state) == [.starting])
        board.setChildren([Samples.reading("log", .ready, isChild: true)])
        #expect(board.all.map(\.text) == ["disk full"] && board.all.map(\.isChild) == [true])
        board.setChildren([Samples.reading("log", .failed, isChild: true)])
        #expect(board.all.map(\.state) == [.failed])
        // Another program of that name is another row.
        _ = try board.set(Samples.reading("log", .ready), client: 4, until: 10)
        #expect(board.all.map(\.isChild) == [true, false])
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
