import DockSimulator
import Foundation
import Glibc
import TestSupport

/// A daemon with a settings file that can be rewritten.
final class Tuned {
    let file: TemporaryFile
    let daemon: Daemon

    init(_ text: String, _ arguments: [String] = ["--headless", "--detector", "stdin"]) throws {
        file = try TemporaryFile(text, ".toml")
        var setup = Program.Setup()
        setup.environment = ["DOCKFACE_CONFIG": file.path]
        // Without a socket, so that every open descriptor is its own.
        daemon = try Daemon(arguments + ["--socket", "none"], setup)
    }

    deinit { daemon.dock.close() }

    func change(_ text: String) throws {
        try text.write(toFile: file.path, atomically: false, encoding: .utf8)
        daemon.program.signal(SIGHUP)
    }

    func says(_ words: String, times: Int = 1) -> Bool {
        let program = daemon.program
        return program.wait(15) { program.errors.components(separatedBy: words).count > times }
    }
}
