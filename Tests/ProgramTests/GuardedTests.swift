import DockControl
import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// The guard of the built program: there when it shall be, silent when it shall be, gone with its daemon.
    @Suite(.timeLimit(.minutes(1))) struct Guarded {
        /// The processes called dock-guard that a process has begun.
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

        /// Gone, or only its status is left for whoever inherited it.
        private func isGone(_ id: Int32) -> Bool {
            guard let stat = TemporaryFile.text(of: "/proc/\(id)/stat") else { return true }
            return stat.contains(") Z ") || !stat.contains("(dock-guard)")
        }

        private func isFree(_ dock: SimulatedDockPort) -> Bool {
            guard let link = try? LinkOpener.open(dock.path, serial: .init()) else { return false }
            link.close()
            return true
        }

        @Test func `it is begun before any other thread, and after kill -9 it is gone and the port is free`() throws {
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

        @Test func `after an ordinary end it is gone, and it wrote nothing`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            let guards = guards(of: daemon.program.id)
            daemon.program.signal(SIGTERM)
            #expect(daemon.program.end() == .exit(0))
            for id in guards { #expect(isGone(id)) }
            #expect(isFree(daemon.dock))
            // What the daemon wrote last must have arrived, or it would be taken for the guard's.
            let ended = monotonicNow()
            #expect(eventually(1) { daemon.dock.lastFrameWasStop && monotonicNow() > ended + 0.1 })
            let frames = daemon.dock.statistics.frames, moment = monotonicNow()
            #expect(eventually(1) { monotonicNow() > moment + 0.3 })
            #expect(daemon.dock.statistics.frames == frames)
        }

        @Test func `a dry run has none`() throws {
            let daemon = try Daemon(["--headless", "--detector", "stdin", "--dry-run"])
            defer { daemon.dock.close() }
            #expect(guards(of: daemon.program.id).isEmpty)
        }

        @Test func `a daemon that is held up at rest is left alone`() throws {
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

        @Test func `killed, it is replaced while the dock goes on turning, and the new one does its work`() throws {
            var configuration = SimulatedDock.Configuration()
            configuration.hasDeadman = false
            let daemon = try Daemon(dock: try SimulatedDockPort(configuration: configuration))
            defer { daemon.dock.close() }
            try daemon.turn()
            let first = guards(of: daemon.program.id)
            for id in first { kill(id, SIGKILL) }
            #expect(
                daemon.feed { daemon.program.errors.contains("the guard was gone: another one stands in its place") })
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
            let daemon = try Daemon(["--headless", "--mode", "manual", "--detector", "none", "--summary"])
            defer { daemon.dock.close() }
            try daemon.waitForPose()
            // As many as there are cores, for nothing but load.
            let busy = try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
                var setup = Program.Setup()
                setup.path = "/bin/sh"
                return try Program(["-c", "while :; do :; done"], setup)
            }
            defer { busy.forEach { $0.signal(SIGKILL) } }
            // Left and right in turns, so that it keeps moving, and counted is how long it did. The dock's deadman (250 ms)
            // ends what no set-point keeps going: motion itself tells that the loop kept its turns, however slow the machine.
            let begun = monotonicNow()
            var turns = 0, moving = 0.0, last = begun, heldUp = 0.0
            daemon.program.wait(10) {
                let now = monotonicNow()
                if now > begun + 2 * Double(turns) {
                    turns += 1
                    daemon.program.tell("velocity \(turns % 2 == 0 ? -30 : 30) 0 for 10")
                }
                if daemon.dock.rate.magnitude > .degrees(5) { moving += now - last }
                heldUp = max(heldUp, now - last)
                last = now
                return now > begun + 8
            }
            daemon.program.tell("quit")
            #expect(daemon.program.end() == .exit(0))
            #expect(moving > 4, "it moved for \(moving) s of 8")
            #expect(daemon.dock.statistics.setpoints >= UInt64(moving / 0.25))
            // Where this test got no turn for 100 ms either, the machine held everybody up: then a stop is right.
            guard heldUp < 0.1 else { return }
            #expect(daemon.program.output.contains(#""guardStops":0"#), "\(daemon.program.output)")
            #expect(!daemon.program.errors.contains("the guard"), "\(daemon.program.errors), held up \(heldUp) s")
        }
    }
}
