import Glibc
import Testing

@testable import RobotFace

/// A face in a terminal, in one call.
@Suite struct LiveFaceTests {
    private func options(_ terminal: TestTerminal) -> TerminalOptions {
        var options = TerminalOptions()
        (options.input, options.output) = (terminal.near, terminal.near)
        options.depth = .trueColour
        options.guess = TerminalGuess { $0 == "TERM" ? "xterm-256color" : nil }
        return options
    }

    @Test(arguments: ["q", "\u{1b}"]) func `it shows itself until a person ends it, and restores the terminal`(
        key: String
    ) async throws {
        let terminal = TestTerminal(), before = terminal.localFlags
        let face = try LiveFace(options: options(terminal))
        #expect(terminal.wait { terminal.output.contains("\u{1b}[?1049h") })
        #expect(terminal.localFlags != before && face.expression.name == "normal")
        #expect(face.show("happy") && !face.show("hapy") && face.expression.name == "happy")
        face.look(right: 0.3, up: 0.1, width: 0.2)
        face.caption("good evening")
        #expect(terminal.wait { terminal.output.contains("good evening") })
        terminal.type(key)
        await face.finished()
        #expect(terminal.localFlags == before)
        face.close()
    }

    @Test func `close ends it, and without a terminal it says so`() async throws {
        let terminal = TestTerminal(), before = terminal.localFlags
        let face = try LiveFace(options: options(terminal))
        #expect(terminal.wait { terminal.output.contains("\u{1b}[?1049h") })
        face.close()
        await face.finished()
        #expect(terminal.localFlags == before)
    }
}
