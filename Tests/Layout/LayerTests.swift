import Foundation
import Testing

/// The import table of ARCHITECTURE.md, enforced by reading the `import` lines.
@Suite struct LayerTests {
    /// Our own targets and what each may import of them. All may import the system and what Package.swift provides.
    static let table: [String: Set<String>] = [
        "Geometry": [],
        "SpatialModel": ["Geometry"],
        "PlainText": [],
        "Plotting": [],
        "DockWire": [],
        "DockFirmware": ["DockWire"],
        "DockTypes": ["PlainText"],
        "Files": ["DockTypes", "PlainText", "CPosix"],
        "ControlProtocol": ["DockTypes", "Geometry", "PlainText"],
        "DockControl": ["DockTypes", "Geometry", "PlainText", "DockWire", "CSerialPort", "CUdev", "CPosix"],
        "Processes": ["Geometry", "PlainText", "CPosix"],
        "DockClient": ["ControlProtocol", "DockTypes", "Files", "Geometry", "PictureShare", "Processes", "CPosix"],
        "PictureShare": ["Geometry", "Processes", "CPosix"],
        "DockTestKit": ["ControlProtocol", "DockTypes", "Geometry", "Processes", "CPosix"],
        "FaceTracker": ["Geometry", "PlainText", "Processes", "CPosix"],
        "Camera": ["Geometry", "PictureShare", "PlainText", "Processes", "CPosix"],
        "RobotFace": ["Geometry", "Processes", "CPosix"],
        "DockSimulator": [
            "ControlProtocol", "Geometry", "DockWire", "DockFirmware", "DockControl", "FaceTracker", "CPosix",
        ],
        "Companion": [
            "ControlProtocol", "DockClient", "DockTypes", "Files", "Geometry", "PlainText", "DockControl",
            "FaceTracker", "RobotFace", "Camera", "PictureShare", "SpatialModel", "Processes", "CPosix",
        ],
        "CompanionDockKit": ["Companion", "Geometry"],
        "DaemonSimulation": [
            "DockTypes", "Geometry", "DockWire", "DockControl", "DockSimulator", "FaceTracker", "RobotFace",
            "Companion",
        ],
        "simulate-stories": ["DaemonSimulation", "DockControl"],
        "ServoTrials": [
            "ControlProtocol", "DockTypes", "Geometry", "DockControl", "DockSimulator", "FaceTracker", "Companion",
            "Plotting", "Processes", "CPosix",
        ],
        "servo-trials": ["ServoTrials", "DockSimulator", "Geometry", "Plotting"],
        "dockface": [
            "ControlProtocol", "DockClient", "DockTypes", "Files", "Geometry", "PlainText", "DockControl",
            "FaceTracker", "RobotFace", "Camera", "PictureShare", "Processes", "DockSimulator", "Companion", "CPosix",
            "Plotting", "ServoTrials",
        ],
    ]
    /// Targets on the hot path or without heap: no Foundation there.
    static let withoutFoundation: Set<String> = [
        "Geometry", "SpatialModel", "PlainText", "DockTypes", "Files", "ControlProtocol", "DockClient", "DockWire",
        "DockFirmware",
        "FaceTracker",
        "RobotFace",
        "DockControl", "Processes", "PictureShare", "Camera",
    ]
    /// Targets that may use nothing besides the table, not even the C library: they also compile for a microcontroller.
    static let embedded: Set<String> = ["DockWire", "DockFirmware"]

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func swiftFiles(_ target: String) -> [URL] {
        let folder = root.appendingPathComponent("Sources/\(target)")
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }

    static func imports(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let at = words.firstIndex(of: "import"), at <= 1, at + 1 < words.count else { return nil }
            guard at == 0 || ["public", "internal", "package", "private", "@testable"].contains(words[0]) else {
                return nil
            }
            return words[at + 1].split(separator: ".").first.map(String.init)
        }
    }

    @Test(arguments: table.keys.sorted())
    func `a target imports only what the table allows`(target: String) throws {
        let files = Self.swiftFiles(target)
        #expect(!files.isEmpty, "no sources found for \(target)")
        let own = Set(Self.table.keys).union(["CSerialPort", "CUdev", "CPosix"])
        let allowed = Self.table[target] ?? []
        for file in files {
            for name in try Self.imports(of: file) where own.contains(name) {
                #expect(allowed.contains(name), "\(file.lastPathComponent) imports \(name)")
            }
        }
    }

    @Test(arguments: withoutFoundation.sorted())
    func `targets on the hot path do without Foundation`(target: String) throws {
        for file in Self.swiftFiles(target) {
            for name in try Self.imports(of: file) {
                #expect(!name.hasPrefix("Foundation"), "\(file.lastPathComponent) imports \(name)")
            }
        }
    }

    @Test(arguments: embedded.sorted())
    func `embedded targets import only the wire`(target: String) throws {
        for file in Self.swiftFiles(target) {
            for name in try Self.imports(of: file) {
                #expect(name == "DockWire", "\(file.lastPathComponent) imports \(name)")
            }
        }
    }

    @Test func `libserialport is imported in one file`() throws {
        let users = try Self.swiftFiles("DockControl").filter { try Self.imports(of: $0).contains("CSerialPort") }
        #expect(users.map(\.lastPathComponent) == ["SerialPort.swift"])
    }

    @Test(arguments: table.keys.sorted())
    func `the manifest gives a target what the table allows, and all of it is imported`(target: String) throws {
        let manifest = try String(
            contentsOf: Self.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let own = Set(Self.table.keys).union(["CSerialPort", "CUdev", "CPosix"])
        // A target's lines: from its name to the next target.
        let start = try #require(
            manifest.range(of: #"arget\(\s*name: "\#(target)"[,)]"#, options: .regularExpression)?.upperBound)
        let rest = manifest[start...]
        let end = rest.range(of: #"\n        \."#, options: .regularExpression)?.lowerBound ?? rest.endIndex
        let given = Set(rest[..<end].split(separator: "\"").map(String.init)).intersection(own)
        #expect(given == Self.table[target])
        let used = try Set(Self.swiftFiles(target).flatMap { try Self.imports(of: $0) }).intersection(own)
        #expect(used == Self.table[target], "no file imports \((Self.table[target] ?? []).subtracting(used).sorted())")
    }

    @Test func `every folder of Sources is in the table`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appendingPathComponent("Sources").path)
        let swift = Set(folders.filter { !Self.swiftFiles($0).isEmpty })
        #expect(swift == Set(Self.table.keys))
    }

    @Test func `every driver file is a row of the driver table`() throws {
        let folder = Self.root.appendingPathComponent("Sources/DockControl/Drivers")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let drivers = files.filter { $0.hasSuffix("Driver.swift") && $0 != "DockDriver.swift" }
        let table = try String(contentsOf: folder.appendingPathComponent("DriverTable.swift"), encoding: .utf8)
        #expect(!drivers.isEmpty)
        for file in drivers {
            #expect(table.contains("\(file.dropLast(6)).self"), "\(file) is not in DriverTable.all")
        }
    }
}
