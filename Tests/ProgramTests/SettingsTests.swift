import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// Settings as a person sees them: the verb, the file, and their effect on a run.
    @Suite(.timeLimit(.minutes(10))) struct SettingsOfAProgram {
        private func run(_ words: [String], _ variables: [String: String] = [:]) throws -> Program {
            var setup = Program.Setup()
            setup.environment = variables
            let program = try Program(words, setup)
            _ = program.end()
            return program
        }

        private struct Option: Decodable {
            struct Name: Decodable { var name: String }
            var names: [Name]?
        }
        private struct Verb: Decodable {
            var commandName: String
            var arguments: [Option]?
            var subcommands: [Verb]?
        }
        private struct Tool: Decodable { var command: Verb }
        private struct Key: Decodable { var key: String, option: String, variable: String }

        @Test func `every key is an option of run`() throws {
            let tool = try JSONDecoder().decode(
                Tool.self, from: Data(try run(["--experimental-dump-help"]).output.utf8))
            let verb = try #require(tool.command.subcommands?.first { $0.commandName == "run" })
            let options = Set((verb.arguments ?? []).flatMap { ($0.names ?? []).map(\.name) })
            let keys = try JSONDecoder().decode(
                [Key].self, from: Data(try run(["config", "keys", "--json"]).output.utf8))
            for key in keys { #expect(options.contains(key.option), "--\(key.option)") }
        }

        @Test func `config shows each value and its origin`() throws {
            let file = try TemporaryFile("speed = 30\n\n[face]\nstyle = \"bar\"\n", ".toml")
            let shown = try run(
                ["config", "show", "--origin", "--config", file.path], ["DOCKFACE_MODE": "manual"])
            #expect(shown.end() == .exit(0))
            #expect(shown.output.contains("speed = 30") && shown.output.contains("# \(file.path):1"))
            #expect(shown.output.contains("environment, DOCKFACE_MODE"))
            #expect(shown.output.contains("[face]\nstyle = \"bar\""))
            let all = try run(["config", "show", "--all", "--config", file.path])
            #expect(all.output.contains("#camera: none"))
        }

        @Test func `config check names file, line and column, and ends with status 78`() throws {
            let file = try TemporaryFile("sped = 30\nmode = \"auto\"\n", ".toml")
            for words in [["config", "check", file.path], ["config", "check", "--config", file.path]] {
                let program = try run(words)
                #expect(program.end() == .exit(78))
                let said = program.output + program.errors
                #expect(said.contains("\(file.path):1:1: ") && said.contains("did you mean \"speed\"?"), "\(said)")
                #expect(said.contains("\(file.path):2:1: "), "\(said)")
            }
        }

        @Test func `a wrong file or variable ends a run before anything is opened`() throws {
            let file = try TemporaryFile("mode = \"auto\"\n", ".toml")
            let first = try run(["run", "--port", "sim", "--headless"], ["DOCKFACE_CONFIG": file.path])
            #expect(first.end() == .exit(78))
            #expect(first.errors.contains("\(file.path):1:1: \"mode\" is wrong"), "\(first.errors)")
            let second = try run(["run", "--port", "sim", "--headless"], ["DOCKFACE_SPEED": "0"])
            #expect(second.end() == .exit(78))
            #expect(second.errors.contains("DOCKFACE_SPEED"), "\(second.errors)")
        }

        @Test func `limits that the rig cannot have end a run before anything is opened`() throws {
            for (limits, words) in [("pan 60 -60", "below the maximum"), ("pan 500 600", "the rig's own limits")] {
                let file = try TemporaryFile("limits = [\"\(limits)\"]\n", ".toml")
                // A missing port would be the first error if it were opened first.
                let program = try run(
                    ["run", "--port", "/dev/none", "--profile", "dlp-dock", "--headless"],
                    ["DOCKFACE_CONFIG": file.path])
                #expect(program.end() == .exit(78), "\(program.errors)")
                #expect(program.errors.contains(words), "\(program.errors)")
            }
        }

        @Test func `a run begins with the file's settings, and the command line takes precedence`() throws {
            let tuned = try Tuned(
                "mode = \"system\"\nspeed = 50\nlimits = [\"pan -20 20\"]\n[face]\nexpression = \"happy\"\n",
                ["--headless", "--detector", "none", "--mode", "manual"])
            let program = tuned.daemon.program
            #expect(program.ask("status").hasPrefix("ok mode manual"))
            try tuned.daemon.waitForPose()
            #expect(program.ask("orient 40 0").hasPrefix("error"))
            _ = program.ask("orient 19 0 in 1")
            #expect(program.wait { tuned.daemon.pose.pan.inDegrees > 15 }, "\(tuned.daemon.pose)")
            let status = program.ask("status")
            #expect(status.contains("happy"), "\(status)")
        }

        @Test func `journald gets the severity of a failed start`() throws {
            // The script sets JOURNAL_STREAM to the device and inode of standard error, as systemd does.
            let wrong = try TemporaryFile("speed = 0\nmod = 1\n", ".toml")
            let script = "exec 2>\"$1\"; export JOURNAL_STREAM=$(stat -Lc %d:%i /dev/fd/2); shift; exec \"$@\""
            let runs = [["--config", wrong.path, "--port", "sim"], ["--nosuch"], ["--speed", "0"]]
            for words in runs {
                let log = try TemporaryFile("", ".log")
                var setup = Program.Setup()
                setup.path = "/bin/sh"
                let start = ["-c", script, "sh", log.path, try Place.program("dockface"), "run"]
                let program = try Program(start + words, setup)
                #expect(program.end() != .exit(0))
                let text = TemporaryFile.text(of: log.path) ?? ""
                #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("<3>") }, "\(words): \(text)")
                #expect(!text.isEmpty && !text.contains("dockface: error"), "\(words): \(text)")
            }
            let other = try run(["run", "--config", wrong.path, "--port", "sim"], ["JOURNAL_STREAM": "1:2"])
            #expect(other.errors.hasPrefix("dockface: error: "), "another file's: \(other.errors)")
        }

        @Test func `a run that may wait begins without its dock and uses it when it appears`() throws {
            let path = TemporaryFile.freePath("dock")
            let daemon = try Daemon(
                ["--headless", "--detector", "none", "--wait"], dock: nil, port: path, waits: false)
            defer { daemon.dock.close() }
            #expect(
                daemon.program.wait { daemon.program.errors.contains("waiting for it") }, "\(daemon.program.errors)")
            let late = try SimulatedDockPort(link: path)
            defer { late.close() }
            #expect(
                daemon.program.wait(15) { daemon.program.errors.contains("dock ready") }, "\(daemon.program.errors)")
            daemon.program.signal(SIGTERM)
            #expect(daemon.program.end() == .exit(0))
        }

        @Test func `a demo runs by itself and ends with its line`() throws {
            let program = try Program(["demo", "--seconds", "3", "--socket", "none"])
            #expect(program.end(within: 20) == .exit(0), "\(program.errors)")
            #expect(program.output.contains("\"stoppedLast\":true"), "\(program.output)")
        }

        @Test func `a staged demo executes its cues`() throws {
            let program = try Program([
                "demo", "--headless", "--detector=scene:visit,loop=again", "--staged", "--seconds", "6", "--socket",
                "none",
            ])
            #expect(program.end(within: 20) == .exit(0), "\(program.errors)")
            #expect(!program.errors.contains("not a detection"), "\(program.errors)")
            #expect(!program.errors.contains("error"), "\(program.errors)")
        }
    }
}
