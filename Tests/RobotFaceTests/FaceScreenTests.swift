import CPosix
import Geometry
import Glibc
import Synchronization
import Testing

@testable import RobotFace

@Suite(.serialized) struct FaceScreenTests {
    private let enter = "\u{1b}[?1049h", leave = "\u{1b}[?1049l", frameEnd = "\u{1b}[?2026l"

    @Test func `the face enters the alternate screen, draws, and restores everything`() throws {
        let terminal = TestTerminal()
        let before = terminal.localFlags
        let screen = try terminal.screen()
        #expect(terminal.localFlags == before)
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        #expect(terminal.output.hasPrefix(enter))
        #expect(terminal.output.contains("38;2;"))
        // Raw, but Ctrl-C is still a signal.
        #expect(terminal.localFlags & tcflag_t(ICANON | ECHO) == 0)
        #expect(terminal.localFlags & tcflag_t(ISIG) != 0)
        screen.stop()
        terminal.wait { terminal.output.hasSuffix(leave) }
        for code in ["\u{1b}[?25h", "\u{1b}[<u", "\u{1b}[?1000l", "\u{1b}[?1004l", "\u{1b}[?2004l", "\u{1b}[?7h"] {
            #expect(terminal.output.contains(code))
        }
        #expect(terminal.output.hasSuffix(leave))
        #expect(terminal.localFlags == before)
        screen.stop()
        close(terminal.far)
    }

