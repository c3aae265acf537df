import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// What a run inherits from its parent.
    @Suite(.timeLimit(.minutes(10))) struct InheritedSignals {
        /// The ignored signals of a status in /proc, as bits.
        private func ignored(_ status: String) -> UInt64? {
            let line = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }
            return line.flatMap { UInt64($0.dropFirst(7).filter { !$0.isWhitespace }, radix: 16) }
        }

        private func status(of id: Int32) -> String {
            guard let file = fopen("/proc/\(id)/status", "re") else { return "" }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 8192)
            let count = fread(&bytes, 1, 8192, file)
            return String(decoding: bytes[..<count], as: UTF8.self)
        }

        @Test func `a run whose parent ignored SIGCHLD still keeps the process id of its guard`() throws {
            var setup = Program.Setup()
            setup.path = "/usr/bin/env"
            let child = UInt64(1) << UInt64(SIGCHLD - 1)
            let parent = try Program(["--ignore-signal=CHLD", "cat", "/proc/self/status"], setup)
            #expect(parent.end() == .exit(0))
            #expect(ignored(parent.output).map { $0 & child } == child, "it is inherited")
            let run = ["run", "--port", "sim", "--headless", "--socket", "none"]
            let program = try Program(["--ignore-signal=CHLD", try Place.program("dockface")] + run, setup)
            #expect(program.wait { program.errors.contains("dock ready") }, "\(program.errors)")
            #expect(ignored(status(of: program.id)).map { $0 & child } == 0)
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0))
        }
    }
}
