import DockControl
import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// The guard of the built program: present and silent when it should be, gone with its daemon.
    @Suite(.timeLimit(.minutes(10))) struct Guarded {
        /// The processes called dock-guard that a process started.
        private func guards(of parent: Int32) -> [Int32] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return all.compactMap { Int32($0) }.filter { id in
                guard let stat = TemporaryFile.text(of: "/proc/\(id)/stat"), stat.contains("(dock-guard)") else {
                    return false
                }
                let words = stat.split(separator: ")").last?.split(separator: " ") ?? []
                return words.count > 1 && Int32(words[1]) == parent
            }
        }

        /// Gone, or only its exit status is left for its new parent.
        private func isGone(_ id: Int32) -> Bool {
            guard let stat = TemporaryFile.text(of: "/proc/\(id)/stat") else { return true }
            return stat.contains(") Z ") || !stat.contains("(dock-guard)")
        }

        /// How long the loop of a daemon has waited for a core, seconds.
        private func wait(of daemon: Daemon) -> Double {
            daemon.program.coreWaits(of: "dock-loop").values.reduce(0, +)
        }

        private func isFree(_ dock: SimulatedDockPort) -> Bool {
            guard let link = try? LinkOpener.open(dock.path, serial: .init()) else { return false }
            link.close()
            return true
        }

        @Test func `the guard starts before any other thread; after kill -9 it is gone and the port is free`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            #expect(!daemon.program.errors.contains("the guard"), "\(daemon.program.errors)")
            let guards = guards(of: daemon.program.id)
            #expect(guards.count == 1)
            #expect(!isFree(daemon.dock))
            daemon.program.signal(SIGKILL)
            #expect(daemon.program.end() == .signal(SIGKILL))
            for id in guards { #expect(eventually(1) { isGone(id) }) }
            #expect(eventually(1) { isFree(daemon.dock) })
            #expect(eventually(1) { daemon.dock.lastFrameWasStop }, "it wrote the stop")
        }

        @Test func `after an ordinary end the guard is gone, and it wrote nothing`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            let guards = guards(of: daemon.program.id)
            daemon.program.signal(SIGTERM)
            #expect(daemon.program.end() == .exit(0))
            for id in guards { #expect(isGone(id)) }
            #expect(isFree(daemon.dock))
            // The daemon's last bytes must have arrived, or they would be taken for the guard's.
            let ended = monotonicNow()
            #expect(eventually(1) { daemon.dock.lastFrameWasStop && monotonicNow() > ended + 0.1 })
            let frames = daemon.dock.statistics.frames, moment = monotonicNow()
            #expect(eventually(1) { monotonicNow() > moment + 0.3 })
            #expect(daemon.dock.statistics.frames == frames)
        }

        @Test func `a dry run has no guard`() throws {
            let daemon = try Daemon(["--headless", "--detector", "stdin", "--dry-run"])
            defer { daemon.dock.close() }
            #expect(guards(of: daemon.program.id).isEmpty)
        }

        @Test func `a daemon that is halted at rest is left alone`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.waitForPose()
            daemon.program.signal(SIGSTOP)
            #expect(daemon.program.wait(2) { daemon.program.isHalted })
            let moment = monotonicNow()
            #expect(eventually(1) { monotonicNow() > moment + 0.1 })
            let frames = daemon.dock.statistics.frames
            #expect(eventually(2) { monotonicNow() > moment + 0.8 })
            #expect(daemon.dock.statistics.frames == frames)
            daemon.program.signal(SIGCONT)
            #expect(daemon.program.ask("status").hasPrefix("ok mode"))
            #expect(!daemon.program.errors.contains("the guard"), "\(daemon.program.errors)")
        }

        @Test func `a guard that is killed is replaced while the dock keeps turning, and the new one works`() throws {
            var configuration = SimulatedDock.Configuration()
            configuration.hasDeadman = false
            let daemon = try Daemon(dock: try SimulatedDockPort(configuration: configuration))
            defer { daemon.dock.close() }
            try daemon.turn()
            let first = guards(of: daemon.program.id)
            for id in first { kill(id, SIGKILL) }
            #expect(
                daemon.feed { daemon.program.errors.contains("the guard had ended and was replaced") })
            let second = guards(of: daemon.program.id)
            #expect(second.count == 1 && second != first)
            try daemon.turn()
            daemon.program.signal(SIGKILL)
            let killed = monotonicNow()
            #expect(eventually { monotonicNow() > killed + 0.6 })
            #expect(daemon.movedAfter(killed + 0.4).inDegrees < 0.1)
            for id in second { #expect(eventually(1) { isGone(id) }) }
        }

        @Test(.alone) func `a healthy daemon on a busy machine is never interrupted`() throws {
            // Without real-time priority, which would keep it from everything that happens here.
            let daemon = try Daemon(
                ["--headless", "--mode", "manual", "--detector", "none", "--summary"], isRealTime: false)
            defer { daemon.dock.close() }
            try daemon.waitForPose()
            // One per core, for load only.
            let busy = try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
                var setup = Program.Setup()
                setup.path = "/bin/sh"
                return try Program(["-c", "while :; do :; done"], setup)
            }
            defer { busy.forEach { $0.signal(SIGKILL) } }
            // Turns left and right alternately, so that it keeps moving, and adds up the time in motion. The dock's
            // deadman (250 ms) ends motion without set-points: motion itself shows that the loop kept its schedule.
            let begun = monotonicNow()
            var turns = 0, moving = 0.0, last = begun, heldUp = 0.0
            // What the loop has waited for a core, as of some 20 ms ago.
            var loop = (at: begun, waited: wait(of: daemon), dock: daemon.dock.delays)
            daemon.program.wait(10) {
                let now = monotonicNow()
                if now > begun + 2 * Double(turns) {
                    turns += 1
                    daemon.program.tell("velocity \(turns % 2 == 0 ? -30 : 30) 0 for 10")
                }
                if daemon.dock.rate.magnitude > .degrees(5) { moving += now - last }
                heldUp = max(heldUp, now - last)
                last = now
                if now > loop.at + 0.02 {
                    let waited = wait(of: daemon), dock = daemon.dock.delays
                    heldUp = max(heldUp, waited - loop.waited, dock - loop.dock)
                    loop = (now, waited, dock)
                }
                return now > begun + 8
            }
            daemon.program.tell("quit")
            #expect(daemon.program.end() == .exit(0))
            #expect(moving > 0 && daemon.dock.statistics.setpoints >= UInt64(moving / 0.25))
            // If the machine gave the loop or this test no turn for 100 ms, a stop is right.
            guard heldUp < 0.1 else { return }
            #expect(moving > 4, "it moved for \(moving) s of 8")
            #expect(daemon.program.output.contains(#""guardStops":0"#), "\(daemon.program.output)")
            #expect(!daemon.program.errors.contains("the guard"), "\(daemon.program.errors), held up \(heldUp) s")
        }
    }
}