    @Test func `keys and clicks arrive, answers of the terminal do not become keys`() throws {
        let terminal = TestTerminal()
        let screen = try terminal.screen()
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        terminal.type("\u{1b}[?62;4cq\u{1b}[1;2C\u{1b}[<0;7;4M")
        #expect(terminal.wait { terminal.events.withLock { $0.count } >= 4 })
        let events = terminal.events.withLock { $0 }
        #expect(
            events == [
                .reply(.deviceAttributes(sixel: true)), .key(.character("q"), modifiers: [], phase: .press),
                .key(.right, modifiers: .shift, phase: .press),
                .mouse(.press(button: 0), column: 6, row: 3, modifiers: []),
            ])
        screen.stop()
        close(terminal.far)
    }

    @Test func `of several arrows in one read the last one counts`() throws {
        let terminal = TestTerminal()
        let screen = try terminal.screen()
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        terminal.type("\u{1b}[A\u{1b}[A\u{1b}[C\u{1b}[Bx")
        #expect(terminal.wait { terminal.events.withLock { $0.count } >= 2 })
        #expect(terminal.events.withLock { $0.first } == .key(.down, modifiers: [], phase: .press))
        screen.stop()
        close(terminal.far)
    }

    @Test func `a lone escape arrives although no byte follows`() throws {
        let terminal = TestTerminal()
        let screen = try terminal.screen()
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        terminal.type("\u{1b}")
        #expect(
            terminal.wait {
                terminal.events.withLock { $0.contains(.key(.escape, modifiers: [], phase: .press)) }
            })
        screen.stop()
        close(terminal.far)
    }

    @Test func `a terminal that never answers shows the face within half a second`() throws {
        let terminal = TestTerminal()
        let screen = try terminal.screen { $0.depth = nil }
        let start = cposix_monotonic_now()
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        #expect(cposix_monotonic_now() - start < 0.5)
        #expect(terminal.output.contains("\u{1b}P+q524742\u{1b}\\"))
        #expect(terminal.output.contains("38;5;"))
        #expect(!terminal.output.contains("38;2;"))
        // Late, and split: the running face accepts it.
        terminal.forget()
        terminal.type("\u{1b}P1+r5247")
        terminal.type("42=38\u{1b}\\")
        #expect(terminal.wait { terminal.output.contains("38;2;") })
        #expect(terminal.events.withLock { $0.allSatisfy { if case .reply = $0 { true } else { false } } })
        screen.stop()
        close(terminal.far)
    }

    @Test func `key releases are requested once the terminal reports that it supports them`() throws {
        let terminal = TestTerminal()
        let screen = try terminal.screen()
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        #expect(!terminal.output.contains("\u{1b}[>3u"))
        terminal.type("\u{1b}[?0u")
        #expect(terminal.wait { terminal.output.contains("\u{1b}[>3u") })
        screen.stop()
        close(terminal.far)
    }

    @Test func `after a change of size everything is drawn`() throws {
        let terminal = TestTerminal()
        let screen = try terminal.screen()
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        #expect(screen.size == (80, 24))
        _ = cposix_set_window_size(terminal.near, 50, 16)
        #expect(terminal.wait { screen.size == (50, 16) })
        terminal.forget()
        _ = cposix_set_window_size(terminal.near, 100, 30)
        #expect(terminal.wait { terminal.output.contains("\u{1b}[30H") })
        screen.stop()
        close(terminal.far)
    }

    @Test func `a reader that stops reading causes no backlog, and the face continues afterwards`() throws {
        let terminal = TestTerminal()
        let screen = try terminal.screen { $0.expression = Expression.all[11] }
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        // Nothing is read for 1.2 s, in which 36 frames of joy would be some 400 KB.
        for index in 0..<12 {
            screen.update(FaceChange(statusLine: "line \(index)"))
            poll(nil, 0, 100)
        }
        terminal.forget()
        screen.update(FaceChange(statusLine: "awake again"))
        #expect(terminal.wait { terminal.output.contains("awake") })
        #expect(terminal.outputCount < 120_000)
        screen.stop()
        close(terminal.far)
    }

    @Test func `stopping does not wait for a reader that has stopped reading`() throws {
        let terminal = TestTerminal()
        let before = terminal.localFlags
        let screen = try terminal.screen { $0.expression = Expression.all[11] }
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        poll(nil, 0, 300)
        let start = cposix_monotonic_now()
        screen.stop()
        #expect(cposix_monotonic_now() - start < 0.6)
        #expect(terminal.localFlags == before)
        terminal.wait { terminal.output.hasSuffix(leave) }
        #expect(terminal.output.hasSuffix(leave))
        close(terminal.far)
    }

    @Test func `a terminal that goes away ends the face`() throws {
        let terminal = TestTerminal()
        let screen = try terminal.screen()
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        close(terminal.far)
        let deadline = cposix_monotonic_now() + 3
        while terminal.ends.withLock({ $0.isEmpty }), cposix_monotonic_now() < deadline { poll(nil, 0, 5) }
        #expect(terminal.ends.withLock { $0 } == [.hangUp])
        screen.stop()
    }

    @Test func `suspended, the terminal is restored; resumed, everything is drawn again`() throws {
        let terminal = TestTerminal()
        let before = terminal.localFlags
        let screen = try terminal.screen()
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        screen.suspend()
        #expect(terminal.localFlags == before)
        terminal.wait { terminal.output.hasSuffix(leave) }
        terminal.forget()
        screen.update(FaceChange(statusLine: "unseen"))
        #expect(!terminal.wait(0.15) { terminal.outputCount > 0 })
        screen.resume()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        #expect(terminal.output.hasPrefix(enter))
        #expect(terminal.output.contains("unseen"))
        screen.stop()
        #expect(terminal.localFlags == before)
        close(terminal.far)
    }

    @Test func `stopped while suspended, nothing more is written`() throws {
        let terminal = TestTerminal()
        let screen = try terminal.screen()
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        screen.suspend()
        terminal.wait { terminal.output.hasSuffix(leave) }
        terminal.forget()
        screen.stop()
        #expect(!terminal.wait(0.1) { terminal.outputCount > 0 })
        close(terminal.far)
    }

    @Test func `stopping from a callback does not wait for itself`() throws {
        let terminal = TestTerminal()
        let before = terminal.localFlags
        let screen = try terminal.screen()
        terminal.onEvent.withLock { $0 = { screen.stop() } }
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        terminal.type("q")
        #expect(terminal.wait { terminal.output.hasSuffix(leave) })
        let deadline = cposix_monotonic_now() + 1
        while terminal.localFlags != before, cposix_monotonic_now() < deadline { poll(nil, 0, 5) }
        #expect(terminal.localFlags == before)
        terminal.onEvent.withLock { $0 = nil }
        close(terminal.far)
    }

    @Test func `requests reach the face, the newest of each kind`() throws {
        let terminal = TestTerminal()
        let screen = try terminal.screen()
        screen.start()
        screen.update(FaceChange(expression: Expression(named: "sad"), statusLine: "first"))
        screen.update(FaceChange(expression: Expression(named: "anger")))
        #expect(screen.expression.name == "anger")
        #expect(terminal.wait { terminal.output.contains("first") })
        // Red light from the eyes of anger.
        #expect(terminal.wait { terminal.output.contains("38;2;255;4") })
        screen.stop()
        close(terminal.far)
    }

    @Test func `a crash handler restores the terminal`() throws {
        let terminal = TestTerminal()
        let before = terminal.localFlags
        let screen = try terminal.screen()
        screen.start()
        #expect(terminal.wait { terminal.output.contains(frameEnd) })
        var action = sigaction()
        sigaction(SIGSEGV, nil, &action)
        #expect(action.__sigaction_handler.sa_handler != nil)
        restoreTerminalInSignalHandler()
        #expect(terminal.localFlags == before)
        #expect(terminal.wait { terminal.output.contains(leave) })
        screen.stop()
        close(terminal.far)
    }

    @Test func `without a terminal there is an error that says what to do`() throws {
        var ends: (Int32, Int32) = (0, 0)
        _ = cposix_pipe(&ends.0, &ends.1)
        var options = TerminalOptions()
        options.input = ends.0
        options.output = ends.1
        let error = #expect(throws: TerminalError.self) {
            _ = try FaceScreen(options: options, onInput: { _ in }, onEnd: { _ in })
        }
        #expect(error?.code == .noTerminal)
        #expect(error?.hint.contains("--headless") == true)
        close(ends.0)
        close(ends.1)
    }
}

