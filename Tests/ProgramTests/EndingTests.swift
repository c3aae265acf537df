import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// Every exit path ends with a stop.
    @Suite(.timeLimit(.minutes(10))) struct Ending {
        private func expectStop(_ daemon: Daemon) {
            let moment = monotonicNow()
            #expect(eventually { daemon.dock.lastFrameWasStop }, "the last frame on the wire is the stop")
            #expect(eventually { monotonicNow() > moment + 0.3 })
            #expect(daemon.movedAfter(moment + 0.2).inDegrees < 0.1, "and the dock obeys it")
        }

        @Test(.serialized, arguments: [SIGTERM, SIGINT, SIGHUP])
        func `after a signal the last frame to the turning dock is a stop, and the status is 0`(_ number: Int32) throws
        {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            daemon.program.signal(number)
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            expectStop(daemon)
        }

        @Test(.serialized, arguments: [SIGTERM, SIGHUP])
        func `a signal counts as soon as the daemon can be reached`(_ number: Int32) throws {
            for _ in 1...10 {
                let socket = TemporaryFile.freePath("socket")
                let daemon = try Daemon(["--headless", "--detector", "none", "--socket", socket], waits: false)
                defer { daemon.dock.close() }
                let end = monotonicNow() + 10
                // No sleep: this moment lasts less than a millisecond.
                while access(socket, F_OK) != 0, monotonicNow() < end { sched_yield() }
                daemon.program.signal(number)
                #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            }
        }

        @Test func `two signals at once end it as well as one`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            daemon.program.signal(SIGTERM)
            daemon.program.signal(SIGINT)
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            expectStop(daemon)
        }

        @Test func `after the word quit the last frame to the turning dock is a stop, and the status is 0`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            daemon.program.tell("quit")
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            expectStop(daemon)
        }

        @Test func `after the end of standard input the last frame to the turning dock is a stop, and the status is 0`()
            throws
        {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            daemon.program.closeInput()
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            #expect(daemon.program.errors.contains("the detections have ended"))
            expectStop(daemon)
        }

        @Test func `after the end of the time the last frame to the turning dock is a stop, and the status is 0`()
            throws
        {
            let daemon = try Daemon(["--headless", "--detector", "stdin", "--seconds", "2", "--summary"])
            defer { daemon.dock.close() }
            daemon.feed { daemon.program.hasEnded }
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
            #expect(daemon.program.output.contains(#""stoppedLast":true"#), "\(daemon.program.output)")
            expectStop(daemon)
        }

        @Test func `the end of the command words alone does not end the run`() throws {
            let daemon = try Daemon(["--headless", "--detector", "none"])
            defer { daemon.dock.close() }
            #expect(daemon.program.ask("status").hasPrefix("ok mode system"))
            daemon.program.closeInput()
            #expect(daemon.program.end(within: 0.6) == nil)
            daemon.program.signal(SIGTERM)
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
        }
    }
}
