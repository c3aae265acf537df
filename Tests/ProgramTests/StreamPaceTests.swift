import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// Streams that stop, flood, or have a reader that does not read.
    @Suite(.timeLimit(.minutes(10))) struct StreamPace {
        @Test func `the dock stands still within 0.6 s of the end of a stream, and the daemon says so`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            let silent = monotonicNow()
            #expect(
                daemon.program.wait {
                    daemon.program.errors.contains(
                        "no frames from the detector: the dock stands still; check the detector stage")
                })
            #expect(eventually { monotonicNow() > silent + 0.9 })
            #expect(daemon.movedAfter(silent + 0.6).inDegrees < 0.1)
            #expect(daemon.program.ask("status --why").contains("detectorStale"))
            // It neither searches nor goes home.
            let pose = daemon.pose
            #expect(daemon.program.end(within: 1.2) == nil)
            #expect((daemon.pose - pose).magnitude.inDegrees < 0.1)
        }

        @Test func `a flood of ten thousand frames a second costs no memory and no answer`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            let block = Array(String(repeating: Daemon.middle + "\n", count: 500).utf8)
            _ = daemon.program.write(block)
            #expect(daemon.program.ask("status").hasPrefix("ok mode"))
            let before = daemon.program.memory
            let start = monotonicNow()
            for index in 1...40 {
                #expect(daemon.program.write(block))
                _ = daemon.program.wait(1) { monotonicNow() > start + 0.05 * Double(index) }
            }
            #expect(daemon.program.ask("status").hasPrefix("ok mode"))
            #expect(daemon.program.memory - before < 20 << 20, "\(before) -> \(daemon.program.memory)")
        }

        @Test func `a stop behind a thousand other words in one go is obeyed`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            daemon.program.write(Array((String(repeating: "status\n", count: 1000) + "stop\n").utf8))
            #expect(daemon.program.wait { daemon.program.output.contains("ok stopped, mode manual") })
            #expect(daemon.rest())
            #expect(daemon.program.ask("status").hasPrefix("ok mode manual"))
        }

        @Test func `a program that never reads its answers delays neither the dock nor the end`() throws {
            var setup = Program.Setup()
            setup.ignoresOutput = true
            let daemon = try Daemon(["--headless", "--detector", "stdin"], setup)
            defer { daemon.dock.close() }
            // More than a pipe holds.
            for _ in 0..<40 { #expect(daemon.program.write(Array(String(repeating: "help\n", count: 30).utf8))) }
            try daemon.turn()
            daemon.program.signal(SIGTERM)
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            #expect(eventually { daemon.dock.lastFrameWasStop })
        }
    }
}
