import CPosix
import DockControl
import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// `dockface check`, and what its stamp means for `run`; the profile requires arming, so that a pty counts as a
    /// real port.
    @Suite(.timeLimit(.minutes(10))) struct Checks {
        /// A private folder with a profile, and the settings to find both.
        final class Place {
            let folder: String
            let profile: String
            var setup = Program.Setup()
            init(_ lines: String = "") throws {
                var template = Array("/tmp/dockface-check-XXXXXX".utf8CString)
                guard mkdtemp(&template) != nil else { throw Silence(description: "no folder") }
                folder = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                profile = folder + "/rig.toml"
                try Self.write(
                    """
                    name = "checked rig"
                    driver = "dlp"
                    safety = { arming = "careful" }
                    [pan]
                    min = -170
                    max = 170
                    max_speed = 120
                    max_acceleration = 600
                    \(lines)
                    [tilt]
                    min = -30
                    max = 80
                    max_speed = 120
                    max_acceleration = 600
                    """, to: profile)
                setup.environment = ["XDG_CONFIG_HOME": folder, "XDG_RUNTIME_DIR": folder]
            }
            static func write(_ text: String, to path: String) throws {
                guard let file = fopen(path, "w") else { throw Silence(description: "cannot write \(path)") }
                fputs(text, file)
                fclose(file)
            }
            func check(_ port: String, _ more: [String] = []) throws -> Program {
                try Program(["check", "--port", port, "--profile", profile] + more, setup)
            }
            /// `run` with its profile; `mode` nil: the default.
            func run(_ dock: SimulatedDockPort, mode: String? = "system", waits: Bool = true) throws -> Daemon {
                try Daemon(
                    ["--headless", "--profile", profile, "--detector", "stdin"] + (mode.map { ["--mode", $0] } ?? []),
                    setup, dock: dock, waits: waits)
            }
            /// The path of a file that a run leaves for a port: "running", "latched".
            func marker(_ name: String, _ dock: SimulatedDockPort) -> String {
                folder + "/dockface/\(name)-" + dock.path.dropFirst().replacing("/", with: "-")
            }
        }

        /// Answers by what the head really did: its pan and tilt compared with the last question.
        private func answer(
            _ program: Program, _ dock: SimulatedDockPort, right: Bool = true, send: (String) -> Void
        ) -> Bool {
            guard program.wait(until: { program.news.contains("[y/n]") }) else { return false }
            program.forget()
            send("y")
            for axis in Axis.allCases {
                let asks = axis == .pan ? "ITS right" : "look up"
                guard program.wait(20, until: { program.news.contains(asks) || program.hasEnded }), !program.hasEnded
                else { return false }
                program.forget()
                send((dock.snapshot.pose[axis] > .degrees(1)) == right ? "y" : "n")
            }
            return true
        }

        @Test func `a correct dock passes, is stamped, and run then trusts it`() throws {
            let place = try Place(), dock = try SimulatedDockPort()
            defer { dock.close() }
            let before = try place.run(dock, mode: nil)
            #expect(
                before.program.wait(until: { before.program.errors.contains("dockface check") }),
                "\(before.program.errors)")
            #expect(before.program.ask("status").contains("mode manual"))
            // The port is in use: the check refuses, and says how to end the program that holds it.
            let refused = try place.check(dock.path)
            #expect(refused.end() == .exit(75) && refused.errors.contains("dockface quit"), "\(refused.errors)")
            before.program.tell("quit")
            #expect(before.program.end() == .exit(0))

            let program = try place.check(dock.path)
            #expect(answer(program, dock) { program.tell($0) }, "\(program.output) \(program.errors)")
            #expect(program.end(within: 30) == .exit(0), "\(program.output) \(program.errors)")
            #expect(program.output.contains("check passed"))
            #expect(dock.lastFrameWasStop && dock.statistics.maximumSpeed < .degrees(11))
            #expect(dock.snapshot.pose.magnitude < .degrees(1))

            let after = try place.run(dock, mode: nil)
            #expect(
                after.program.wait(until: { after.program.errors.contains("mode system") }), "\(after.program.errors)")
            #expect(!after.program.errors.contains("dockface check"))
            #expect(after.program.ask("status").contains("mode system"))
        }

        @Test func `for a dock that turns the wrong way the error names the setting to flip, and it is not stamped`()
            throws
        {
            let place = try Place(), dock = try SimulatedDockPort()
            defer { dock.close() }
            let program = try place.check(dock.path, ["--json"])
            program.tell("y")
            program.tell("n")
            #expect(program.end(within: 30) == .exit(78))
            #expect(program.errors.contains("`pan.invert = true`"), "\(program.errors)")
            #expect(program.output.contains(#""problem":"turnedWrong""#) && program.output.contains(#""passed":false"#))
            #expect(eventually(1) { dock.lastFrameWasStop })
            #expect(access(place.folder + "/dockface/checked.toml", F_OK) != 0)
        }

        @Test func `a profile that inverts an axis turns it the other way, and a person reports it`() throws {
            let place = try Place("invert = true"), dock = try SimulatedDockPort()
            defer { dock.close() }
            let program = try place.check(dock.path)
            #expect(answer(program, dock) { program.tell($0) } == false)
            #expect(
                program.end(within: 30) == .exit(78) && program.errors.contains("`pan.invert = false`"),
                "\(program.errors)")
        }

        @Test func `blocked motors are reported`() throws {
            let place = try Place(), dock = try SimulatedDockPort()
            defer { dock.close() }
            dock.faults.blocked = [.pan]
            let program = try place.check(dock.path)
            program.tell("y")
            #expect(program.end(within: 30) == .exit(69), "\(program.output)")
            // Either is right: the check's own verdict after its 3 degrees, or that of the watch, whichever comes
            // first.
            #expect(
                program.errors.contains("pan did not move") || program.errors.contains("pan does not turn"),
                "\(program.errors)")
        }

        @Test(.serialized, arguments: [("x", 75), ("\u{3}", 128 + SIGINT), ("\u{1C}", 128 + SIGQUIT), ("\u{1A}", 75)])
        func `on a terminal any key stops it, and so do Ctrl-C, Ctrl-Z and the quit key`(
            key: String, status: Int32
        ) throws {
            let place = try Place(), dock = try SimulatedDockPort(), terminal = try Terminal()
            defer { dock.close() }
            place.setup.terminal = terminal
            place.setup.hasInput = false
            let settings = terminal.settings
            let program = try place.check(dock.path)
            #expect(program.wait(until: { program.output.contains("[y/n]") }))
            program.type("y")
            // The position persists; the motion is over after 0.9 s.
            #expect(program.wait(15, until: { dock.snapshot.pose.magnitude > .degrees(0.3) }))
            program.type(key)
            #expect(program.end(within: 5) == .exit(status), "\(program.output)")
            #expect(eventually(1) { dock.lastFrameWasStop })
            #expect(program.wait(1, until: { dock.rate.magnitude < .degrees(0.1) }))
            #expect(terminal.settings == settings)
        }

        @Test func `on a terminal Enter after an answer stops nothing, and the next Enter does`() throws {
            // An Enter belongs to an answer for a second. If the machine is later than that, it stops the check.
            var complaint = try enter()
            for _ in 0..<2 where complaint?.isLate == true { complaint = try enter() }
            #expect(complaint == nil, "\(complaint?.text ?? "")")
        }

        private struct Complaint {
            let text: String
            /// Whether the machine kept the program or the test from running.
            let isLate: Bool
        }

        /// Types Enter after an answer, and later Enter alone. Returns what was wrong, or nil.
        private func enter() throws -> Complaint? {
            let place = try Place(), dock = try SimulatedDockPort(), terminal = try Terminal()
            defer { dock.close() }
            place.setup.terminal = terminal
            place.setup.hasInput = false
            let program = try place.check(dock.path), delay = CoreWait(program, dock)
            func missed(_ what: String, _ condition: () -> Bool) -> Complaint? {
                if program.wait(15, until: condition) { return nil }
                return Complaint(text: "\(what) is missing: \(program.output)", isLate: delay.isLong)
            }
            if let problem = missed("the question", { program.output.contains("[y/n]") }) { return problem }
            program.type("y")
            if let problem = missed("the answer", { program.output.contains("[y/n] y") }) { return problem }
            program.type("\r")
            if let problem = missed("the next question", { program.output.contains("ITS right") }) { return problem }
            let asked = dock.snapshot.pose
            program.type("y")
            if let problem = missed("the motion", { (dock.snapshot.pose - asked).magnitude > .degrees(0.3) }) {
                return problem
            }
            program.type("\r\r")
            if let problem = missed("the end", { program.hasEnded }) { return problem }
            guard program.end() != .exit(75) else { return nil }
            return Complaint(text: "it ends otherwise: \(program.output)", isLate: false)
        }

        @Test func `a run after a crash waits for the detector, and says so`() throws {
            let place = try Place(), dock = try SimulatedDockPort()
            defer { dock.close() }
            let first = try place.run(dock)
            #expect(first.program.ask("status").contains("mode system"))
            let marker = place.marker("running", dock)
            #expect(first.program.wait(until: { access(marker, F_OK) == 0 }), "\(marker)")
            first.program.signal(SIGKILL)
            #expect(first.program.end() == .signal(SIGKILL))
            let second = try place.run(dock)
            #expect(second.program.errors.contains("the last run on this port died"), "\(second.program.errors)")
            #expect(second.program.ask("status").contains("mode manual"))
            let began = monotonicNow()
            #expect(
                second.feed(Daemon.nobody, until: { second.program.errors.contains("mode system") }),
                "\(second.program.errors)")
            #expect(monotonicNow() - began > 2.9)
            #expect(second.program.ask("status").contains("mode system"))
            second.program.tell("quit")
            #expect(second.program.end() == .exit(0))
            #expect(access(marker, F_OK) != 0, "an orderly end leaves no marker")
            let third = try place.run(dock)
            #expect(!third.program.errors.contains("died"))
        }

        @Test(.serialized, arguments: [SIGKILL, SIGTERM])
        func `a latch outlives the daemon and a dock that forgot it, until a person clears it`(end: Int32) throws {
            let place = try Place(), dock = try SimulatedDockPort()
            defer { dock.close() }
            let first = try place.run(dock)
            #expect(first.program.ask("estop").hasPrefix("ok emergency stop"))
            let latch = place.marker("latched", dock)
            // A latch is a file without text first, so that a full disk latches too. Without its text the fault is unknown.
            func isWritten() -> Bool {
                var status = stat()
                return stat(latch, &status) == 0 && status.st_size > 0
            }
            #expect(first.program.wait(until: isWritten), "\(latch)")
            first.program.signal(end)
            #expect(first.program.end() == (end == SIGKILL ? .signal(SIGKILL) : .exit(0)))
            #expect(access(latch, F_OK) == 0)
            dock.reboot()
            #expect(eventually { !dock.snapshot.isEmergencyStopped })
            let second = try place.run(dock, waits: false)
            // Healthy for longer than a daemon waits after a crash.
            let began = monotonicNow()
            second.feed(until: { monotonicNow() > began + 4.5 })
            #expect(second.program.errors.contains("latched by emergencyStop since"), "\(second.program.errors)")
            #expect(second.program.ask("status").contains("emergencyStop"))
            #expect(dock.statistics.maximumSpeed < .degrees(0.1))
            #expect(second.program.wait { second.program.ask("clear").hasPrefix("ok cleared, mode manual") })
            #expect(second.program.wait { access(latch, F_OK) != 0 })
            second.program.tell("quit")
            #expect(second.program.end() == .exit(0))
            let third = try place.run(dock)
            #expect(!third.program.errors.contains("latched"))
        }

        @Test func `a check does not move a dock that an earlier run left latched before a person clears it`() throws {
            let place = try Place(), dock = try SimulatedDockPort()
            defer { dock.close() }
            let run = try Daemon(
                ["--headless", "--profile", place.profile, "--detector", "none"], place.setup, dock: dock)
            #expect(run.program.ask("estop").hasPrefix("ok emergency stop"))
            let latch = place.folder + "/dockface/latched-" + dock.path.dropFirst().replacing("/", with: "-")
            #expect(run.program.wait(until: { access(latch, F_OK) == 0 }))
            run.program.signal(SIGTERM)
            #expect(run.program.end() == .exit(0))
            // The dock forgets; the file does not.
            dock.reboot()
            #expect(eventually { !dock.snapshot.isEmergencyStopped })

            let refused = try place.check(dock.path)
            refused.tell("y")
            #expect(refused.wait(15, until: { refused.output.contains("clear the latch? [y/n]") }), "\(refused.output)")
            #expect(refused.output.contains("stopped by emergencyStop at 2"), "\(refused.output)")
            refused.tell("n")
            #expect(refused.end(within: 10) == .exit(69))
            #expect(refused.errors.contains("answer y, or type `clear` in `dockface run`"), "\(refused.errors)")
            #expect(access(latch, F_OK) == 0 && dock.statistics.maximumSpeed < .degrees(0.1))

            let cleared = try place.check(dock.path)
            cleared.tell("y")
            #expect(cleared.wait(15, until: { cleared.output.contains("clear the latch? [y/n]") }), "\(cleared.output)")
            #expect(dock.statistics.maximumSpeed < .degrees(0.1))
            cleared.tell("y")
            #expect(cleared.wait(20, until: { cleared.output.contains("ITS right") }), "\(cleared.output)")
            #expect(access(latch, F_OK) != 0 && dock.statistics.maximumSpeed > .degrees(1))
            cleared.tell("q")
            #expect(cleared.end(within: 10) == .exit(75))
        }

        @Test func `a fault that stops a check is a latch for the next run`() throws {
            let place = try Place(), dock = try SimulatedDockPort()
            defer { dock.close() }
            dock.faults.blocked = [.pan]
            let program = try place.check(dock.path)
            program.tell("y")
            #expect(program.wait(15, until: { dock.statistics.setpoints > 10 }))
            dock.emergency(true)
            #expect(program.end(within: 30) == .exit(69), "\(program.output)")
            let latch = place.folder + "/dockface/latched-" + dock.path.dropFirst().replacing("/", with: "-")
            #expect(access(latch, F_OK) == 0, "\(program.errors)")
            let next = try Daemon(
                ["--headless", "--profile", place.profile, "--detector", "none"], place.setup, dock: dock, waits: false)
            #expect(
                next.program.wait(until: { next.program.errors.contains("latched by emergencyStop since") }),
                "\(next.program.errors)")
        }
    }
}
