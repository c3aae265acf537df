import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// Settings as a person meets them: the verb, the file, and what a reload does to a daemon that drives a dock.
    @Suite(.timeLimit(.minutes(1))) struct SettingsOfAProgram {
        private func run(_ words: [String], _ variables: [String: String] = [:]) throws -> Program {
            var setup = Program.Setup()
            setup.environment = variables
            let program = try Program(words, setup)
            _ = program.end()
            return program
        }

        /// A daemon with a file of settings that can be written anew.
        private final class Tuned {
            let file: TemporaryFile
            let daemon: Daemon

            init(_ text: String, _ arguments: [String] = ["--headless", "--detector", "stdin"]) throws {
                file = try TemporaryFile(text, ".toml")
                var setup = Program.Setup()
                setup.environment = ["DOCKFACE_CONFIG": file.path]
                // Nobody else's words: what it holds open is its own.
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

        @Test func `config shows what holds and who said it`() throws {
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
                // A port that is not there would be told first where it was opened first.
                let program = try run(
                    ["run", "--port", "/dev/none", "--profile", "dlp-dock", "--headless"],
                    ["DOCKFACE_CONFIG": file.path])
                #expect(program.end() == .exit(78), "\(program.errors)")
                #expect(program.errors.contains(words), "\(program.errors)")
            }
        }

        @Test func `a run begins with what the file says, and the command line is stronger`() throws {
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

        @Test func `a reload of what is live goes on without a stop, and tells what came of it`() throws {
            let tuned = try Tuned("speed = 50\n")
            try tuned.daemon.turn()
            try tuned.change("speed = 80\n[face]\nexpression = \"sad\"\n")
            #expect(tuned.says("settings read again"))
            #expect(tuned.daemon.feed(for: 1) { tuned.daemon.dock.rate.magnitude > .degrees(4) }, "it still follows")
            try tuned.change("speed = 80\n[face]\nexpression = \"sad\"\n")
            #expect(tuned.says("nothing has changed"))
            tuned.daemon.program.signal(SIGTERM)
            #expect(tuned.daemon.program.end() == .exit(0))
        }

        @Test func `wrong settings change nothing, and say where they are wrong`() throws {
            let tuned = try Tuned("speed = 50\n")
            try tuned.daemon.turn()
            try tuned.change("speed = 50\nmod = \"manual\"\n")
            #expect(tuned.says("the old ones stay: \(tuned.file.path):2:1:"))
            try tuned.change("speed = 50\ncamera = \"test\"\nspeed = 51\n")
            #expect(tuned.says("the old ones stay: \(tuned.file.path):3"), "a key that stands there twice")
            try tuned.change("speed = 50\nlimits = [\"tilt 500 600\"]\n")
            #expect(tuned.says("the old ones stay: limits \"tilt 500 600\": "), "\(tuned.daemon.program.errors)")
            #expect(tuned.daemon.feed(for: 1) { tuned.daemon.dock.rate.magnitude > .degrees(4) }, "it still follows")
            tuned.daemon.program.signal(SIGTERM)
            #expect(tuned.daemon.program.end() == .exit(0))
        }

        @Test func `what a start would refuse does not end what runs`() throws {
            let tuned = try Tuned("speed = 50\n", ["--headless"])
            let program = tuned.daemon.program
            var refusals = 0
            for wrong in [
                "detector = [\"scene:/nosuch\"]", "detector = [\"none\", \"exec:cat\"]", "detector = [\"blazeface\"]",
                "camera = \"test\"\ndetector = [\"none\"]", "camera = \"file:/nosuch.mp4\"", "also = [\"sim=nosuch\"]",
            ] {
                try tuned.change(wrong + "\n")
                refusals += 1
                #expect(tuned.says("the old ones stay", times: refusals), "\(wrong): \(program.errors)")
            }
            #expect(program.errors.components(separatedBy: "error: ").count == refusals + 1, "each is told once")
            #expect(!program.errors.contains("begins anew"), "\(program.errors)")
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0))
        }

        @Test func `a detectors' socket that is open does not stand in the way of a new beginning`() throws {
            let line = "detector = [\"unix:\(TemporaryFile.freePath("detectors"))\"]\n"
            let tuned = try Tuned(line, ["--headless"])
            let program = tuned.daemon.program
            let before = open(of: program.id)
            try tuned.change(line + "also = [\"sim=nosuch\"]\n")
            #expect(tuned.says("the old ones stay"), "\(program.errors)")
            try tuned.change(line + "camera = \"file:/nosuch.mp4\"\n")
            #expect(tuned.says("the old ones stay", times: 2), "\(program.errors)")
            #expect(eventually { open(of: program.id) <= before + 1 }, "what was only tried is let go of")
            try tuned.change(line + "limits = [\"pan -5 5\"]\n")
            #expect(tuned.says("dock ready", times: 2), "\(program.errors)")
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0))
        }

        @Test func `journald is told how grave the end of a start is`() throws {
            // What it writes to is a pipe of this test's; a shell's level is no business of journald's.
            let wrong = try TemporaryFile("speed = 0\nmod = 1\n", ".toml")
            let script = "exec 2>\"$1\"; export JOURNAL_STREAM=$(stat -Lc %d:%i /dev/fd/2); shift; exec \"$@\""
            let runs = [["--config", wrong.path, "--port", "sim"], ["--nosuch"], ["--speed", "0"]]
            for words in runs {
                let told = try TemporaryFile("", ".log")
                var setup = Program.Setup()
                setup.path = "/bin/sh"
                let start = ["-c", script, "sh", told.path, try Place.program("dockface"), "run"]
                let program = try Program(start + words, setup)
                #expect(program.end() != .exit(0))
                let text = TemporaryFile.text(of: told.path) ?? ""
                #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("<3>") }, "\(words): \(text)")
                #expect(!text.isEmpty && !text.contains("dockface: error"), "\(words): \(text)")
            }
            let other = try run(["run", "--config", wrong.path, "--port", "sim"], ["JOURNAL_STREAM": "1:2"])
            #expect(other.errors.hasPrefix("dockface: error: "), "another file's: \(other.errors)")
        }

        /// Later than that the new program is there, which has ends of its own.
        @Test(arguments: [0, 0.01, 0.03, 0.1])
        func `an end that is wanted during a new beginning is an end`(after pause: Double) throws {
            let tuned = try Tuned("limits = [\"pan -60 60\"]\n")
            let program = tuned.daemon.program
            try tuned.change("limits = [\"pan -5 5\"]\n")
            #expect(tuned.says("all begins anew"))
            usleep(UInt32(pause * 1e6))
            program.signal(SIGTERM)
            #expect(program.wait(10) { program.hasEnded }, "\(program.errors)")
            #expect(eventually { tuned.daemon.dock.lastFrameWasStop })
        }

        @Test func `other limits stop the dock first, and the daemon begins anew in its own process`() throws {
            let tuned = try Tuned("limits = [\"pan -60 60\"]\n")
            let daemon = tuned.daemon, program = daemon.program
            try daemon.turn()
            let before = open(of: program.id)
            try tuned.change("limits = [\"pan -5 5\"]\n")
            #expect(tuned.says("limits changed: the dock is stopped, and all begins anew"))
            #expect(daemon.rest(), "it stands")
            #expect(tuned.says("dock ready", times: 2), "\(program.errors)")
            #expect(!program.hasEnded, "the same process")
            #expect(daemon.feed(for: 15) { daemon.dock.statistics.setpoints > 0 && daemon.dock.rate.magnitude > 0.01 })
            _ = daemon.feed(for: 3) { false }
            #expect(daemon.pose.pan.inDegrees < 5.5, "the new limits hold: \(daemon.pose)")
            #expect(eventually { open(of: program.id) <= before + 1 }, "no descriptor was left behind")
            // It hears all signals as a new process does.
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0), "\(program.errors)")
            #expect(eventually { daemon.dock.lastFrameWasStop })
        }

        @Test func `a profile that changed is a new beginning, one that is broken changes nothing`() throws {
            let text = try #require(TemporaryFile.text(of: Place.file("profiles/dlp-dock.toml")))
            let profile = try TemporaryFile(text, ".toml")
            let tuned = try Tuned("", ["--headless", "--detector", "stdin", "--profile", profile.path])
            try tuned.daemon.turn()
            try (text + "[pann]\n").write(toFile: profile.path, atomically: false, encoding: .utf8)
            tuned.daemon.program.signal(SIGHUP)
            #expect(tuned.says("the old ones stay: \(profile.path):"), "\(tuned.daemon.program.errors)")
            #expect(tuned.daemon.feed(for: 1) { tuned.daemon.dock.rate.magnitude > .degrees(4) }, "it still follows")
            try text.replacing("lag_ms = ", with: "lag_ms = 1").write(
                toFile: profile.path, atomically: false, encoding: .utf8)
            tuned.daemon.program.signal(SIGHUP)
            #expect(tuned.says("profile changed: the dock is stopped"), "\(tuned.daemon.program.errors)")
            #expect(tuned.says("dock ready", times: 2), "\(tuned.daemon.program.errors)")
            tuned.daemon.program.signal(SIGTERM)
            #expect(tuned.daemon.program.end() == .exit(0))
        }

        @Test func `ten reloads in a row are one stop and one new beginning at most each`() throws {
            let tuned = try Tuned("limits = [\"pan -60 60\"]\n")
            for number in 1...5 {
                try tuned.change("limits = [\"pan -6\(number) 60\"]\n")
                #expect(tuned.says("dock ready", times: number + 1), "\(tuned.daemon.program.errors)")
                for _ in 0..<3 { tuned.daemon.program.signal(SIGHUP) }
            }
            #expect(!tuned.daemon.program.hasEnded)
            tuned.daemon.program.signal(SIGTERM)
            #expect(tuned.daemon.program.end() == .exit(0), "\(tuned.daemon.program.errors)")
        }

        @Test func `without settings HUP is an end like TERM`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            daemon.program.signal(SIGHUP)
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
        }

        @Test func `a run that may wait begins without its dock and takes it when it comes`() throws {
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

        /// How many descriptors a process has.
        private func open(of id: Int32) -> Int {
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")) ?? []).count
        }
    }
}
