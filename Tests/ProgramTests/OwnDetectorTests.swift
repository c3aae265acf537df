import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// The first tries with your own detector, without hardware and without a profile.
    @Suite(.timeLimit(.minutes(10))) struct OwnDetectors {
        /// The pan angle in an answer to `status`, degrees.
        private func pan(_ answer: String) -> Double? {
            answer.firstRange(of: "pan ").flatMap { found in
                Double(String(answer.suffix(from: found.upperBound).prefix { $0 != " " }))
            }
        }

        @Test func `rectangles on standard input move the simulated head with them, and no fault is latched`() throws {
            let program = try Program(["run", "--port", "sim", "--headless", "--socket", "none"])
            #expect(program.wait(15) { program.errors.contains("dock ready") }, "\(program.errors)")
            // A person walks from one side of the frame to the other and stays there for a while, twice.
            let start = monotonicNow()
            for (x, side) in [(0.10, -1.0), (0.80, 1.0), (0.10, -1.0), (0.80, 1.0)] {
                var angle = 0.0, next = 0.0, since: Double?
                let arrives = program.wait(
                    20,
                    meanwhile: {
                        guard monotonicNow() >= next else { return }
                        next = monotonicNow() + 0.1
                        program.tell(#"{"faces":[{"rect":[\#(x),0.4,0.1,0.2]}]}"#)
                        angle = pan(program.ask("status")) ?? angle
                    },
                    until: {
                        // The head stays on the person for two seconds; a fault would come within one.
                        guard angle * side > 14 else { return false }
                        since = since ?? monotonicNow()
                        return since.map { monotonicNow() - $0 > 2 } ?? false
                    })
                #expect(arrives, "\(x): \(angle) degrees after \(monotonicNow() - start) s, \(program.errors)")
                // The person is 21 degrees to a side in a frame of 66 degrees: the head neither overshoots nor runs away.
                #expect((14...28).contains(angle * side), "\(x): \(angle)")
            }
            #expect(!program.errors.contains("pictureDoesNotFollow"), "\(program.errors)")
            #expect(program.errors.ranges(of: "treats the camera as fixed").count == 1, "\(program.errors)")
            program.closeInput()
            #expect(program.end(within: 10) == .exit(0))
        }

        @Test func `a scene needs no note, because its camera turns with the head`() throws {
            let program = try Program([
                "run", "--port", "sim", "--headless", "--socket", "none", "--detector", "scene:visit",
            ])
            #expect(program.wait(15) { program.errors.contains("dock ready") }, "\(program.errors)")
            #expect(!program.errors.contains("camera.mount"), "\(program.errors)")
            #expect(program.ask("framing left") == "ok framing left")
            program.signal(SIGTERM)
            #expect(program.end(within: 10) == .exit(0))
        }

        @Test(arguments: [("file:/nowhere.jsonl", "scene:two-people"), ("file:two-people", "use scene:two-people")])
        func `a recording that does not exist is named with its path before anything starts`(
            _ source: String, _ advice: String
        ) throws {
            let program = try Program(["run", "--port", "sim", "--headless", "--socket", "none", "--detector", source])
            #expect(program.end(within: 10) == .exit(65))
            #expect(program.errors.contains("there is no file \(source.dropFirst(5))"), "\(program.errors)")
            #expect(program.errors.contains(advice) && !program.errors.contains("dock ready"), "\(program.errors)")
        }

        @Test func `profiles show --toml writes a file that run accepts`() throws {
            let shown = try Program(["profiles", "show", "feetech-sts3215-pair", "--toml"])
            #expect(shown.end() == .exit(0))
            let file = try TemporaryFile(
                shown.output.replacingOccurrences(of: #"mount = "head""#, with: #"mount = "fixed""#), ".toml")
            let again = try Program(["profiles", "show", file.path])
            #expect(again.end() == .exit(0))
            let rows = again.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(rows.contains(["camera.mount", #""fixed""#, "file"]), "\(again.output)")
            let run = try Program([
                "run", "--port", "sim", "--headless", "--socket", "none", "--seconds", "0.5", "--profile", file.path,
            ])
            #expect(run.end(within: 15) == .exit(0), "\(run.errors)")
            // The profile itself says that the camera does not move.
            #expect(!run.errors.contains("treats the camera as fixed"), "\(run.errors)")
        }
    }
}
