import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// Whatever ends the program with its face on a terminal: the terminal is restored.
    @Suite(.timeLimit(.minutes(10))) struct TerminalRestore {
        /// All three standard streams are the terminal, as at a shell.
        private func shown(_ terminal: Terminal) throws -> Daemon {
            var setup = Program.Setup()
            setup.terminal = terminal
            setup.hasInput = false
            setup.hasErrors = false
            let daemon = try Daemon(["--mode", "manual"], setup, waits: false)
            daemon.program.type(":velocity 20 0 for 20\r")
            let isTurning = daemon.program.wait(meanwhile: {
                if daemon.dock.rate.pan < .degrees(1) { daemon.program.type(":velocity 20 0 for 20\r") }
            }) {
                daemon.dock.rate.pan > .degrees(15) && daemon.program.output.contains("\u{1b}[?1049h")
            }
            guard isTurning else {
                throw Silence(description: "it does not turn: \(daemon.program.output.suffix(500))")
            }
            #expect(!terminal.isCooked)
            return daemon
        }

        private func expectRestored(_ terminal: Terminal, _ settings: [UInt32], _ program: Program) {
            #expect(terminal.settings == settings, "the line settings are those from before")
            let output = program.output
            guard let end = output.ranges(of: "\u{1b}[?1049l").last else {
                Issue.record("the alternate screen is not left")
                return
            }
            let before = output[..<end.upperBound]
            for sequence in ["[?2026l", "[<u", "[?1006l", "[?1000l", "[?1004l", "[?2004l", "[?7h", "[0m", "[?25h"] {
                #expect(before.suffix(120).contains("\u{1b}" + sequence), "\(sequence) is missing")
            }
            #expect(!output[end.upperBound...].contains("\u{1b}"), "nothing is drawn after that")
        }

        @Test(.serialized, arguments: [SIGTERM, SIGINT, SIGHUP])
        func `a signal restores the terminal`(_ number: Int32) throws {
            let terminal = try Terminal(), settings = terminal.settings
            let daemon = try shown(terminal)
            defer { daemon.dock.close() }
            daemon.program.signal(number)
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            #expect(eventually { daemon.dock.lastFrameWasStop })
            expectRestored(terminal, settings, daemon.program)
        }

        @Test(.serialized, arguments: ["\u{3}", "q", ":quit\r"])
        func `Ctrl-C, q and quit restore the terminal`(_ keys: String) throws {
            let terminal = try Terminal(), settings = terminal.settings
            let daemon = try shown(terminal)
            defer { daemon.dock.close() }
            daemon.program.type(keys)
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            #expect(eventually { daemon.dock.lastFrameWasStop })
            expectRestored(terminal, settings, daemon.program)
        }

        @Test(.serialized, arguments: [SIGSEGV, SIGABRT, SIGTRAP])
        func `a crash restores the terminal, stays a crash, and the dock stops by itself`(_ number: Int32) throws {
            let terminal = try Terminal(), settings = terminal.settings
            let daemon = try shown(terminal)
            defer { daemon.dock.close() }
            daemon.program.signal(number)
            let crashed = monotonicNow()
            #expect(daemon.program.end() == .signal(number))
            expectRestored(terminal, settings, daemon.program)
            #expect(eventually { monotonicNow() > crashed + 0.7 })
            #expect(daemon.movedAfter(crashed + 0.5).inDegrees < 0.1)
        }

        @Test func `after a kill another process restores the terminal, and the guard stops the dock`() throws {
            let terminal = try Terminal(), settings = terminal.settings
            let daemon = try shown(terminal)
            defer { daemon.dock.close() }
            daemon.program.signal(SIGKILL)
            #expect(daemon.program.end() == .signal(SIGKILL))
            #expect(
                eventually {
                    terminal.settings == settings && daemon.program.output.hasSuffix("\u{1b}[?25h\u{1b}[?1049l")
                }, "\(daemon.program.output.suffix(200))")
            expectRestored(terminal, settings, daemon.program)
            #expect(eventually { daemon.dock.lastFrameWasStop })
        }

        /// The shell, or another program that uses the terminal now, needs no help.
        @Test func `a kill leaves line settings alone that another program has made since`() throws {
            let terminal = try Terminal()
            let daemon = try shown(terminal)
            defer { daemon.dock.close() }
            let own = terminal.change()
            daemon.program.signal(SIGKILL)
            #expect(daemon.program.end() == .signal(SIGKILL))
            let isRestored = eventually { daemon.program.output.hasSuffix("\u{1b}[?25h\u{1b}[?1049l") }
            #expect(isRestored, "\(daemon.program.output.suffix(200).debugDescription)")
            #expect(terminal.settings == own)
        }

        @Test func `a closed window stops the dock last and ends with status 0`() throws {
            let terminal = try Terminal()
            let daemon = try shown(terminal)
            defer { daemon.dock.close() }
            terminal.hangUp()
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            #expect(eventually { daemon.dock.lastFrameWasStop })
        }

        @Test func `Ctrl-Z stops the dock and restores the terminal; after that the face is back`() throws {
            let terminal = try Terminal(), settings = terminal.settings
            let daemon = try shown(terminal)
            defer { daemon.dock.close() }
            daemon.program.signal(SIGTSTP)
            #expect(daemon.program.wait { daemon.program.isHalted })
            #expect(eventually { daemon.dock.lastFrameWasStop })
            expectRestored(terminal, settings, daemon.program)
            #expect(daemon.rest())
            daemon.program.forget()
            daemon.program.signal(SIGCONT)
            #expect(daemon.program.wait { daemon.program.news.contains("\u{1b}[?1049h") && !terminal.isCooked })
            daemon.program.type("q")
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            expectRestored(terminal, settings, daemon.program)
        }

        @Test(arguments: ["q", "\u{3}"])
        func `detect shows its picture without echo, and a key ends it`(_ key: String) throws {
            let terminal = try Terminal(), settings = terminal.settings
            var setup = Program.Setup()
            setup.terminal = terminal
            setup.hasInput = false
            let program = try Program(["detect", "--camera", "test", "--detector", "exec:sleep 600"], setup)
            #expect(
                program.wait { program.output.contains("\u{1b}[?1049h") && !terminal.isCooked }, "\(program.errors)")
            program.type("x" + key)
            #expect(program.end() == .exit(0), "\(program.errors)")
            expectRestored(terminal, settings, program)
            #expect(!program.output.contains("x"), "keys are not echoed")
        }

        /// Each verb that shows pictures, and how it is started without a camera or dock.
        @Test(arguments: [["detect", "--camera", "test", "--detector", "exec:sleep 600"], ["demo"], ["face", "joy"]])
        func `after a kill of any verb that draws, the terminal is restored`(_ words: [String]) throws {
            let terminal = try Terminal(), settings = terminal.settings
            var setup = Program.Setup()
            setup.terminal = terminal
            setup.hasInput = false
            let program = try Program(words, setup)
            #expect(
                program.wait { program.output.contains("\u{1b}[?1049h") && !terminal.isCooked }, "\(program.errors)")
            program.signal(SIGKILL)
            #expect(program.end() == .signal(SIGKILL))
            #expect(eventually { terminal.settings == settings })
            #expect(program.wait { program.output.contains("\u{1b}[?1049l") }, "the alternate screen is left")
        }

        @Test func `an error at the start leaves the terminal alone`() throws {
            let terminal = try Terminal(), settings = terminal.settings
            var setup = Program.Setup()
            setup.terminal = terminal
            setup.hasInput = false
            let program = try Program(["run", "--port", "/dev/nowhere"], setup)
            #expect(program.end() == .exit(69))
            #expect(terminal.settings == settings && !program.output.contains("\u{1b}"))
        }
    }
}
