import Foundation
import Testing

/// The import table of the extensions, enforced by reading the `import` lines. See ARCHITECTURE.md.
@Suite struct LayerTests {
    /// What every extension may import of the main package. It has no way to the dock except the public interface.
    static let offered: Set<String> = [
        "DockTypes", "ControlProtocol", "DockClient", "PictureShare", "SpatialModel", "Geometry", "Files", "Processes",
        "PlainText",
    ]
    /// What extensions share with each other.
    static let shared: Set<String> = [
        "ExtensionKit", "Codecs", "JPEGCodec", "CTurboJPEG", "DepthCodec", "CDeflate", "FacePrivacy", "Networking",
    ]
    /// The targets of each extension, by its program. They may import each other, but no other extension's.
    static let extensions: [String: Set<String>] = [
        "dockface-depth": ["DepthStream", "CDepthCamera"],
        "dockface-find": ["ThingFinder"],
        "dockface-gesture": ["Gestures"],
        "dockface-log": ["EventLog"],
        "dockface-pad": ["Gamepad", "EventDevice", "CEventDevice"],
        "dockface-record": ["VideoRecorder", "AllSpark", "VideoUpload"],
        "dockface-room": ["Aerie", "Room"],
        "dockface-teleop": ["Teleop"],
        "dockface-uplink": ["Aerie", "LiveStream", "SpatialLog", "Uplink"],
        "dockface-voice": ["Voice"],
    ]
    /// What shows in the code of an extension that it needs a right.
    static let signs: [(right: String, texts: [String])] = [
        ("events", [".updates("]), ("pictures", ["dock.pictures("]),
        ("motion", [".setAngularVelocity(", ".setOrientation(", "dock.expect("]),
        ("files", ["OutputFile.write", "mkdir(", "O_CREAT"]), ("network", ["import Networking"]),
        ("devices", ["import EventDevice", "import CDepthCamera"]), ("sound", ["aplay"]),
    ]
    /// Targets that do without Foundation, whose tables for languages take about 50 MB.
    static var withoutFoundation: [String] { folders("Sources") }

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func folders(_ place: String) -> [String] {
        let all = try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(place).path)
        return (all ?? []).sorted()
    }

    static func swiftFiles(_ target: String) -> [URL] {
        let folder = root.appendingPathComponent("Sources/\(target)")
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }

    static func imports(of text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let at = words.firstIndex(of: "import"), at <= 1, at + 1 < words.count else { return nil }
            guard at == 0 || ["public", "internal", "package", "private", "@testable", "@_exported"].contains(words[0])
            else { return nil }
            return words[at + 1].split(separator: ".").first.map(String.init)
        }
    }

    /// All modules of the main package, also those that it does not offer.
    static let core = Set(
        (try? FileManager.default.contentsOfDirectory(
            atPath: root.deletingLastPathComponent().appendingPathComponent("Sources").path)) ?? [])

    /// What a target may import of our own modules.
    static func allowed(_ target: String) -> Set<String> {
        let mine = extensions.filter { $0.key == target || $0.value.contains(target) }.values.flatMap { $0 }
        return offered.union(shared).union(mine)
    }

    @Test(arguments: folders("Sources"))
    func `a target imports only what the table allows`(target: String) throws {
        let own = Self.core.union(Self.folders("Sources"))
        for file in Self.swiftFiles(target) {
            for name in try Self.imports(of: String(contentsOf: file, encoding: .utf8)) where own.contains(name) {
                #expect(Self.allowed(target).contains(name), "\(file.lastPathComponent) imports \(name)")
            }
        }
    }

    @Test(arguments: withoutFoundation)
    func `extensions do without Foundation`(target: String) throws {
        for file in Self.swiftFiles(target) {
            for name in try Self.imports(of: String(contentsOf: file, encoding: .utf8)) {
                #expect(!name.hasPrefix("Foundation"), "\(file.lastPathComponent) imports \(name)")
            }
        }
    }

    @Test func `every folder of Sources is in the table`() {
        let known = Self.shared.union(Self.extensions.keys).union(Self.extensions.values.flatMap { $0 })
        #expect(Set(Self.folders("Sources")).isSubset(of: known))
    }

    @Test(arguments: folders("Sources").filter { $0.hasPrefix("dockface-") })
    func `a program has a manifest with its name, and an entry of at most 60 lines`(program: String) throws {
        let name = String(program.dropFirst("dockface-".count))
        let manifest = Self.root.appendingPathComponent("Sources/\(program)/\(name).toml")
        let lines = try String(contentsOf: manifest, encoding: .utf8).split(separator: "\n").map(String.init)
        let keys = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(keys == ["name", "about", "version", "protocol", "features", "rights", "unit"])
        #expect(lines.first == "name = \"\(name)\"")
        let entries = try Self.swiftFiles(program).filter {
            let text = try String(contentsOf: $0, encoding: .utf8)
            return text.contains("@main") || $0.lastPathComponent == "main.swift"
        }
        #expect(entries.count == 1)
        for entry in entries {
            let text = try String(contentsOf: entry, encoding: .utf8)
            #expect(text.count { $0 == "\n" } <= 60)
        }
    }

    @Test(arguments: folders("Sources").filter { $0.hasPrefix("dockface-") })
    func `help names a command as it is typed`(program: String) throws {
        let typed = program.replacing("dockface-", with: "dockface ")
        let texts = try Self.swiftFiles(program).map { try String(contentsOf: $0, encoding: .utf8) }
        #expect(texts.contains { $0.contains("commandName: \"\(typed)\"") })
        #expect(!texts.contains { $0.contains("usage: \"\(program)") })
    }

    @Test(arguments: folders("Sources").filter { $0.hasPrefix("dockface-") })
    func `a manifest names the rights that the extension uses`(program: String) throws {
        let name = String(program.dropFirst("dockface-".count))
        let manifest = Self.root.appendingPathComponent("Sources/\(program)/\(name).toml")
        let lines = try String(contentsOf: manifest, encoding: .utf8).split(separator: "\n")
        let rights = try #require(lines.first { $0.hasPrefix("rights = ") })
        let targets = try #require(Self.extensions[program]).union([program])
        let code = try targets.flatMap { Self.swiftFiles($0) }.map { try String(contentsOf: $0, encoding: .utf8) }
        for (right, texts) in Self.signs {
            let isUsed = code.contains { file in texts.contains { file.contains($0) } }
            #expect(!isUsed || rights.contains("\"\(right)\""), "\(program) needs the right \(right)")
        }
    }

    @Test func `an import of a module that the daemon keeps for itself would be noticed`() {
        let found = Self.imports(of: "internal import DockControl\npublic import struct Geometry.Rect\nimport Glibc")
        #expect(found.first == "DockControl" && Self.core.contains("DockControl"))
        #expect(!Self.allowed("EventLog").contains("DockControl") && !Self.allowed("EventLog").contains("Gamepad"))
    }
}
