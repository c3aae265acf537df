import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// What a run inherits from whoever starts it.
    @Suite(.timeLimit(.minutes(1))) struct InheritedSignals {
        /// The signals that a process ignores, as bits; nil: not told.
        private func ignored(by id: Int32) -> UInt64? {
            guard let file = fopen("/proc/\(id)/status", "re") else { return nil }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            while fgets(&line, 256, file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                guard text.hasPrefix("SigIgn:") else { continue }
                return UInt64(text.dropFirst(7).filter { !$0.isWhitespace }, radix: 16)
            }
            return nil
        }

        @Test func `a run whose parent ignored the end of children keeps the number of its guard for itself`() throws {
            var setup = Program.Setup()
            setup.path = "/bin/sh"
            let script = "trap '' CHLD; echo ready; read line; exec \"$0\" run --port sim --headless --socket none"
            let program = try Program(["-c", script, try Place.program("dockface")], setup)
            let child = UInt64(1) << UInt64(SIGCHLD - 1)
            #expect(program.line() == "ready")
            #expect(ignored(by: program.id).map { $0 & child } == child, "the shell hands it on")
            program.tell("go on")
            #expect(program.wait { program.errors.contains("dock ready") }, "\(program.errors)")
            #expect(ignored(by: program.id).map { $0 & child } == 0)
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0))
        }
    }
}
