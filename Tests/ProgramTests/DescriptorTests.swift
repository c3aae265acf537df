import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// A system without free descriptors: a run ends with a message, or it works and can be ended.
    @Suite(.timeLimit(.minutes(10))) struct Descriptors {
        /// `dockface run` under a limit, from a shell.
        private func run(_ limit: Int, _ more: String) throws -> Program {
            var setup = Program.Setup()
            setup.path = "/bin/sh"
            setup.hasInput = false
            let path = try Place.program("dockface")
            let script =
                "ulimit -n \(limit); exec \"$0\" run --port sim --headless --detector none --socket none \(more)"
            return try Program(["-c", script, path], setup)
        }

        @Test func `under every limit from 3 to 64 it runs to its end, or says what is missing`() throws {
            var ran: Set<Bool> = []
            for limit in 3...64 {
                let program = try run(limit, "--seconds 0.1 --summary")
                let end = program.end(within: 8)
                switch end {
                case .exit(0):
                    ran.insert(true)
                    #expect(program.output.contains("stoppedLast"), "\(limit): \(program.output)")
                case .exit(69):
                    ran.insert(false)
                    #expect(program.errors.contains("raise `ulimit -n`"), "\(limit): \(program.errors)")
                // Even the system's loader lacks descriptors, and reports it.
                case .exit: #expect(limit < 6 && !program.errors.isEmpty, "\(limit): \(program.errors)")
                case .signal, nil: Issue.record("\(limit): \(String(describing: end)), \(program.errors)")
                }
            }
            #expect(ran == [true, false])
        }

        @Test func `under the smallest limit at which it runs a TERM still ends it`() throws {
            for limit in 36...64 {
                let program = try run(limit, "")
                guard program.wait(until: { program.errors.contains("dock ready") || program.hasEnded }) else {
                    Issue.record("\(limit): \(program.errors)")
                    return
                }
                guard !program.hasEnded else { continue }
                program.signal(SIGTERM)
                #expect(program.end(within: 5) == .exit(0), "\(limit)")
                return
            }
            Issue.record("it runs under no limit")
        }
    }
}
