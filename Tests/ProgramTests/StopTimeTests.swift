import DockSimulator
import Foundation
import Geometry
import Glibc
import Synchronization
import TestSupport
import Testing

extension ProgramTests {
    /// Whatever signal the daemon gets while the dock turns: the time until the axis stands still, with and without a
    /// deadman.
    @Suite(.timeLimit(.minutes(10))) struct StopTimes {
        enum Motion: String, Sendable { case manual, tracking, animating }

        struct Case: Sendable, Hashable, CustomTestStringConvertible {
            var signal: Int32
            var motion = Motion.manual
            var hasDeadman: Bool

            var name: String { StopTimes.names.first { $0.0 == signal }?.1 ?? "\(signal)" }
            var testDescription: String { "\(name), \(motion.rawValue), \(hasDeadman ? "deadman" : "no deadman")" }
        }

        static let names: [(Int32, String)] = [
            (SIGTERM, "TERM"), (SIGINT, "INT"), (SIGQUIT, "QUIT"), (SIGHUP, "HUP"), (SIGABRT, "ABRT"),
            (SIGSEGV, "SEGV"), (SIGKILL, "KILL"), (SIGSTOP, "STOP"),
        ]

        static let cases: [Case] = [true, false].flatMap { deadman in
            names.map { Case(signal: $0.0, hasDeadman: deadman) }
                + [Motion.tracking, .animating].flatMap { motion in
                    [SIGTERM, SIGSEGV, SIGKILL, SIGSTOP].map {
                        Case(signal: $0, motion: motion, hasDeadman: deadman)
                    }
                }
        }

        /// Decelerating from 40 deg/s at 600 deg/s², the link's latency and the motor's lag, until less than 0.1
        /// degrees are left, seconds. This is the time of a plain stop.
        static let braking = 0.2
        /// The deadman time, which is also the guard's, and an allowance for the machine.
        static let patience = 0.25 + 0.1

        @Test(.serialized, arguments: cases.filter(\.hasDeadman))
        func `the axis of a dock with a deadman stands still soon`(_ test: Case) throws { try expectStops(test) }

        @Test(.serialized, arguments: cases.filter { !$0.hasDeadman })
        func `the axis of a dock without a deadman stands still as soon, by the guard`(_ test: Case) throws {
            try expectStops(test)
        }

        /// The number of daemons for each signal: `DOCKFACE_KILLS`, one if it is not set.
        private static let repeats = getenv("DOCKFACE_KILLS").flatMap { Int(String(cString: $0)) } ?? 1

        private func expectStops(_ test: Case) throws { for _ in 0..<Self.repeats { try expectStop(test) } }

        private func expectStop(_ test: Case) throws {
            var configuration = SimulatedDock.Configuration()
            configuration.hasDeadman = test.hasDeadman
            let daemon = try Daemon(
                ["--headless", "--detector", "stdin", "--mode", test.motion == .tracking ? "system" : "manual"],
                dock: try SimulatedDockPort(configuration: configuration))
            defer { daemon.dock.close() }
            try start(test.motion, daemon)
            let moment = monotonicNow()
            daemon.program.signal(test.signal)
            let (time, further, speed) = measure(daemon, since: moment)
            #expect(speed > 0, "it was turning")
            #expect(time < Self.patience + Self.braking, "\(time)")
            let isHeld = test.signal == SIGSTOP
            if !isHeld {
                let graceful = [SIGTERM, SIGINT, SIGQUIT, SIGHUP].contains(test.signal)
                #expect(
                    daemon.program.end() == (graceful ? .exit(0) : .signal(test.signal)), "\(daemon.program.errors)")
            }
            #expect(
                eventually(1) { daemon.dock.lastFrameWasStop },
                "from the daemon or the guard: the last frame is the stop")
            Self.note(test, time: time, further: further)
            guard isHeld else { return }
            daemon.program.signal(SIGCONT)
            #expect(
                daemon.program.wait {
                    daemon.program.errors.contains("the guard stopped the dock: the loop was silent for")
                }, "\(daemon.program.errors)")
            let start = monotonicNow()
            if test.motion != .tracking {
                #expect(daemon.program.wait(2) { monotonicNow() > start + 0.5 })
                #expect(daemon.dock.rate.magnitude < .degrees(0.1), "no earlier motion continues")
            }
        }

        private func start(_ motion: Motion, _ daemon: Daemon) throws {
            switch motion {
            case .tracking: try daemon.turn()
            case .manual:
                try daemon.waitForPose()
                #expect(daemon.program.ask("velocity 40 0 for 8").hasPrefix("ok"))
                #expect(daemon.program.wait { daemon.dock.rate.magnitude > .degrees(35) })
            case .animating:
                try daemon.waitForPose()
                #expect(daemon.program.ask("animate nope").hasPrefix("ok"))
                #expect(daemon.program.wait { daemon.dock.rate.magnitude > .degrees(15) })
            }
        }

        /// Seconds until the axis stands still (less than 0.1 degrees left), how far it turned, and its initial speed.
        private func measure(
            _ daemon: Daemon, since moment: Double
        ) -> (time: Double, further: Double, speed: Double) {
            let speed = daemon.dock.rate.magnitude
            var samples: [(Double, PanTilt)] = [], still: Double?
            let isStill = eventually(4) {
                let now = monotonicNow()
                samples.append((now, daemon.pose))
                guard daemon.dock.rate.magnitude < .degrees(0.05) else {
                    still = nil
                    return false
                }
                still = still ?? now
                return still.map { now - $0 > 0.15 } ?? false
            }
            guard isStill, let end = samples.last?.1 else { return (.infinity, .infinity, speed) }
            let stands = samples.last { ($0.1 - end).magnitude > .degrees(0.1) }?.0 ?? moment
            return (stands - moment, (end - daemon.dock.pose(at: moment)).magnitude.inDegrees, speed)
        }

        // MARK: the table

        private static let rows = Mutex<[Case: (count: Int, time: Double, further: Double)]>([:])

        /// Writes the worst measurement, and the number of measurements, to `stop-times.md` in the folder that
        /// DOCKFACE_TABLES names.
        private static func note(_ test: Case, time: Double, further: Double) {
            let all = rows.withLock { rows in
                let old = rows[test] ?? (0, 0, 0)
                rows[test] = (old.count + 1, max(old.time, time), max(old.further, further))
                return rows
            }
            guard let folder = getenv("DOCKFACE_TABLES").map({ String(cString: $0) }) else { return }
            func cell(_ test: Case) -> String {
                all[test].map {
                    "\(Int(($0.time * 1000).rounded())) ms, \(($0.further * 10).rounded() / 10)° (\($0.count))"
                } ?? "-"
            }
            var text = "| signal | while | with a deadman | without |\n| --- | --- | --- | --- |\n"
            for motion in [Motion.manual, .tracking, .animating] {
                for (signal, name) in names {
                    let pair = [true, false].map { Case(signal: signal, motion: motion, hasDeadman: $0) }
                    guard pair.contains(where: { all[$0] != nil }) else { continue }
                    text += "| \(name) | \(motion.rawValue) | \(cell(pair[0])) | \(cell(pair[1])) |\n"
                }
            }
            try? text.write(toFile: folder + "/stop-times.md", atomically: true, encoding: .utf8)
        }
    }
}
