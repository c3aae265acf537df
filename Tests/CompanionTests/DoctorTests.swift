import DockControl
import Foundation
import Testing

@testable import Companion

/// The doctor, shown machines with troubles.
@Suite struct DoctorTests {
    static let right = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"]

    /// A machine of files: text for a file, "-> target" for a link.
    private func machine(
        _ files: [String: String], environment: [String: String] = right, _ use: (Doctor, SystemView) throws -> Void
    ) throws {
        let root = NSTemporaryDirectory() + "machine-\(UInt32.random(in: 0 ... .max))"
        let manager = FileManager.default
        defer { try? manager.removeItem(atPath: root) }
        for (path, text) in files {
            let folder = (root + path as NSString).deletingLastPathComponent
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            if text.hasPrefix("-> ") {
                try manager.createSymbolicLink(atPath: root + path, withDestinationPath: root + text.dropFirst(3))
            } else {
                try text.write(toFile: root + path, atomically: true, encoding: .utf8)
            }
        }
        let system = SystemView(root: root, environment: environment)
        try use(Doctor(system), system)
    }

    static let port = PortInfo(path: "/dev/ttyUSB0", description: "", identity: RigTests.bridge)

    @Test func `a port that all is well with`() throws {
        try machine(["/dev/ttyUSB0": "", "/proc/1/comm": "init\n"]) { doctor, _ in
            let adopted = [RigTests.rig("desk", .place("0000:00:14.0/2:00"))]
            let findings = doctor.port(Self.port, adopted: adopted)
            #expect(findings == [Finding("port", .ok, "/dev/ttyUSB0: adopted as \"desk\", 1a86:7523")])
            #expect(doctor.port(Self.port, adopted: []).first?.hint?.contains("place:0000:00:14.0/2:00") == true)
            #expect(doctor.rivals().isEmpty)
        }
    }

    @Test func `who holds a port is named, and what to do`() throws {
        let files = ["/dev/ttyUSB0": "", "/proc/71/comm": "minicom\n", "/proc/71/fd/4": "-> /dev/ttyUSB0"]
        try machine(files) { doctor, _ in
            let finding = doctor.port(Self.port, adopted: []).first
            #expect(finding?.level == .bad && finding?.text.contains("minicom (process 71)") == true)
            #expect(finding?.hint == "end it: kill 71")
        }
        let own = ["/dev/ttyUSB0": "", "/proc/71/comm": "dockface\n", "/proc/71/fd/4": "-> /dev/ttyUSB0"]
        try machine(own) { doctor, _ in #expect(doctor.port(Self.port, adopted: []).first?.level == .note) }
    }

    @Test func `a slow adapter, and programs that take ports`() throws {
        let files = [
            "/dev/ttyUSB0": "", "/sys/class/tty/ttyUSB0/device/latency_timer": "16\n",
            "/proc/12/comm": "ModemManager\n", "/proc/13/comm": "brltty\n", "/proc/self/comm": "gpsd\n",
        ]
        try machine(files) { doctor, _ in
            let slow = doctor.port(Self.port, adopted: []).last
            #expect(slow?.level == .warning && slow?.text.contains("16 ms") == true)
            #expect(slow?.hint?.contains("/sys/class/tty/ttyUSB0/device/latency_timer") == true)
            #expect(doctor.rivals().map { $0.text.split(separator: " ").first } == ["ModemManager", "brltty"])
        }
    }

    @Test func `terminals and cameras`() throws {
        try machine([:]) { doctor, _ in
            #expect(doctor.terminal().map(\.level) == [.ok])
            #expect(doctor.cameras().first?.level == .note && doctor.hotplug().level == .note)
        }
        try machine(["/dev/video0": "", "/run/udev/control": ""], environment: ["TERM": "dumb"]) { doctor, _ in
            #expect(doctor.terminal().map(\.level) == [.warning, .note])
            #expect(doctor.cameras().first?.text == "1 camera device: /dev/video0" && doctor.hotplug().level == .ok)
        }
        try machine([:], environment: ["TERM": "xterm", "LC_ALL": "C", "LANG": "C.UTF-8"]) { doctor, _ in
            #expect(doctor.terminal().map(\.text).first?.contains("(C) is not UTF-8") == true)
        }
    }

    @Test func `nothing plugged in is told, and the worst one counts`() throws {
        try machine([:]) { doctor, _ in
            let findings = doctor.examine(ports: [], adopted: [RigTests.rig("desk", .serial("A1"))])
            #expect(findings.first?.level == .warning && findings.first?.text == "no USB serial port is plugged in")
            #expect(findings.contains { $0.subject == "clock" })
            #expect(Finding.Level.bad > .warning && Finding.Level.warning > .note && Finding.Level.note > .ok)
        }
    }
}
