import DockSimulator
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// Each kind of error has its exit status and says what to do.
    @Suite(.timeLimit(.minutes(10))) struct ErrorExits {
        struct Case: Sendable, CustomTestStringConvertible {
            let arguments: [String]
            let status: Int32
            let says: [String]
            var testDescription: String { arguments.joined(separator: " ") }
        }

        static let cases = [
            Case(
                arguments: ["run", "--port", "/dev/nowhere"], status: 69,
                says: ["there is no port /dev/nowhere", "--port sim"]),
            Case(arguments: ["run", "--port", "/dev/null"], status: 69, says: ["/dev/null", "dockface ports"]),
            Case(arguments: ["run", "--headless"], status: 69, says: ["--port sim"]),
            Case(
                arguments: ["run", "--port", "sim", "--profile", "dlp-dok"], status: 78,
                says: ["did you mean \"dlp-dock\""]),
            Case(
                arguments: ["run", "--port", "sim", "--profile", "/nowhere/x.toml"], status: 78,
                says: ["cannot be read"]),
            Case(
                arguments: ["run", "--port", "sim", "--detector", "scene:/nowhere.jsonl"], status: 65,
                says: ["/nowhere.jsonl"]),
            Case(
                arguments: ["run", "--port", "sim", "--detector", "scene:README.nowhere"], status: 65,
                says: ["README.nowhere"]),
            Case(
                arguments: ["run", "--port", "sim", "--detector", "room:nowhere"], status: 65,
                says: ["there is no room \"nowhere\"", "room:FILE.jsonl"]),
            Case(
                arguments: ["run", "--port", "sim", "--detector", "room:/nowhere.jsonl"], status: 65,
                says: ["/nowhere.jsonl", "No such file"]),
            Case(
                arguments: ["detect", "--detector", "room:" + Place.faces("two-people")], status: 65,
                says: ["two-people.jsonl:1:", "its type is not \"room\"", "the first line is"]),
            Case(
                arguments: ["run", "--port", "/dev/nowhere", "--detector", "room:" + Place.room("room-a")], status: 64,
                says: ["a scene or a room needs a simulated dock", "--port sim"]),
            Case(
                arguments: ["calibrate", "--port", "sim", "--detector", "room:" + Place.room("room-a")], status: 64,
                says: ["scene:PATH"]),
            Case(
                arguments: ["run", "--port", "sim", "--detector", "file:" + Place.faces("two-people")], status: 64,
                says: ["scene:", "--open-loop"]),
            Case(
                arguments: ["run", "--port", "/dev/nowhere", "--detector", "scene:" + Place.faces("two-people")],
                status: 64,
                says: ["--port sim"]),
            Case(
                arguments: ["run", "--port", "sim", "--detector", "sdin"], status: 64, says: ["stdin", "scene:PATH"]),
            Case(
                arguments: ["run", "--port", "sim", "--detector", "scene:x.jsonl,hvof=3"], status: 64,
                says: ["hvof=3", "known are", "hfov"]),
            Case(arguments: ["run", "--port", "sim", "--spede"], status: 64, says: ["--spede"]),
            Case(arguments: ["run", "--port", "sim", "--seconds", "-1"], status: 64, says: ["seconds"]),
            Case(
                arguments: ["run", "--port", "sim", "--mode", "auto"], status: 64, says: ["system", "custom", "manual"]),
            Case(arguments: ["rnu"], status: 64, says: ["rnu"]),
            Case(
                arguments: ["face", "hapy"], status: 64, says: ["there is no face", "happy", "/dockface/expressions"]),
            Case(
                arguments: ["face", "--size", "0x0", "--seconds", "0"], status: 64,
                says: ["--size needs columns x rows"]),
            Case(arguments: ["track", "--select", "here"], status: 64, says: ["--select needs 2 numbers"]),
            Case(arguments: ["simulate", "--rig", "better"], status: 64, says: ["good or cheap"]),
            Case(arguments: ["simulate", "--link", "/nowhere/dock"], status: 69, says: ["/nowhere/dock"]),
        ]

        @Test(.serialized, arguments: cases)
        func `a request that fails ends with the status of its kind and a hint`(_ wrong: Case) throws {
            let program = try Program(wrong.arguments)
            #expect(program.end() == .exit(wrong.status))
            for words in wrong.says { #expect(program.errors.contains(words), "\(program.errors)") }
            #expect(program.output.isEmpty, "errors go to standard error: \(program.output)")
        }

        @Test func `a port in use ends with status 75 and its owner is not disturbed`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            let second = try Program(["run", "--port", daemon.dock.path, "--headless"])
            #expect(second.end() == .exit(75))
            #expect(
                second.errors.contains("is in use by another program: if it is a dockface: dockface quit"),
                "\(second.errors)")
            try daemon.turn()
        }

        @Test func `a verb whose answer cannot be written ends with status 74`() throws {
            var setup = Program.Setup()
            setup.path = "/bin/sh"
            for verb in ["profiles", "config show", "config keys"] {
                let shell = try Program(["-c", "\(try Place.program("dockface")) \(verb) > /dev/full"], setup)
                #expect(shell.end() == .exit(74), "\(verb)")
                #expect(shell.errors.ranges(of: "No space left on device").count == 1, "\(verb): \(shell.errors)")
            }
            let trace = try TemporaryFile("{\"t\":1,\"k\":\"trace\",\"v\":1}\n", ".jsonl")
            let run = "run --port sim --headless --config none --detector none --seconds 0.5 --summary"
            for verb in ["replay \(trace.path)", run] {
                let shell = try Program(["-c", "\(try Place.program("dockface")) \(verb) > /dev/full"], setup)
                #expect(shell.end() == .exit(74), "\(verb): \(shell.errors)")
            }
            // A reader that has seen enough is no failure.
            let reader = try Program(["-c", "\(try Place.program("dockface")) config keys | head -n 1"], setup)
            #expect(reader.end() == .exit(0))
            #expect(reader.errors.isEmpty, "\(reader.errors)")
        }

        /// As nohup, cron and a container without input start it.
        @Test func `an empty standard input does not end a run`() throws {
            var setup = Program.Setup()
            setup.path = "/bin/sh"
            let run = "run --port sim --headless --config none --seconds 1 --summary"
            let shell = try Program(["-c", "\(try Place.program("dockface")) \(run) < /dev/null"], setup)
            #expect(shell.end() == .exit(0), "\(shell.errors)")
            #expect(!shell.errors.contains("detections have ended") && shell.output.contains(#""stoppedLast":true"#))
        }

        @Test func `a profile with an error ends with status 78 and names line and column`() throws {
            let file = try TemporaryFile(
                "name = \"x\"\ndriver = \"dlp\"\n[pan]\nmin = -10\nmax = 10\nmax_speed = 50\nmax_aceleration = 9\n",
                ".toml")
            let program = try Program(["run", "--port", "sim", "--profile", file.path])
            #expect(program.end() == .exit(78))
            #expect(program.errors.contains("\(file.path):7:1: "), "\(program.errors)")
            #expect(program.errors.contains("did you mean \"max_acceleration\"?"))
        }
    }
}
