import Foundation
import Testing

/// What the daemon and the second package must agree on.
@Suite struct ExtensionPackageTests {
    static func text(_ path: String) throws -> String {
        try String(contentsOf: LayerTests.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The extensions by their folders: "log", "pad".
    static func names() throws -> [String] {
        let folder = LayerTests.root.appendingPathComponent("Extensions/Sources")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("dockface-") }
            .map { String($0.dropFirst("dockface-".count)) }.sorted()
    }

    @Test func `the daemon knows the extensions that have packages`() throws {
        let library = try Self.text("Sources/Companion/Extensions/ExtensionLibrary.swift")
        let list = try #require(library.firstMatch(of: /static let packaged = \[([^\]]*)\]/))
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
            #expect(try !Self.text("docs/\(name.uppercased()).md").isEmpty)
        }
    }

    @Test func `the manual says of a right what the daemon says`() throws {
        let manifest = try Self.text("Sources/Companion/Extensions/ExtensionManifest.swift")
        let list = try #require(manifest.firstMatch(of: /static let meanings: .*? = \[\n([\s\S]*?)\n    \]/)).1
        let meanings = list.matches(of: /\("([a-z]+)", "([^"]+)"\)/)
        let manual = try Self.text("scripts/manual")
        #expect(meanings.count >= 7)
        for meaning in meanings { #expect(manual.contains("\"\(meaning.1)\": \"\(meaning.2)\"")) }
    }
}

/// The units that `scripts/units` makes from one template.
@Suite(.timeLimit(.minutes(10))) struct ExtensionUnitTests {
    /// The units by their kind, "system" or "user", and the name of their extension.
    private static func units(_ folder: URL) throws -> [String: [String: String]] {
        try run(LayerTests.root.appendingPathComponent("scripts/units").path, folder.path)
        return try ["system", "user"].reduce(into: [:]) { units, kind in
            for name in try ExtensionPackageTests.names() {
                let file = folder.appendingPathComponent("\(kind)/dockface-\(name).service")
                units[kind, default: [:]][name] = try String(contentsOf: file, encoding: .utf8)
            }
        }
    }

    /// Runs a program, which must succeed. Returns what it prints.
    @discardableResult
    private static func run(_ words: String...) throws -> String {
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(words): \(text)")
        return text
    }

    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("dockface-units-" + UUID().uuidString)

    /// Calls a body with all units.
    private func withUnits(_ body: ([String: [String: String]]) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(try Self.units(folder))
    }

    /// The rights of an extension that its service needs.
    private static func rights(_ name: String) throws -> Set<String> {
        let manifest = try ExtensionPackageTests.text("Extensions/Sources/dockface-\(name)/\(name).toml")
        let list = try #require(manifest.firstMatch(of: /rights = \[(.*?)\]/)).1
        return words(list).subtracting(words(try row(name).firstMatch(of: /without = \[(.*?)\]/)?.1 ?? ""))
    }

    private static func words(_ list: Substring) -> Set<String> {
        Set(list.matches(of: /"([a-z]+)"/).map { String($0.1) })
    }

    /// The row of an extension in packaging/extensions.toml.
    private static func row(_ name: String) throws -> Substring {
        let rows = try ExtensionPackageTests.text("packaging/extensions.toml")
        let start = try #require(rows.firstRange(of: "\n[\(name)]\n")).upperBound
        return rows[start..<(rows[start...].firstRange(of: "\n\n")?.lowerBound ?? rows.endIndex)]
    }

    @Test func `a unit ends after the dock, starts its program again, and uses the times that all agree on`() throws {
        let source = try ExtensionPackageTests.text("Sources/ControlProtocol/ExtensionTimes.swift")
        let times = source.matches(of: /static let (\w+): Seconds = (\d+)/).reduce(into: [String: String]()) {
            $0[String($1.1)] = String($1.2)
        }
        try withUnits { units in
            for (name, unit) in units.values.joined() {
                let lines = Set(unit.split(separator: "\n").map(String.init))
                // systemd ends what comes after the daemon before it, and the dock would go on until then.
                #expect(!unit.contains("\nAfter=") && !unit.contains(/@[a-z]+@/), "\(unit)")
                #expect(unit.contains("ExecStart=/usr/libexec/dockface/dockface-\(name)"))
                #expect(lines.contains("TimeoutStopSec=\(times["kill"] ?? "")"))
                #expect(lines.contains("WatchdogSec=\(times["watchdog"] ?? "")"))
                // A room has no dock, and its server needs no daemon.
                let isAlone = name == "room"
                #expect(lines.contains("PartOf=dockface.service") == !isAlone)
                #expect(lines.contains("WantedBy=dockface.service") == !isAlone)
                #expect(
                    lines.isSuperset(of: [
                        "Restart=on-failure",
                        "StartLimitIntervalSec=0", "SuccessExitStatus=143", "Documentation=man:dockface-\(name)(1)",
                        "LimitCORE=0",
                    ]))
            }
        }
    }

