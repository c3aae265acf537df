import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// A session of the real program, recorded from its start, and shown.
    @Suite(.timeLimit(.minutes(10))) struct Reruns {
        /// Records until the loop has made so many decisions, however long the dock's handshake takes.
        private func record(_ arguments: [String], into file: TemporaryFile, setpoints: Int = 150) throws {
            let program = try Program(["run", "--headless", "--socket", "none", "--trace", file.path] + arguments)
            var looked = monotonicNow(), count = 0
            program.wait(60) {
                guard count < setpoints, monotonicNow() > looked + 0.2 else { return count >= setpoints }
                looked = monotonicNow()
                count = (TemporaryFile.text(of: file.path) ?? "").components(separatedBy: #","k":"set""#).count - 1
                return count >= setpoints
            }
            program.signal(SIGTERM)
            guard count >= setpoints, program.end(within: 20) == .exit(0) else {
                throw Silence(description: "\(count) set-points: \(program.output) \(program.errors)")
            }
        }

        private func replay(_ arguments: [String]) throws -> (ending: Program.Ending?, output: String, errors: String) {
            let program = try Program(["replay"] + arguments)
            let ending = program.end(within: 60)
            return (ending, program.output, program.errors)
        }

        @Test(.serialized, arguments: ["scene", "file"])
        func `the decisions of a session on the simulated dock are replayed to the byte`(_ kind: String) throws {
            let file = try TemporaryFile("", ".jsonl")
            let source = "\(kind):\(Place.faces("walking-and-pause")),loop=pingpong"
            try record(
                ["--port", "sim", "--detector", source] + (kind == "file" ? ["--open-loop"] : []), into: file)
            let shown = try replay([file.path, "--only", "state"])
            let last = try #require(shown.output.split(separator: "\n").last.map(String.init))
            let numbers = last.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
            #expect(shown.ending == .exit(0), "\(shown.output.suffix(500)) \(shown.errors)")
            #expect(last.hasPrefix("decided again: ") && last.hasSuffix(" bytes the same"), "\(last)")
            #expect(numbers.count == 3 && numbers[0] == numbers[1] && numbers[2] > 1000, "\(last)")
            // A film does not turn with the simulated head: its camera counts as fixed.
            #expect(numbers[0] > 50, "\(last)")
            // The decisions as lines, twice, are the trace's own.
            let one = try replay([file.path, "--decisions"]), two = try replay([file.path, "--decisions"])
            let recorded = try String(contentsOfFile: file.path, encoding: .utf8).split(separator: "\n").filter {
                $0.contains(#","k":"set""#) || $0.contains(#","k":"tx""#)
            }
            #expect(one.output == two.output && one.ending == .exit(0))
            #expect(one.output == recorded.map { $0 + "\n" }.joined())
            let json = try replay([file.path, "--json"]).output
            #expect(json.contains(#""isFromBeginning":true,"isSame":true"#), "\(json)")
        }

        @Test func `verbs of other shells: a tap, a mode, an animation, an emergency stop and its end`() throws {
            let file = try TemporaryFile("", ".jsonl")
            let daemon = try ControlledDaemon(["--detector", "stdin", "--trace", file.path], mode: "system")
            var frames = 0
            daemon.program.wait(
                meanwhile: {
                    daemon.program.tell(Daemon.face); frames += 1
                },
                until: { frames > 12 && daemon.dock.rate.pan > 0.01 })
            _ = try daemon.verb("tap", "0.62", "0.45")
            _ = try daemon.verb("mode", "manual")
            _ = try daemon.verb("animate", "nope")
            _ = try daemon.verb("estop")
            _ = try daemon.verb("clear")
            _ = try daemon.verb("orient", "5", "3")
            daemon.program.signal(SIGTERM)
            #expect(daemon.program.end(within: 20) == .exit(0), "\(daemon.program.errors)")
            let shown = try replay([file.path, "--only", "cmd", "--only", "input"])
            #expect(shown.ending == .exit(0), "\(shown.output.suffix(800))")
            #expect(shown.output.contains("ASK   tap 0.620 0.450") && shown.output.contains("CMD   emergencyStop"))
            #expect(shown.output.contains("decided again: ") && shown.output.hasSuffix("bytes the same\n"))
        }

        @Test func `another controller shows a difference, with its time and both values, and exit status 1`() throws {
            let file = try TemporaryFile("", ".jsonl")
            try record(
                ["--port", "sim", "--detector", "scene:\(Place.faces("walking")),loop=pingpong"], into: file)
            let text = try String(contentsOfFile: file.path, encoding: .utf8)
            #expect(text.contains("lag_ms = 40"))
            let other = try TemporaryFile(text.replacingOccurrences(of: "lag_ms = 40", with: "lag_ms = 90"), ".jsonl")
            let shown = try replay([other.path, "--only", "state"])
            #expect(shown.ending == .exit(1) && shown.errors.isEmpty, "\(shown.errors)")
            #expect(shown.output.contains("the first difference is at ") && shown.output.contains("  recorded: "))
            #expect(shown.output.contains("  decided:  "))
            let silent = try replay([other.path, "--tell", "--only", "state"])
            #expect(silent.ending == .exit(0) && !silent.output.contains("decided again"))
            #expect(try replay([other.path, "--decisions"]).ending == .exit(1))
        }

        @Test func `a trace that cannot be written is reported before anything moves`() throws {
            let program = try Program(["run", "--headless", "--port", "sim", "--trace", "/nowhere/at/all.jsonl"])
            #expect(program.end(within: 10) == .exit(69))
            #expect(program.errors.contains("cannot write /nowhere/at/all.jsonl"), "\(program.errors)")
        }
    }
}
