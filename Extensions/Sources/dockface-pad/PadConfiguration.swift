internal import DockTypes
internal import ExtensionKit
internal import Files
internal import Gamepad
internal import Geometry
internal import Glibc

/// The settings of the program, from `pad.toml` and `DOCKFACE_PAD_*`.
struct PadConfiguration: Sendable {
    var settings = PadSettings()
    /// The path of a device, or a part of its name.
    var device: String?
    /// The path of a mapping database.
    var database: String?
    private var buttons: [PadButton: String] = [:]

    /// Reads the settings.
    /// - Throws: `configuration` with all mistakes of a file.
    static func read(_ source: ExtensionSettings = ExtensionSettings("pad")) throws(DockError) -> PadConfiguration {
        var configuration = PadConfiguration()
        do throws(FileError) {
            try source.read(rows, into: &configuration)
        } catch {
            throw DockError(error)
        }
        for (button, text) in configuration.buttons {
            do throws(PadAction.Refusal) {
                configuration.settings.actions[button] = try PadAction(text)
            } catch {
                throw DockError(
                    .configuration, "buttons.\(button.rawValue): \(error.message)",
                    hint: "correct pad.toml, or the variable")
            }
        }
        return configuration
    }

    private static func share(
        _ name: String, _ range: ClosedRange<Double>, _ member: any WritableKeyPath<PadSettings, Double> & Sendable
    ) -> FileRow<PadConfiguration> {
        FileRow(name, .number(range), get: { .number($0.settings[keyPath: member] * 100) }) {
            $0.settings[keyPath: member] = $1.number / 100
        }
    }

    static let rows: [FileRow<PadConfiguration>] =
        [
            share("speed", 1...100, \.speed), share("fine-speed", 1...100, \.fineSpeed),
            share("dead-zone", StickShape.zones.lowerBound * 100...StickShape.zones.upperBound * 100, \.deadZone),
            share("expo", 0...100, \.expo),
            FileRow("invert-tilt", .flag, get: { .flag($0.settings.invertsTilt) }) {
                $0.settings.invertsTilt = $1.flag
            },
            FileRow(
                "dead-man", .oneOf(PadButton.allCases.map(\.rawValue)), get: { .text($0.settings.deadMan.rawValue) }
            ) { $0.settings.deadMan = PadButton(rawValue: $1.text) ?? .leftShoulder },
            FileRow("silence", .number(1...600), get: { .number($0.settings.silence) }) {
                $0.settings.silence = $1.number
            },
            FileRow("animations", .texts(most: 16), get: { .texts($0.settings.animations) }) {
                $0.settings.animations = $1.texts
            },
            FileRow("device", .text, get: { $0.device.map { .text($0) } }) { $0.device = $1.text },
            FileRow("database", .text, get: { $0.database.map { .text($0) } }) { $0.database = $1.text },
        ]
        + PadButton.allCases.map { button in
            FileRow("buttons.\(button.rawValue)", .text, get: { $0.buttons[button].map { .text($0) } }) {
                $0.buttons[button] = $1.text
            }
        }
}

/// The places of a mapping database in SDL's form.
enum PadDatabaseFile {
    /// The files that are tried without a setting. The last is in Debian's package openmw-data.
    static var usual: [String] {
        [
            ProcessEnvironment.value("SDL_GAMECONTROLLERCONFIG_FILE"),
            UserFolder.configuration + "/gamecontrollerdb.txt",
            "/etc/dockface/gamecontrollerdb.txt", "/etc/openmw/gamecontrollerdb.txt",
        ].compactMap { $0 }
    }

    /// Reads the database, with the path of its file; nil if there is none.
    /// - Throws: `configuration` if the file that was named cannot be read.
    static func read(_ named: String?) throws(DockError) -> (PadDatabase, path: String?) {
        for path in named.map({ [$0] }) ?? usual {
            if let text = text(of: path) { return (PadDatabase(text), path) }
        }
        guard let named else { return (PadDatabase(), nil) }
        throw DockError(
            .configuration, "the mapping database \(named) cannot be read",
            hint: "name a regular file of at most \(PadDatabase.longestText >> 20) MiB")
    }

    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        // A pipe would never end.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= PadDatabase.longestText
        else { return nil }
        var bytes: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= PadDatabase.longestText, case let count = Glibc.read(descriptor, &chunk, chunk.count),
            count > 0
        {
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
