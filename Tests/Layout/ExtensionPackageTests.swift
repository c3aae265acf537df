import Foundation
import Testing

/// What the daemon and the second package must agree on.
@Suite struct ExtensionPackageTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: LayerTests.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The extensions by their folders: "log", "pad".
    private static func names() throws -> [String] {
        let folder = LayerTests.root.appendingPathComponent("Extensions/Sources")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("dockface-") }
            .map { String($0.dropFirst("dockface-".count)) }.sorted()
    }

    @Test func `the daemon knows the extensions that have packages`() throws {
        let library = try Self.text("Sources/Companion/Extensions/ExtensionLibrary.swift")
        let list = try #require(library.firstMatch(of: /static let packaged = \[(.*?)\]/))
        let packaged = list.1.matches(of: /"([a-z-]+)"/).map { String($0.1) }
        #expect(packaged.sorted() == (try Self.names()) && !packaged.isEmpty)
    }

    @Test func `every extension has the daemon's version, a unit and a page`() throws {
        let source = try Self.text("Sources/Companion/Support/ProgramVersion.swift")
        let version = try #require(source.firstMatch(of: /static let current = "(.*?)"/)).1
        for name in try Self.names() {
            let manifest = try Self.text("Extensions/Sources/dockface-\(name)/\(name).toml")
            #expect(manifest.contains("version = \"\(version)\""), "\(name)")
            #expect(manifest.contains("unit = \"dockface-\(name).service\""), "\(name)")
            let unit = try Self.text("packaging/dockface-\(name).service")
            // systemd ends what comes after the daemon before it, and the dock would go on until then.
            #expect(!unit.contains("\nAfter="), "\(name)")
            #expect(unit.contains("PartOf=dockface.service") && unit.contains("/usr/libexec/dockface/dockface-\(name)"))
            #expect(try !Self.text("docs/\(name.uppercased()).md").isEmpty)
        }
    }
}
