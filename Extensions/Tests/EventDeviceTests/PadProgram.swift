import DockTestKit
import Foundation
import Glibc
import Testing

/// The built program.
enum PadProgram {
    /// It is beside the tests.
    static let url = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("dockface-pad")

    /// Runs it with these options and without settings, until it ends.
    static func run(_ options: String..., settings: String = "") throws -> (
        status: Int32, output: String, errors: String
    ) {
        let folder = TemporaryFolder()
        folder.write(settings, to: "dockface/pad.toml")
        let process = Process(), output = Pipe(), errors = Pipe()
        process.executableURL = url
        process.arguments = options
        process.environment = ["XDG_CONFIG_HOME": folder.path, "PATH": "/usr/bin:/bin"]
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let text = [output, errors].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return (process.terminationStatus, text[0], text[1])
    }
}

/// The program from outside, on a machine with or without gamepads.
@Suite(.timeLimit(.minutes(10))) struct PadProgramTests {
    @Test func `it lists what there is, and the database`() throws {
        let (status, output, errors) = try PadProgram.run("--list")
        #expect(status == 0 && errors.isEmpty && output.contains("mapping database"), "\(output) \(errors)")
    }

    @Test func `it shows its buttons, with the settings`() throws {
        let settings = "dead-man = \"right-shoulder\"\n[buttons]\nsouth = \"face happy\""
        let (status, output, _) = try PadProgram.run("--map", "--device", "no such pad", settings: settings)
        #expect(status == 0 && output.hasPrefix("no gamepad"))
        #expect(output.contains("right-shoulder  dead-man") && output.contains("face happy"))
    }

    @Test(arguments: [
        (["--speed", "0"], "", Int32(64), "--speed"), (["--list"], "sped = 1", 78, "speed"),
        (["--map"], "[buttons]\nsouth = \"quit\"", 78, "buttons.south"),
        (["--list"], "database = \"/no/such/file\"", 78, "/no/such/file"), (["--unknown"], "", 64, "--unknown"),
    ])
    func `what is wrong is named, with its exit status`(
        _ options: [String], _ settings: String, _ wanted: Int32, _ word: String
    ) throws {
        let (status, _, errors) = try PadProgram.run(
            options[0], options.count > 1 ? options[1] : "--dry-run", settings: settings)
        #expect(status == wanted && errors.contains(word), "\(status) \(errors)")
    }

    @Test func `it ends at TERM while it waits`() throws {
        let process = Process(), errors = Pipe()
        process.executableURL = PadProgram.url
        process.arguments = ["--dry-run", "--device", "no such pad"]
        process.environment = ["XDG_CONFIG_HOME": "/no/such/folder"]
        process.standardError = errors
        try process.run()
        // Its threads are there when it waits.
        while let tasks = try? FileManager.default.contentsOfDirectory(
            atPath: "/proc/\(process.processIdentifier)/task"),
            tasks.count < 3
        { sched_yield() }
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        let isOrderly = process.terminationReason == .exit && process.terminationStatus == 128 + SIGTERM
        let isEarly = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM
        #expect(isOrderly || isEarly)
    }
}
