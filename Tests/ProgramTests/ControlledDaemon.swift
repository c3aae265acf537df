import CPosix
import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport

/// The real daemon with its own control socket and data folder, on a simulated dock that knows the true motion.
final class ControlledDaemon {
    let daemon: Daemon
    let socket: String
    let folder: String
    var dock: SimulatedDockPort { daemon.dock }
    var program: Program { daemon.program }
    private let ownsFolder: Bool

    /// Starts it, by default in mode manual without a detector.
    init(
        _ arguments: [String] = ["--detector", "none"], mode: String = "manual", terminal: Terminal? = nil,
        dock: SimulatedDockPort? = nil, port: String? = nil, folder: String? = nil, motions: [String: String] = [:],
        variables: [String: String] = [:], waits: Bool = true
    ) throws {
        var template = Array("/tmp/dockface-test-XXXXXX".utf8CString)
        if folder == nil { _ = mkdtemp(&template) }
        self.folder = folder ?? String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        ownsFolder = folder == nil
        socket = self.folder + "/control.sock"
        let taught = self.folder + "/data/dockface/motions"
        for (name, text) in motions {
            try FileManager.default.createDirectory(atPath: taught, withIntermediateDirectories: true)
            try text.write(toFile: taught + "/\(name).toml", atomically: true, encoding: .utf8)
        }
        var setup = Program.Setup()
        setup.environment = [
            "XDG_DATA_HOME": self.folder + "/data", "XDG_RUNTIME_DIR": self.folder,
            "XDG_STATE_HOME": self.folder + "/state",
        ].merging(variables) { $1 }
        setup.terminal = terminal
        setup.hasInput = terminal == nil
        let looks = terminal == nil ? ["--headless"] : ["--colour", "true"]
        daemon = try Daemon(
            looks + ["--socket", socket, "--mode", mode] + arguments, setup, dock: dock, port: port, waits: false)
        if waits { try ready() }
    }

    deinit {
        daemon.dock.close()
        program.signal(SIGKILL)
        if ownsFolder { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Waits until the dock is ready and has reported its pose.
    func ready() throws {
        try daemon.waitForDock()
        let peer = try peer()
        guard try peer.wait(until: { try !peer.result("status")["motion"]["position"].isNull }) else {
            throw Silence(description: "the dock's pose stays unknown")
        }
    }

    func peer() throws -> ControlPeer { try ControlPeer(self) }

    /// Runs a verb as in another shell, to its end.
    func verb(_ arguments: String...) throws -> (ending: Program.Ending?, output: String, errors: String) {
        let program = try start(arguments)
        let ending = program.end()
        return (ending, program.output, program.errors)
    }

    /// Starts a verb as in another shell.
    func start(_ arguments: [String], terminal: Terminal? = nil) throws -> Program {
        var setup = Program.Setup()
        setup.environment = ["DOCKFACE_SOCKET": socket]
        setup.terminal = terminal
        setup.hasErrors = terminal == nil
        return try Program(arguments, setup)
    }

    /// Whether the dock stands still soon.
    func rests(within seconds: Double = 0.7) -> Bool { daemon.rest(within: seconds) }

    /// Waits until a condition holds, reading the daemon's output.
    @discardableResult
    func wait(_ seconds: Double = 10, until isSo: () -> Bool) -> Bool { program.wait(seconds, until: isSo) }

    /// Waits for a time in which something must not happen.
    func pass(_ seconds: Double) {
        let end = monotonicNow() + seconds
        wait(seconds + 1) { monotonicNow() >= end }
    }
}

/// A Python program that talks to the daemon.
final class PythonClient {
    private let process = Process()
    private let pipe = Pipe()
    private(set) var output = ""

    /// Runs a script with the socket as its argument, or a file with arguments.
    init(_ daemon: ControlledDaemon, script: String? = nil, file: String? = nil, _ arguments: [String] = []) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["python3"]
            + (script.map { ["-c", $0, daemon.socket] } ?? [Place.file(file ?? ""), "--socket", daemon.socket])
            + arguments
        process.environment = ["PATH": "/usr/bin:/bin:/usr/local/bin", "PYTHONPATH": Place.file("clients/python")]
        process.standardOutput = pipe
        process.standardError = pipe
        _ = cposix_set_nonblocking(pipe.fileHandleForReading.fileDescriptor, true)
        try process.run()
    }

    deinit { if process.isRunning { signal(SIGKILL) } }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits until it has printed a text.
    func says(_ text: String, within seconds: Double = 10) -> Bool { eventually(seconds) { heard().contains(text) } }

    /// Waits for its end. Returns its status; nil: it still runs.
    func end(within seconds: Double = 20) -> Int32? {
        guard
            eventually(
                seconds,
                {
                    _ = heard(); return !process.isRunning
                })
        else { return nil }
        _ = heard()
        return process.terminationStatus
    }

    /// The last line of its output, as JSON.
    var summary: JSON { JSON(line: Array((output.split(separator: "\n").last { $0.hasPrefix("{") } ?? "").utf8)) }

    private func heard() -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count), count > 0 {
            output += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return output
    }
}
