import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// No input on standard input ends the daemon or moves the dock, and each error says what to do.
    @Suite(.timeLimit(.minutes(10))) struct BadInput {
        struct Case: Sendable, CustomTestStringConvertible {
            let name: String
            let lines: [String]
            let says: String
            var testDescription: String { name }
        }

        static let cases = [
            Case(
                name: "broken JSON", lines: [#"{"faces":[{"rect":[0.6,0.4"#],
                says: "send one complete JSON object per line"),
            Case(name: "a word that is not JSON", lines: ["{hello}"], says: "send one complete JSON object per line"),
            Case(name: "NaN", lines: [#"{"faces":[{"rect":[NaN,0.4,0.1,0.2]}]}"#], says: "detections, line 1"),
            Case(
                name: "a rect that is not finite", lines: [#"{"faces":[{"rect":[0.6,1e999,0.1,0.2]}]}"#],
                says: "detections, line 1"),
            Case(
                name: "a rect without size", lines: [#"{"faces":[{"rect":[0.6,0.4,0,-0.2]}]}"#],
                says: "send [x,y,w,h] with w and h above 0"),
            Case(
                name: "a rect of strings", lines: [#"{"faces":[{"rect":["a","b",[],{}]}]}"#],
                says: "send [x,y,w,h] with w and h above 0"),
            Case(name: "faces that are not a list", lines: [#"{"faces":7}"#], says: #"send "faces":[]"#),
            Case(name: "a time as text", lines: [#"{"t":"now","faces":[]}"#], says: "send seconds, or omit it"),
            Case(name: "no type", lines: [#"{"face":[]}"#], says: #"send {"faces""#),
            Case(
                name: "70 KiB on a line",
                lines: [#"{"faces":["# + String(repeating: #"{"rect":[0.6,0.4,0.1,0.2]},"#, count: 2700) + "]}"],
                says: "longer than 65536 bytes: send fewer faces"),
            Case(
                name: "another version",
                lines: [#"{"type":"hello","v":2,"detector":"x"}"#, Daemon.face, Daemon.face, Daemon.face],
                says: #"until a hello with "v":1"#),
            Case(
                name: "undeclared pixels", lines: [#"{"faces":[{"rect":[300,200,50,50]}]}"#],
                says: #"declare "units":"px""#),
            Case(
                name: "times from the future",
                lines: [#"{"type":"hello","v":1,"clock":"monotonic"}"#]
                    + (0..<12).map { #"{"t":\#(1e9 + Double($0)),"faces":[{"rect":[0.6,0.4,0.1,0.2]}]}"# },
                says: #"set "clock" in hello"#),
        ]

        @Test(
            .serialized,
            arguments: [
                ["run", "--port", "sim", "--headless", "--detector", "scene:"],
                ["run", "--port", "sim", "--headless", "--detector", "room:"], ["replay", ""],
                ["plot", "--output", "/dev/null", ""],
            ])
        func `a FIFO in place of a file is refused at once, without waiting`(_ words: [String]) throws {
            let pipe = TemporaryFile.freePath("fifo.jsonl")
            try #require(mkfifo(pipe, 0o600) == 0)
            defer { unlink(pipe) }
            let program = try Program(words.dropLast() + [(words.last ?? "") + pipe])
            #expect(program.end() == .exit(65), "\(program.errors)")
            #expect(program.errors.contains(pipe), "\(program.errors)")
            #expect(program.errors.contains("is not a regular file"), "\(program.errors)")
        }

        @Test(.serialized, arguments: cases)
        func `a bad line is reported with what to send instead, and the dock stays still`(_ bad: Case) throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            for line in bad.lines { daemon.program.tell(line) }
            #expect(daemon.program.wait { daemon.program.errors.contains(bad.says) }, "\(daemon.program.errors)")
            #expect(daemon.program.ask("status").hasPrefix("ok mode system, dock ready"))
            #expect(daemon.neverMoved)
        }

        @Test func `random bytes cause no motion`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            var random = SystemRandomNumberGenerator()
            for _ in 0..<20 {
                daemon.program.write((0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) })
            }
            daemon.program.write([0x0A])
            #expect(daemon.program.wait { daemon.program.output.contains("type `help`") })
            daemon.program.tell("face happy")
            #expect(daemon.program.wait { daemon.program.output.contains("ok face happy") })
            #expect(daemon.neverMoved)
        }

        @Test func `after bad lines good ones steer again`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            for _ in 0..<30 { daemon.program.tell("{]") }
            try daemon.turn()
        }
    }
}