    @Test func `a unit gives the rights of the manifest, and no others`() throws {
        try withUnits { units in
            for (kind, all) in units {
                for (name, unit) in all {
                    let rights = try Self.rights(name), isSystem = kind == "system"
                    let lines = Set(unit.split(separator: "\n").map(String.init))
                    let opensDevices = !rights.isDisjoint(with: ["devices", "sound"])
                    #expect(
                        lines.isSuperset(of: [
                            "NoNewPrivileges=yes", "MemoryDenyWriteExecute=yes", "RestrictNamespaces=yes",
                            "RestrictSUIDSGID=yes", "LockPersonality=yes", "SystemCallFilter=@system-service",
                            "SystemCallArchitectures=native", "UMask=0077",
                        ]), "\(kind) \(name)")
                    #expect(lines.contains("RestrictAddressFamilies=AF_UNIX") == !rights.contains("network"))
                    // What a user's manager cannot enforce would keep the unit from starting.
                    #expect(lines.contains("ProtectSystem=strict") == isSystem)
                    #expect(lines.contains("User=dockface") == isSystem)
                    #expect(
                        lines.contains("PrivateNetwork=yes") == (isSystem && !rights.contains("network")), "\(name)")
                    #expect(lines.contains("PrivateDevices=yes") == (isSystem && !opensDevices))
                    #expect(lines.contains("DevicePolicy=closed") == (isSystem && opensDevices))
                    let folder = lines.contains { $0.hasPrefix("StateDirectory=dockface/") }
                    #expect(folder == (isSystem && rights.contains("files")))
                }
            }
        }
    }

    @Test func `a unit that shows something to other programs shares the folder of the daemon's unit`() throws {
        let daemon = try ExtensionPackageTests.text("packaging/dockface.service")
        let folder = Set(daemon.split(separator: "\n").filter { $0.hasPrefix("RuntimeDirectory") }.map(String.init))
        #expect(folder == ["RuntimeDirectory=dockface", "RuntimeDirectoryPreserve=yes"])
        try withUnits { units in
            for (kind, all) in units {
                for (name, unit) in all {
                    let lines = unit.split(separator: "\n").filter { $0.hasPrefix("RuntimeDirectory") }
                    let shares = try kind == "system" && Self.row(name).contains("\nshares = true")
                    // With another mode, or without the word to keep it, one unit would change the folder of the other.
                    #expect(Set(lines.map(String.init)) == (shares ? folder : []), "\(kind) \(name)")
                }
            }
        }
        #expect(try Self.row("depth").contains("\nshares = true"))
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"), "no systemd-analyze"))
    func `systemd rates the exposure of a unit of the system as low`() throws {
        try withUnits { units in
            for (name, _) in units["system"] ?? [:] {
                let unit = folder.appendingPathComponent("system/dockface-\(name).service").path
                let said = try Self.run("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
                let level = try #require(said.firstMatch(of: /exposure level for .*?: ([0-9.]+)/), "\(said)").1
                let rights = try Self.rights(name),
                    opensDevices = rights.contains("devices") || rights.contains("sound")
                let most = rights.contains("network") ? opensDevices ? 1.9 : 1.7 : 1.2
                #expect(try #require(Double(level)) <= most, "\(name): \(level)")
            }
        }
    }
}
