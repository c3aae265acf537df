import DockControl
import DockTypes
import Files
import Geometry
import Glibc
import TestSupport
import Testing

@testable import Companion

/// A folder that is removed on deinit.
private final class Folder {
    let path: String

    init() {
        var template = Array("/tmp/dockface-store-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nowhere"
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        chmod(path, 0o700)
        for name in (try? StoredFile.names(in: path)) ?? [] where name != "." && name != ".." {
            if unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
        }
        rmdir(path)
    }

    func store(_ rig: String = "dockface DLP/1 dock") -> MotionStore {
        MotionStore(rig: rig, root: path + "/a/dockface")
    }

    /// Writes what a person might.
    func put(_ text: String, at path: String) throws { try StoredFile.write(text, to: path) }

    static func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}

@Suite struct MotionStoreTests {
    private static let damaged = DockError(.configuration, "", hint: "")

    @Test func `a folder without files gives an empty library, and nothing is created`() {
        let folder = Folder()
        let (library, problems) = folder.store().load()
        #expect(library == MotionLibrary() && problems.isEmpty)
        #expect(access(folder.path + "/a", F_OK) != 0)
    }

    @Test func `saved entries come back`() throws {
        let folder = Folder(), store = folder.store()
        try store.change { (library) throws(DockError) in
            try library.savePreset("desk", at: .degrees(pan: 10.1234, tilt: -5))
            try library.savePreset("true", at: .degrees(pan: -0.0001, tilt: 0))
            try library.save(MotionLibraryTests.motion("greet"))
        }
        let (library, problems) = folder.store().load()
        #expect(problems.isEmpty)
        #expect(abs(try library.preset("desk").pan.inDegrees - 10.123) < 1e-9)
        #expect(try library.preset("true") == .zero)
        #expect(try library.script(named: "greet") == MotionLibraryTests.motion("greet"))
        #expect(
            TemporaryFile.text(of: store.presetsFile)?.hasSuffix(
                "\n[presets.desk]\npan = 10.123\ntilt = -5.0\n\n[presets.true]\npan = 0.0\ntilt = 0.0\n") == true)
        #expect(
            TemporaryFile.text(of: store.motionFile("greet"))?.hasSuffix(
                "\nkeys = [\n    [0.0, 0.0, 0.0],\n    [0.5, 8.0, -2.0],\n    [1.0, 0.0, 0.0],\n]\n") == true)
        #expect(store.presetsFile.hasSuffix("/presets/dockface-dlp-1-dock.toml"))
    }

    @Test func `folders and files are for their owner only, and no temporary file remains`() throws {
        let folder = Folder(), store = folder.store()
        for tilt in 0..<5 {
            try store.change { (library) throws(DockError) in
                try library.savePreset("a", at: .degrees(pan: 0, tilt: Double(tilt)))
                try library.save(MotionLibraryTests.motion("greet"))
            }
        }
        for inner in ["/a", "/a/dockface", "/a/dockface/presets", "/a/dockface/motions"] {
            #expect(Folder.mode(folder.path + inner) == 0o700, "\(inner)")
        }
        #expect(Folder.mode(store.presetsFile) == 0o600)
        #expect(try StoredFile.names(in: store.root + "/presets") == [".", "..", "dockface-dlp-1-dock.toml"])
        #expect(try StoredFile.names(in: store.root + "/motions") == [".", "..", "greet.toml"])
    }

    @Test func `poses belong to one rig, motions to all`() throws {
        let folder = Folder()
        try folder.store("one").change { (library) throws(DockError) in
            try library.savePreset("desk", at: .zero)
            try library.save(MotionLibraryTests.motion("greet"))
        }
        let other = folder.store("other").load().library
        #expect(other.presets.isEmpty && other.taught.count == 1)
        // Names that share a file name are not mixed up either.
        let (namesake, problems) = folder.store("One!").load()
        #expect(namesake.presets.isEmpty && problems == [Self.damaged])
        #expect(problems.first?.message.contains("these poses belong to \"one\", not to \"One!\"") == true)
    }

    @Test func `entries saved by another daemon meanwhile stay`() throws {
        let folder = Folder(), one = folder.store(), other = folder.store()
        _ = one.load()
        try other.change { (library) throws(DockError) in try library.savePreset("theirs", at: .zero) }
        try other.change { (library) throws(DockError) in try library.save(MotionLibraryTests.motion("their-wave")) }
        let library = try one.change { (library) throws(DockError) in try library.savePreset("mine", at: .zero) }
        #expect(library.presets.keys.sorted() == ["mine", "theirs"])
        #expect(library.taught.keys.sorted() == ["their-wave"])
    }

    @Test func `a deleted entry is gone, also from the disk`() throws {
        let folder = Folder(), store = folder.store()
        try store.change { (library) throws(DockError) in
            try library.savePreset("desk", at: .zero)
            try library.save(MotionLibraryTests.motion("greet"))
        }
        try store.change { (library) throws(DockError) in
            try library.deletePreset("desk")
            try library.deleteTaught("greet")
        }
        #expect(store.load().library == MotionLibrary())
        #expect(access(store.motionFile("greet"), F_OK) != 0)
        #expect(throws: DockError.self) {
            try store.change { (library) throws(DockError) in try library.deletePreset("desk") }
        }
    }

    static let presets: [(String, String)] = [
        ("[presets.a\npan = 1", ".toml:1:"), ("[presets.a]\npan = 1\n", ".toml:1:1: \"a\" needs tilt"),
        ("rig = \"x\"\n[presets.a]\npan = 1\ntild = 2", ".toml:4:1: \"tild\" is unknown; did you mean \"tilt\"?"),
        ("rig = \"y\"", ".toml:1:1: these poses belong to \"y\""), ("rig = 3", ".toml:1:1:"),
        ("[presets.a]\npan = \"left\"\ntilt = 1", ".toml:2:1: \"a\" needs pan"),
        ("[presets.a]\npan = nan\ntilt = 1", "a preset must be a pose within 360"),
        ("[presets.a]\npan = 1\ntilt = 1\n[presets.\"My Desk\"]\npan = 1\ntilt = 1", "`my-desk`"),
        ("presets = 3", ".toml:1:1: \"presets\" is wrong"), ("[presets]\na = 3", "\"a\" is wrong: expected a table"),
        ("[preset.a]\npan = 1\ntilt = 1", "did you mean \"presets\"?"),
    ]

    @Test(arguments: presets)
    func `a damaged file of poses is reported with its line, and never overwritten`(text: String, expected: String)
        throws
    {
        let folder = Folder(), store = folder.store("x")
        try folder.put(text, at: store.presetsFile)
        let (library, problems) = store.load()
        #expect(library.presets.isEmpty && problems == [Self.damaged])
        let message = problems.first?.message ?? ""
        #expect(message.contains(expected) && message.hasPrefix(store.presetsFile), "said: \(message)")
        #expect(problems.first?.hint.contains("correct it or move it away") == true)
        #expect(throws: Self.damaged) {
            try store.change { (library) throws(DockError) in try library.savePreset("b", at: .zero) }
        }
        #expect(TemporaryFile.text(of: store.presetsFile) == text)
        // Intact entries can still be changed.
        try store.change { (library) throws(DockError) in try library.save(MotionLibraryTests.motion("greet")) }
    }

    static let motions: [(String, String)] = [
        ("", "\"keys\" is missing"), ("keys = [[0, 0, 0], [1, 2]]", "row 2 of \"keys\" is wrong"),
        ("keys = [[0, 0, 0], [1, 2, \"x\"]]", "row 2"), ("keys = [[0, 0, 0], 3]", "row 2"),
        ("keys = [\n[0, 0, 0],\n[1, 2, 3]\n]\nloop = true", ".toml:5:1: \"loop\" is unknown"),
        ("# x\nkeys = [[0, 0, 0], [1, inf, 0]]", ".toml:2:1: \"greet\" is not a valid motion: key 2 must be within"),
        ("keys = [[1, 0, 0], [2, 0, 0]]", "its first key"), ("keys = [[0, 0, 0]]", "2 to 200 keys"),
        ("keys = [[0,0,0],\n[1,", ".toml:2:"), ("keys = [[0,0,0],[1e300,0,0]]", "key 2"),
    ]

    @Test(arguments: motions)
    func `a damaged motion is reported with its line, and never overwritten`(text: String, expected: String) throws {
        let folder = Folder(), store = folder.store()
        try folder.put(text, at: store.motionFile("greet"))
        let (library, problems) = store.load()
        #expect(library.taught.isEmpty && problems == [Self.damaged])
        #expect(problems.first?.message.contains(expected) == true, "said: \(problems.first?.message ?? "")")
        #expect(throws: Self.damaged) {
            try store.change { (library) throws(DockError) in try library.save(MotionLibraryTests.motion("greet")) }
        }
        #expect(TemporaryFile.text(of: store.motionFile("greet")) == text)
        try store.change { (library) throws(DockError) in try library.savePreset("b", at: .zero) }
    }

    @Test func `a motion with the name of a built-in one, or an invalid name, is reported`() throws {
        let folder = Folder(), store = folder.store()
        for name in ["yes", "My Wave"] { try folder.put("keys = [[0, 0, 0], [1, 5, 0]]", at: store.motionFile(name)) }
        try folder.put("half a file", at: store.root + "/motions/.dockface-Ab12Cd")
        #expect(store.load().problems.count == 2)
    }

    @Test func `integers are numbers, and comments are allowed`() throws {
        let folder = Folder(), store = folder.store()
        try folder.put("# mine\nkeys = [[0, 0, 0], [2, 5, -1]] # slow\n", at: store.motionFile("wave"))
        try folder.put("[presets.desk]\npan = 10\ntilt = -5\n", at: store.presetsFile)
        let (library, problems) = store.load()
        #expect(problems.isEmpty)
        #expect(try library.script(named: "wave").keys.last == MotionScript.Key(time: 2, pan: 5, tilt: -1))
        #expect(try library.preset("desk") == .degrees(pan: 10, tilt: -5))
    }

    @Test func `a pipe, a folder and random bytes in place of a file block nothing`() throws {
        let folder = Folder(), store = folder.store()
        try folder.put("", at: store.motionFile("none"))
        #expect(mkfifo(store.motionFile("pipe"), 0o600) == 0)
        #expect(mkdir(store.motionFile("folder"), 0o700) == 0)
        try folder.put(String(repeating: "#", count: StoredFile.largest + 1), at: store.motionFile("heap"))
        #expect(store.load().problems.count == 4)
    }

    @Test func `a link stays a link`() throws {
        let folder = Folder(), store = folder.store()
        try folder.put("", at: folder.path + "/mine.toml")
        try folder.put("", at: store.presetsFile + ".other")
        #expect(symlink(folder.path + "/mine.toml", store.presetsFile) == 0)
        try store.change { (library) throws(DockError) in try library.savePreset("desk", at: .zero) }
        #expect(TemporaryFile.text(of: folder.path + "/mine.toml")?.contains("[presets.desk]") == true)
        #expect(store.load().library.presets.count == 1)
    }

    @Test func `a failed write reports where, why and what to do`() {
        let store = MotionStore(rig: "x", root: "/dev/null/dockface")
        do throws(DockError) {
            try store.change { (library) throws(DockError) in try library.savePreset("a", at: .zero) }
            Issue.record("was written")
        } catch {
            #expect(error.message.contains("/dev/null") && !error.hint.isEmpty, "said: \(error)")
        }
    }

    @Test(arguments: [
        ("dockface DLP/1 dock", "dockface-dlp-1-dock"), ("Waveshare 2-axis (ST3215)", "waveshare-2-axis-st3215"),
        ("../../etc/passwd", "etc-passwd"), ("云台 1", "云台-1"), ("", "rig"), ("...", "rig"),
        (String(repeating: "long ", count: 50), String(repeating: "long-", count: 19) + "long"),
    ])
    func `the name of a rig becomes a file name`(rig: String, slug: String) {
        #expect(MotionStore.slug(of: rig) == slug)
    }
}
