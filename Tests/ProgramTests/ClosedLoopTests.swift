import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// The main task in real time: recorded real faces, a simulated camera on the moving head, the simulated dock.
    @Suite(.timeLimit(.minutes(10))) struct ClosedLoop {
        private func summary(_ source: String, seconds: Int) throws -> Summary {
            let program = try Program([
                "run", "--port", "sim", "--headless", "--detector", source, "--seconds", "\(seconds)", "--summary",
            ])
            guard program.end(within: Double(seconds) + 20) == .exit(0), let summary = Summary(program.output) else {
                throw Silence(description: "no summary: \(program.output) \(program.errors)")
            }
            return summary
        }

        @Test(.serialized, arguments: ["two-people", "walking-and-pause"])
        func `a person is kept, and kept on target`(_ name: String) throws {
            let summary = try summary("scene:\(Place.faces(name)),loop=pingpong", seconds: 10)
            // The nod to the person takes a tenth of the time.
            #expect((summary["onTarget"] ?? 0) >= 0.8, "\(summary.line)")
            #expect(summary["switches"] == 0 && summary["persons"] == 1, "\(summary.line)")
            #expect(summary["faults"] == 0 && summary.isStoppedLast, "\(summary.line)")
            #expect((summary["frames"] ?? 0) >= 80 && (summary["commands"] ?? 0) > 0, "\(summary.line)")
        }

        @Test func `a person who comes and goes in a corridor is followed, and no other person`() throws {
            let slice = try TemporaryFile(Self.corridor(95...185), ".jsonl")
            let summary = try summary("scene:\(slice.path),hfov=66", seconds: 9)
            #expect(summary["persons"] == 1 && (summary["commands"] ?? 0) > 0, "\(summary.line)")
            #expect(summary["falseFrames"] == 0 && summary["switches"] == 0, "\(summary.line)")
            #expect(summary["faults"] == 0 && summary.isStoppedLast, "\(summary.line)")
        }

        @Test func `when no person is left the dock goes home`() throws {
            // The face stays right of the centre whatever the dock does, so the dock turns far to the right.
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            #expect(daemon.feed { daemon.pose.pan > .degrees(5) })
            let start = monotonicNow()
            #expect(
                daemon.feed(Daemon.nobody, for: 20) {
                    monotonicNow() > start + 2 && daemon.pose.isNear(0, 0, within: 1)
                }, "\(daemon.pose.degrees)")
            #expect(daemon.rest())
            #expect(daemon.dock.statistics.invalidFrames == 0)
        }

        @Test func `faces with a low detector score are never chased`() throws {
            let slice = try TemporaryFile(Self.corridor(1278...1320), ".jsonl")
            let summary = try summary("scene:\(slice.path),hfov=66", seconds: 5)
            #expect((summary["frames"] ?? 0) > 30, "\(summary.line)")
            #expect(summary["commands"] == 0 && summary["persons"] == 0, "\(summary.line)")
        }

        @Test func `a dry run decides and writes no motion`() throws {
            let daemon = try Daemon(["--headless", "--detector", "stdin", "--dry-run"])
            defer { daemon.dock.close() }
            #expect(daemon.feed { daemon.program.errors.contains("dry run: would turn pan +") })
            #expect(daemon.dock.statistics.maximumSpeed == 0)
        }

        /// The frames of the corridor in this range of numbers.
        private static func corridor(_ numbers: ClosedRange<Int>) -> String {
            let lines = (TemporaryFile.text(of: Place.faces("one-by-one")) ?? "").split(separator: "\n")
            let wanted = lines.filter { line in
                guard let start = line.firstRange(of: #""seq":"#) else { return line.contains(#""hello""#) }
                return numbers.contains(Int(line[start.upperBound...].prefix { $0.isNumber }) ?? -1)
            }
            return wanted.joined(separator: "\n") + "\n"
        }
    }
}

/// The JSON line at the end of a run.
private struct Summary {
    let line: String

    init?(_ output: String) {
        guard let last = output.split(separator: "\n").last, last.hasPrefix("{"), last.hasSuffix("}") else {
            return nil
        }
        line = String(last)
    }

    /// A number; nil: missing or null.
    subscript(key: String) -> Double? {
        guard let start = line.firstRange(of: "\"\(key)\":") else { return nil }
        return Double(line[start.upperBound...].prefix { !",}".contains($0) })
    }

    var isStoppedLast: Bool { line.contains(#""stoppedLast":true"#) }
}
