import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    @Suite(.timeLimit(.minutes(10))) struct Death {
        @Test func `after kill -9 the guard stops the turning dock`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            daemon.program.signal(SIGKILL)
            let killed = monotonicNow()
            #expect(daemon.program.end() == .signal(SIGKILL))
            #expect(eventually { monotonicNow() > killed + 0.6 })
            // The guard's stop is immediate; then the link's latency and 67 ms of braking.
            #expect(daemon.movedAfter(killed + 0.3).inDegrees < 0.1)
            #expect(daemon.dock.lastFrameWasStop, "the guard outlives the daemon until the stop is written")
        }

        @Test func `a dock that was latched under a daemon that died is freed and cleared under the next one`() throws {
            let first = try Daemon()
            defer { first.dock.close() }
            #expect(first.program.ask("estop").hasPrefix("ok emergency stop"))
            #expect(first.program.wait { first.dock.snapshot.isEmergencyStopped })
            first.program.signal(SIGKILL)
            #expect(first.program.end() == .signal(SIGKILL))
            let next = try Daemon(
                ["--headless", "--mode", "manual", "--detector", "none"], dock: first.dock, waits: false)
            // The dock itself reports the latch.
            #expect(next.program.wait { next.program.ask("status").contains("emergencyStop") })
            #expect(next.program.ask("torque off") == "ok torque off")
            #expect(next.program.wait { next.program.ask("clear").hasPrefix("ok cleared, mode manual") })
            #expect(!next.dock.snapshot.isEmergencyStopped)
            #expect(next.program.wait { next.program.ask("torque on") == "ok torque on" })
            #expect(next.program.wait { next.program.ask("right") == "ok turning" })
        }

        @Test func `a daemon that is halted by SIGSTOP does not leave the dock turning`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            daemon.program.signal(SIGSTOP)
            let held = monotonicNow()
            #expect(eventually { monotonicNow() > held + 0.8 })
            #expect(daemon.movedAfter(held + 0.5).inDegrees < 0.1)
            daemon.program.signal(SIGCONT)
            #expect(daemon.program.wait { daemon.program.errors.contains("the guard stopped the dock") })
            #expect(daemon.program.wait { daemon.program.errors.contains("the clock jumped") })
            #expect(daemon.program.ask("status").hasPrefix("ok mode system"))
        }
    }
}
