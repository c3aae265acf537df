import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// Keys on a real terminal that shows the face.
    @Suite(.timeLimit(.minutes(10))) struct Keys {
        /// A daemon with its face on a terminal, its log on a pipe.
        private func shown(_ terminal: Terminal, _ arguments: [String] = []) throws -> Daemon {
            var setup = Program.Setup()
            setup.terminal = terminal
            setup.hasInput = false
            let daemon = try Daemon(["--colour", "true"] + arguments, setup)
            guard
                daemon.program.wait(until: {
                    daemon.program.output.contains("▀") || daemon.program.output.contains("▄")
                })
            else { throw Silence(description: "no face: \(daemon.program.errors)") }
            return daemon
        }

        /// Waits until the bottom row shows a text.
        private func reads(_ daemon: Daemon, _ text: String, columns: Int = 80, rows: Int = 24) -> Bool {
            daemon.program.wait {
                TextScreen(daemon.program.outputBytes, columns: columns, rows: rows).bottom.contains(text)
            }
        }

        @Test(
            .serialized,
            arguments: [("\u{1b}[C", 2.9, 0.0), ("\u{1b}[D", -2.9, 0), ("\u{1b}[A", 0, 2.9), ("\u{1b}OB", 0, -2.9)])
        func `an arrow turns the dock a little, and the mode is manual from then on`(
            _ key: String, _ pan: Double, _ tilt: Double
        ) throws {
            let daemon = try shown(Terminal())
            defer { daemon.dock.close() }
            daemon.program.type(key)
            #expect(daemon.program.wait { daemon.dock.statistics.maximumSpeed > .degrees(3) })
            #expect(daemon.rest())
            #expect(daemon.pose.isNear(pan, tilt, within: 1.2), "\(daemon.pose.degrees)")
            daemon.program.type("i")
            #expect(reads(daemon, "mode manual"))
        }

        @Test func `with shift an arrow is three times as fast`() throws {
            let daemon = try shown(Terminal())
            defer { daemon.dock.close() }
            daemon.program.type("\u{1b}[1;2C")
            #expect(daemon.program.wait { daemon.dock.statistics.maximumSpeed > .degrees(25) })
            #expect(daemon.rest())
            #expect(daemon.pose.isNear(8.6, 0, within: 2.5), "\(daemon.pose.degrees)")
        }

        @Test func `space also stops what a command word began`() throws {
            let daemon = try shown(Terminal(), ["--mode", "manual"])
            defer { daemon.dock.close() }
            daemon.program.type(":velocity 20 0 for 20\r")
            #expect(daemon.program.wait { daemon.dock.rate.pan > .degrees(15) }, "\(daemon.program.errors)")
            daemon.program.type(" ")
            #expect(reads(daemon, "ok stopped, mode manual: m follows people again"))
            let moment = monotonicNow()
            #expect(daemon.rest())
            #expect(daemon.movedAfter(moment + 0.2).inDegrees < 0.1)
        }

        @Test func `x latches, and C twice clears`() throws {
            let daemon = try shown(Terminal(), ["--mode", "manual"])
            defer { daemon.dock.close() }
            daemon.program.type("x")
            #expect(daemon.program.wait { daemon.dock.snapshot.isEmergencyStopped })
            #expect(reads(daemon, "latched"))
            daemon.program.type("\u{1b}[C")
            #expect(reads(daemon, "STOPPED (emergencyStop): C C clears"))
            #expect(daemon.dock.statistics.maximumSpeed == 0)
            daemon.program.type("C")
            #expect(reads(daemon, "press C again"))
            daemon.program.type("C")
            #expect(daemon.program.wait { !daemon.dock.snapshot.isEmergencyStopped })
            #expect(reads(daemon, "ok cleared, mode manual: m follows people again"))
        }

        @Test func `m goes through the modes, f through the framings`() throws {
            let daemon = try shown(Terminal())
            defer { daemon.dock.close() }
            for mode in ["custom", "manual", "system"] {
                daemon.program.type("m")
                #expect(reads(daemon, "ok mode \(mode)"))
            }
            for framing in ["center", "left", "right", "auto"] {
                daemon.program.type("f")
                #expect(reads(daemon, "ok framing \(framing)"))
            }
        }

        @Test func `Tab changes the face`() throws {
            let daemon = try shown(Terminal(columns: 120))
            defer { daemon.dock.close() }
            daemon.program.type("i")
            #expect(reads(daemon, "face normal", columns: 120))
            daemon.program.type("\t")
            #expect(
                daemon.program.wait {
                    let bottom = TextScreen(daemon.program.outputBytes, columns: 120).bottom
                    return bottom.contains("face ") && !bottom.contains("face normal")
                })
        }

        @Test func `? shows the keys and hides them again`() throws {
            let daemon = try shown(Terminal())
            defer { daemon.dock.close() }
            let program = daemon.program
            program.type("?")
            #expect(program.wait { TextScreen(program.outputBytes).text.contains("emergency stop, latched") })
            program.type("?")
            #expect(program.wait { !TextScreen(program.outputBytes).text.contains("emergency stop, latched") })
        }

        @Test func `the face follows the size of the terminal`() throws {
            let terminal = try Terminal()
            let daemon = try shown(terminal)
            defer { daemon.dock.close() }
            daemon.program.type("i")
            #expect(reads(daemon, "mode system"))
            terminal.resize(columns: 100, rows: 30)
            #expect(reads(daemon, "mode system", columns: 100, rows: 30))
            terminal.resize(columns: 40, rows: 10)
            let small = daemon.program.outputBytes.count
            #expect(
                daemon.program.wait {
                    TextScreen(Array(daemon.program.outputBytes[small...]), columns: 40, rows: 10).bottom.contains(
                        "mode system")
                })
        }

        @Test func `q stops the turning dock last, restores the terminal, and ends with status 0`() throws {
            let terminal = try Terminal()
            let settings = terminal.settings
            let daemon = try shown(terminal, ["--mode", "manual"])
            defer { daemon.dock.close() }
            daemon.program.type(":velocity 20 0 for 20\r")
            #expect(daemon.program.wait { daemon.dock.rate.pan > .degrees(15) })
            daemon.program.type("q")
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            #expect(eventually { daemon.dock.lastFrameWasStop })
            #expect(terminal.settings == settings)
        }

        @Test func `keys work while detections come through a pipe`() throws {
            var setup = Program.Setup()
            setup.terminal = try Terminal()
            let daemon = try Daemon(["--detector", "stdin"], setup)
            defer { daemon.dock.close() }
            try daemon.turn()
            daemon.program.type(" ")
            #expect(daemon.feed { daemon.dock.rate == .zero })
            let pose = daemon.pose, start = monotonicNow()
            daemon.feed { monotonicNow() > start + 0.6 }
            #expect((daemon.pose - pose).magnitude.inDegrees < 0.1, "stop keeps the mode manual")
        }
    }
}
