import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// Verbs that begin a motion and wait for its end, against a socket that sends what the test wants.
    @Suite(.timeLimit(.minutes(10))) struct RemoteMotions {
        private static let moving = FakeDaemon.Step.result(#"{"answer":"moving","duration":2,"motion":7}"#)
        private static func state(_ motion: String, ended: String = "null") -> FakeDaemon.Step {
            .event(
                topic: "motion",
                data: #"{"ended":\#(ended),"motion":\#(motion),"position":{"pan":0.1,"tilt":-0.2},"source":"measured","#
                    + #""velocity":{"pan":0,"tilt":0}}"#)
        }
        private static func running(_ fraction: Double) -> FakeDaemon.Step {
            state(#"{"id":7,"name":"orient","fraction":\#(fraction),"duration":2}"#)
        }
        private static func ended(_ outcome: String, id: Int = 7) -> FakeDaemon.Step {
            state("null", ended: #"{"id":\#(id),"name":"orient","outcome":"\#(outcome)"}"#)
        }

        @Test func `a motion is waited for, and its progress is shown on a terminal`() throws {
            let daemon = try FakeDaemon { request in
                request.method == "command"
                    ? [Self.moving, Self.running(0.625)] : [.result("{}"), Self.ended("completed", id: 6)]
            }
            defer { daemon.end() }
            var setup = Program.Setup()
            setup.terminal = try Terminal()
            setup.hasErrors = false
            let program = try Program(["orient", "-10", "5", "in", "2", "--socket", daemon.path], setup)
            #expect(program.wait { program.output.contains("orient 62 %  0.8 s left") }, "\(program.output)")
            #expect(!program.hasEnded && daemon.methods == ["subscribe", "command"])
            daemon.tell(Self.ended("completed"))
            #expect(program.end() == .exit(0))
            #expect(program.output.hasSuffix("\r\u{1b}[Kok orient completed\r\n"), "\(program.output.debugDescription)")
        }

        @Test(
            .serialized,
            arguments: [
                ("limited", "orient did not arrive: a limit was in the way: "),
                ("stopped", "orient did not arrive: it was stopped: "),
                ("emergencyStopped", "emergency stop: check the dock, then `dockface clear`"),
                ("takenOver", "a person took control of the dock"), ("leaseLost", "lost control"),
                // A cable, a silent dock, or a loop that was held up.
                ("unplugged", "the connection to the dock was interrupted: `dockface status --why`"),
            ])
        func `a motion that did not arrive ends with status 1 and the reason`(_ outcome: String, _ says: String)
            throws
        {
            // It ends before its answer is read: the end is in an event that came first.
            let daemon = try FakeDaemon { request in
                request.method == "command" ? [Self.ended(outcome), Self.moving] : [.result("{}")]
            }
            defer { daemon.end() }
            let (program, ending) = try ran(["orient", "10", "5"], daemon)
            #expect(ending == .exit(1) && program.output.isEmpty)
            #expect(program.errors.contains(says) && program.errors.components(of: "\n") == 1, "\(program.errors)")
            let (json, jsonEnding) = try ran(["orient", "10", "5", "--json"], daemon)
            #expect(jsonEnding == .exit(1) && json.errors.isEmpty)
            #expect(json.output == #"{"answer":"moving","duration":2,"motion":7,"outcome":"\#(outcome)"}"# + "\n")
        }

        @Test func `the wait for a motion whose end was missed is bounded`() throws {
            let daemon = try FakeDaemon { request in
                request.method == "command" ? [Self.moving, Self.ended("completed", id: 9)] : [.result("{}")]
            }
            defer { daemon.end() }
            let (program, ending) = try ran(["home"], daemon)
            #expect(ending == .exit(1) && program.errors.contains("a newer motion followed"), "\(program.errors)")
        }

        @Test func `a motion chosen by name is reported by it`() throws {
            let daemon = try FakeDaemon { request in
                request.method == "command" ? [Self.moving, Self.ended("completed")] : [.result("{}")]
            }
            defer { daemon.end() }
            let (program, ending) = try ran(["preset", "go", "door"], daemon)
            #expect(ending == .exit(0) && program.output == "ok preset go door completed\n", "\(program.errors)")
        }

        @Test func `without waiting the answer is printed at once`() throws {
            let daemon = try FakeDaemon { _ in [Self.moving] }
            defer { daemon.end() }
            let (program, ending) = try ran(["animate", "yes", "--no-wait"], daemon)
            #expect(ending == .exit(0) && program.output == "ok moving\n" && daemon.methods == ["command"])
        }

        @Test func `words that begin no motion are not waited for`() throws {
            let daemon = try FakeDaemon { _ in [.result(#"{"answer":"kept as door"}"#)] }
            defer { daemon.end() }
            let (program, ending) = try ran(["preset", "save", "door"], daemon)
            #expect(ending == .exit(0) && program.output == "ok kept as door\n", "\(program.errors)")
        }

        @Test func `Ctrl-C cancels the motion by its number`() throws {
            let daemon = try FakeDaemon { request in
                switch request.method {
                case "command": [Self.moving, Self.running(0.1)]
                case "cancelMotion": [.result("{}"), Self.ended("cancelled")]
                default: [.result("{}")]
                }
            }
            defer { daemon.end() }
            let program = try Program(["orient", "10", "5", "--socket", daemon.path])
            #expect(program.wait { daemon.methods.last == "command" })
            program.signal(SIGINT)
            #expect(program.end() == .exit(130))
            #expect(daemon.requests.last?.line.contains(#""method":"cancelMotion","params":{"motion":7}"#) == true)
            #expect(program.errors.contains("orient was cancelled"), "\(program.errors)")
        }

        @Test func `if it may not cancel, Ctrl-C stops`() throws {
            let daemon = try FakeDaemon { request in
                switch request.method {
                case "command": [Self.moving]
                case "cancelMotion": [.refusal(name: "busy", message: "no", hint: "wait")]
                case "stop": [.result(#"{"mode":"manual"}"#), Self.ended("stopped")]
                default: [.result("{}")]
                }
            }
            defer { daemon.end() }
            let program = try Program(["home", "--socket", daemon.path, "--json"])
            #expect(program.wait { daemon.methods.last == "command" })
            program.signal(SIGINT)
            #expect(program.end() == .exit(130) && daemon.methods.suffix(2) == ["cancelMotion", "stop"])
            #expect(program.output.contains(#""outcome":"stopped""#), "\(program.output)")
        }

        @Test(.serialized, arguments: [["orient", "1", "2"], ["watch"]])
        func `a daemon that dies during the wait is reported, status 69`(_ typed: [String]) throws {
            let daemon = try FakeDaemon { request in request.method == "command" ? [Self.moving] : [.result("{}")] }
            defer { daemon.end() }
            let program = try Program(typed + ["--socket", daemon.path])
            #expect(program.wait { daemon.methods.last == (typed == ["watch"] ? "subscribe" : "command") })
            daemon.tell(.hangUp)
            #expect(program.end() == .exit(69))
            #expect(program.errors.contains("has ended: start it again"), "\(program.errors)")
        }
    }
}
