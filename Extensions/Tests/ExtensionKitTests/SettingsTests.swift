import Files
import Foundation
import Testing

@testable import ExtensionKit

@Suite final class ExtensionSettingsTests {
    private struct Values: Equatable {
        var budget = 64.0
        var device = ""
        var isOn = true
        var rate = 0.0
    }

    private static let rows: [FileRow<Values>] = [
        FileRow("budget", .number(1...1000), get: { .number($0.budget) }) { $0.budget = $1.number },
        FileRow("device", .text, get: { .text($0.device) }) { $0.device = $1.text },
        FileRow("on", .flag, get: { .flag($0.isOn) }) { $0.isOn = $1.flag },
        FileRow("motion.rate", .whole(0...60), get: { .number($0.rate) }) { $0.rate = $1.number },
    ]

    private let folder = NSTemporaryDirectory() + "dockface-test-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func read(
        user: String? = nil, system: String? = nil, _ environment: [String: String] = [:]
    ) throws -> Values {
        let files = [folder + "/user.toml", folder + "/system.toml"]
        for (path, text) in zip(files, [user, system]) {
            try text?.write(toFile: path, atomically: true, encoding: .utf8)
        }
        var values = Values()
        try ExtensionSettings("pad", files: files, environment: environment).read(Self.rows, into: &values)
        return values
    }

    private func mistakes(_ user: String? = nil, _ environment: [String: String] = [:]) -> [String] {
        do {
            _ = try read(user: user, environment)
            return []
        } catch {
            return (error as? FileError)?.lines ?? ["\(error)"]
        }
    }

    @Test func `without files and variables the defaults apply`() throws { #expect(try read() == Values()) }

    @Test func `variables come before the user's file, and that before the system's`() throws {
        let values = try read(
            user: "budget = 20\ndevice = \"user\"", system: "budget = 10\ndevice = \"system\"\non = false",
            ["DOCKFACE_PAD_BUDGET": "30", "DOCKFACE_PAD_MOTION_RATE": "5"])
        #expect(values == Values(budget: 30, device: "user", isOn: false, rate: 5))
    }

    @Test func `an empty variable counts as not set, and others' variables do not matter`() throws {
        #expect(try read(["DOCKFACE_PAD_BUDGET": "", "DOCKFACE_PORT": "sim"]) == Values())
    }

    @Test func `a mistake in a file names the file, the line and the nearest key`() {
        let lines = mistakes("on = true\nbudgte = 3\nbudget = 5000")
        #expect(lines.count == 2)
        #expect(lines.first == "\(folder)/user.toml:2:1: \"budgte\" is unknown; did you mean \"budget\"?")
        #expect(lines.last?.contains(":3:") == true && lines.last?.contains("from 1 to 1000") == true)
    }

    @Test(arguments: [
        ("DOCKFACE_PAD_BUDGET", "many", "expected a number from 1 to 1000"),
        ("DOCKFACE_PAD_BUDGET", "nan", "expected a number from 1 to 1000"),
        ("DOCKFACE_PAD_MOTION_RATE", "1.5", "expected a whole number from 0 to 60"),
        ("DOCKFACE_PAD_ON", "perhaps", "expected true or false"),
        ("DOCKFACE_PAD_DEVICE", "a\u{1B}b", "expected a string"),
        ("DOCKFACE_PAD_BUDGTE", "3", "did you mean DOCKFACE_PAD_BUDGET?"),
    ])
    func `a mistake in a variable names the variable and what is expected`(name: String, value: String, part: String) {
        let lines = mistakes(nil, [name: value])
        #expect(lines.count == 1 && lines[0].hasPrefix(name) && lines[0].contains(part))
    }

    @Test func `variables are read from the form of the system`() {
        let bytes = Array("A=1\u{0}B=x=y\u{0}broken\u{0}C=\u{0}".utf8)
        #expect(ExtensionSettings.parsed(bytes) == ["A": "1", "B": "x=y", "C": ""])
    }
}
