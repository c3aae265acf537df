import Companion
import DockClient
import DockControl
import DockSimulator
import DockTypes
import Foundation
import Glibc
import Synchronization
import Testing
import TestSupport

extension ProgramTests {
    /// The verbs that talk to a running daemon, against a socket that sends what the test wants.
    @Suite(.timeLimit(.minutes(10))) struct RemoteVerbs {
        // MARK: words

        @Test(
            .serialized,
            arguments: [
                ("tap 0.4 0.6", "tap 0.4 0.6"), ("tap 412px 300px", "tap 412px 300px"),
                ("tap -- 0.1 0.2", "tap 0.1 0.2"),
                ("select 3 5", "select 3 5"), ("mode manual", "mode manual"), ("framing left", "framing left"),
                ("region 0 0 0.5 1", "region 0 0 0.5 1"), ("up", "up"), ("left 30", "left 30"),
                ("velocity -10 -5.5 for 2", "velocity -10 -5.5 for 2"), ("orient -10 5 in 2", "orient -10 5 in 2"),
                ("orient 1 -.5 relative", "orient 1 -.5 relative"), ("home", "home"), ("speed 30", "speed 30"),
                ("animate nope", "animate nope"), ("stop", "stop"), ("estop", "estop"), ("clear", "clear"),
                ("torque off", "torque off"), ("send -- face happy", "face happy"), ("send -0 0.2", "-0 0.2"),
                ("send status --why", "status --why"), ("face happy --remote", "face happy"),
                ("face --remote random on", "face random on"),
            ])
        func `words go to the daemon as they were typed, including negative numbers`(_ typed: String, _ sent: String)
            throws
        {
            let daemon = try FakeDaemon { _ in [.result(#"{"answer":"done"}"#)] }
            defer { daemon.end() }
            let (program, ending) = try ran(typed.split(separator: " ").map(String.init), daemon)
            #expect(ending == .exit(0), "\(program.errors)")
            #expect(daemon.words == [sent])
            #expect(program.output == "ok done\n" && program.errors.isEmpty)
        }

        @Test func `a request is one line of JSON-RPC`() throws {
            let daemon = try FakeDaemon()
            defer { daemon.end() }
            let (program, ending) = try ran(["mode", "manual"], daemon)
            #expect(ending == .exit(0) && program.output == "ok\n")
            #expect(
                daemon.requests.map(\.line) == [
                    #"{"id":1,"jsonrpc":"2.0","method":"command","params":{"line":"mode manual"}}"#
                ])
        }

        @Test(
            .serialized,
            arguments: [
                ["--json", "velocity", "-1", "2"], ["velocity", "--json", "-1", "2"],
                ["velocity", "-1", "--json", "2"],
                ["velocity", "-1", "2", "--json"],
            ])
        func `the option for JSON may be anywhere, and gives one line`(_ typed: [String]) throws {
            let daemon = try FakeDaemon { _ in [.result(#"{"motion":3,"answer":"turning","duration":0.5}"#)] }
            defer { daemon.end() }
            let (program, ending) = try ran(typed, daemon)
            #expect(ending == .exit(0) && daemon.words == ["velocity -1 2"])
            #expect(program.output == #"{"answer":"turning","duration":0.5,"motion":3}"# + "\n")
        }

        @Test(.serialized, arguments: [0, 1, 2])
        func `the socket may be named anywhere, and overrides the environment`(_ place: Int) throws {
            let daemon = try FakeDaemon(), other = try FakeDaemon("other")
            defer {
                daemon.end()
                other.end()
            }
            var typed = ["tap", "0.1", "0.2"]
            typed.insert(contentsOf: place == 1 ? ["--socket=\(daemon.path)"] : ["--socket", daemon.path], at: place)
            let (program, ending) = try ran(typed, other)
            #expect(ending == .exit(0), "\(program.errors)")
            #expect(daemon.words == ["tap 0.1 0.2"] && other.requests.isEmpty)
        }

        @Test func `a request that the daemon refuses ends with status 1, its message and its hint`() throws {
            let daemon = try FakeDaemon { _ in
                [.refusal(name: "busy", message: "another client has the dock", hint: "ask them")]
            }
            defer { daemon.end() }
            let (program, ending) = try ran(["mode", "system"], daemon)
            #expect(ending == .exit(1) && program.output.isEmpty)
            #expect(program.errors == "dockface: error: another client has the dock: ask them\n")
            let (second, secondEnding) = try ran(["mode", "system", "--json"], daemon)
            #expect(secondEnding == .exit(1) && second.errors.isEmpty)
            #expect(
                second.output
                    == #"{"code":-32007,"data":{"hint":"ask them","name":"busy"},"message":"busy: another client has the dock"}"#
                    + "\n")
        }

        @Test(
            .serialized,
            arguments: [
                (["tap", "0.4"], "type: tap X Y"), (["orient", "far", "1"], "PAN is not a number"),
                (["mode", "sistem"], "system"), (["send", "tpa", "1", "1"], "did you mean `tap`"),
                (["send"], "missing words"),
                (["send", "watch"], "dockface watch"),
                (["watch", "moton"], "unknown topic \"moton\": use one of accessory motion"),
                (["tap", "0.1", "-0", "--socket"], "--socket needs a path"), (["face", "happy", "sad"], "--remote"),
                (["face", "happy", "--json"], "--remote"),
            ])
        func `words that no daemon understands need none, status 64`(_ typed: [String], _ says: String) throws {
            let program = try Program(typed)
            #expect(program.end() == .exit(64))
            #expect(program.errors.contains(says), "\(program.errors)")
        }

        @Test func `every command word is a verb with its own help`() throws {
            let daemon = try Daemon(waits: false)
            defer { daemon.dock.close() }
            let program = daemon.program
            program.tell("help")
            #expect(program.wait { program.output.contains("\nquit ") })
            let words = program.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first }
            let verbs = try Program(["--help"])
            #expect(verbs.end() == .exit(0) && words.count > 20)
            for word in words where word != "help" {
                #expect(verbs.output.contains("\n  \(word) "), "there is no verb \(word)")
                let help = try Program([String(word), "--help"])
                #expect(help.end() == .exit(0))
                #expect(help.output.contains("For example:\n  dockface \(word)"), "\(help.output)")
            }
        }

        // MARK: no daemon, or another one

        @Test(.serialized, arguments: [["stop"], ["status"], ["watch"], ["home"], ["face", "happy", "--remote"]])
        func `without a daemon the status is 69, and the error says how to start one`(_ typed: [String]) throws {
            var setup = Program.Setup()
            let path = TemporaryFile.freePath("nobody")
            setup.environment = ["XDG_RUNTIME_DIR": path]
            let program = try Program(typed, setup)
            #expect(program.end() == .exit(69) && program.output.isEmpty)
            #expect(
                program.errors == "dockface: error: no dockface is running here (\(path)/dockface/dockface.sock): "
                    + "start it with `dockface run`, or give --socket PATH\n")
            let json = try Program(typed + ["--json"], setup)
            #expect(json.end() == .exit(69) && json.errors.isEmpty)
            #expect(json.output.contains(#""name":"notConnected""#) && json.output.components(of: "\n") == 1)
        }

        @Test(
            .serialized,
            arguments: [
                (#"{"name":"dockface","version":"9.0","protocol":2}"#, "speaks protocol 2, this program speaks 1"),
                (#"{"name":"mpd","protocol":1}"#, "is not dockface"), ("SSH-2.0-x", "is not dockface"),
                (
                    #"{"error":{"code":-32007,"message":"busy: no room","data":{"name":"busy","hint":"wait"}}}"#,
                    "no room: wait"
                ),
            ])
        func `another program, another protocol and a full daemon are told apart`(_ greeting: String, _ says: String)
            throws
        {
            let daemon = try FakeDaemon(greeting: greeting)
            defer { daemon.end() }
            let (program, ending) = try ran(["stop"], daemon)
            #expect(ending == .exit(69) && daemon.requests.isEmpty)
            #expect(program.errors.contains(says), "\(program.errors)")
        }

        @Test func `the wait for a silent daemon is short`() throws {
            let daemon = try FakeDaemon(greeting: nil)
            defer { daemon.end() }
            let (program, ending) = try ran(["stop"], daemon)
            #expect(ending == .exit(69) && program.errors.contains("does not answer"), "\(program.errors)")
        }

        @Test(arguments: [
            FakeDaemon.Step.event(topic: "log", data: "{}"), .line("{}"), .line(#"{"id":7,"result":{}}"#),
        ])
        func `a daemon that sends continuously but does not answer does not extend the wait`(
            _ step: FakeDaemon.Step
        ) throws {
            let daemon = try FakeDaemon { _ in [] }
            let isOver = Mutex(false)
            Thread.detachNewThread {
                // If the test does not end it, the connection does.
                let end = monotonicNow() + 20
                while !isOver.withLock({ $0 }), monotonicNow() < end { daemon.tell(step) }
                daemon.end()
            }
            defer { isOver.withLock { $0 = true } }
            let isEvent = if case .event = step { true } else { false }
            try Self.listen(to: daemon.path, isEvent: isEvent)
        }

        /// The connection is closed afterwards.
        private static func listen(to path: String, isEvent: Bool) throws {
            let client = try ControlClient(path: path)
            var problem: DockError?
            do throws(DockError) { _ = try client.call("stop", timeout: 0.2) } catch { problem = error }
            #expect(problem?.code == .timeout, "\(String(describing: problem))")
            #expect(!client.waitForEnd(timeout: 0.2))
            guard !isEvent else { return }
            let event = try client.nextEvent(timeout: 0.2)
            #expect(event == nil)
        }

        @Test func `the wait for the end of a motion is bounded, whatever else is sent meanwhile`() throws {
            let daemon = try FakeDaemon { request in
                request.method == "command"
                    ? [.result(#"{"answer":"moving","duration":0,"motion":7}"#)] : [.result("{}")]
            }
            let isOver = Mutex(false)
            let program = try Program(["home", "--socket", daemon.path])
            #expect(program.wait { daemon.words == ["home"] })
            Thread.detachNewThread {
                let end = monotonicNow() + 30
                while !isOver.withLock({ $0 }), monotonicNow() < end { daemon.tell(.event(topic: "log", data: "{}")) }
                daemon.end()
            }
            #expect(program.end(within: 25) == .exit(69), "\(program.errors)")
            #expect(program.errors.contains("no end of motion 7 was reported"), "\(program.errors)")
            isOver.withLock { $0 = true }
        }

        @Test func `quit waits until the daemon has ended`() throws {
            let daemon = try FakeDaemon { _ in [.result(#"{"answer":"ending"}"#)] }
            defer { daemon.end() }
            let program = try Program(["quit", "--socket", daemon.path])
            #expect(program.wait { daemon.words == ["quit"] })
            #expect(!program.hasEnded)
            daemon.tell(.hangUp)
            #expect(program.end() == .exit(0) && program.output == "ok ending\n", "\(program.errors)")
        }
    }
}