@Suite struct TerminalGuessTests {
    private func guess(_ variables: [String: String]) -> TerminalGuess { TerminalGuess { variables[$0] } }

    @Test func `the environment is interpreted as people expect`() {
        #expect(guess(["TERM": "xterm-256color", "COLORTERM": "truecolor"]).depth == .trueColour)
        #expect(guess(["TERM": "xterm-256color"]).depth == .palette256)
        #expect(guess(["TERM": "xterm-256color"]).mayAsk)
        #expect(guess(["TERM": "xterm"]).depth == .palette16)
        #expect(guess(["TERM": "xterm", "NO_COLOR": "1", "COLORTERM": "truecolor"]).depth == .mono)
        #expect(guess(["TERM": "xterm", "NO_COLOR": ""]).depth == .palette16)
        let console = guess(["TERM": "linux"]), dumb = guess(["TERM": "dumb"])
        #expect(console.depth == .palette16 && console.glyphs == .half && !console.mayAsk && console.avoidsGraphics)
        #expect(dumb.depth == .mono && dumb.glyphs == .ascii && !dumb.mayAsk)
        #expect(guess(["TERM": "xterm", "SSH_CONNECTION": "a b c d"]).answerTime == 1)
        #expect(guess([:]).depth == .mono)
        #expect(guess(["TERM": "xterm", "LANG": "de_DE.UTF-8"]).glyphs == .blocks)
        #expect(guess(["TERM": "xterm", "LANG": "C"]).glyphs == .blocks)
        #expect(guess(["TERM": "xterm", "LC_ALL": "de_DE.ISO-8859-1", "LANG": "de_DE.UTF-8"]).glyphs == .ascii)
        #expect(guess(["TERM": "screen", "TMUX": "/tmp/x", "COLORTERM": "truecolor"]).depth == .palette256)
        #expect(guess(["TERM": "xterm-direct"]).depth == .trueColour)
    }
}
