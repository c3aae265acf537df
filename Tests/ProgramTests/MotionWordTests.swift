import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests {
    /// Command words over standard input: what the dock does.
    @Suite(.timeLimit(.minutes(10))) struct MotionWords {
        private func manual() throws -> Daemon {
            let daemon = try Daemon(["--headless", "--detector", "stdin", "--mode", "manual"])
            try daemon.waitForPose()
            return daemon
        }

        @Test(
            .serialized,
            arguments: [
                ("right", 2.9, 0.0), ("left", -2.9, 0), ("up", 0, 2.9), ("down", 0, -2.9), ("right 23", 5.8, 0),
            ])
        func `a chevron moves about 2.9 degrees`(_ word: String, _ pan: Double, _ tilt: Double) throws {
            let daemon = try manual()
            defer { daemon.dock.close() }
            #expect(daemon.program.ask(word) == "ok turning")
            #expect(daemon.program.wait { daemon.dock.statistics.maximumSpeed > .degrees(3) })
            #expect(daemon.rest())
            #expect(daemon.pose.isNear(pan, tilt, within: 1), "\(daemon.pose.degrees)")
        }

        @Test func `orient arrives, also relative and negative, and home goes home`() throws {
            let daemon = try manual()
            defer { daemon.dock.close() }
            let steps = [
                ("orient 20 10", 20.0, 10.0), ("orient -15 -5 in 0.8", -15, -5), ("orient 5 10 relative", -10, 5),
                ("home", 0, 0),
            ]
            for (word, pan, tilt) in steps {
                #expect(daemon.program.ask(word) == "ok moving")
                #expect(daemon.program.wait { daemon.pose.isNear(pan, tilt) }, "\(word): \(daemon.pose.degrees)")
                #expect(daemon.rest() && daemon.pose.isNear(pan, tilt), "\(word): \(daemon.pose.degrees)")
            }
            #expect(
                daemon.program.ask("orient 400 0").hasPrefix(
                    "error pan 400 degrees is outside the limits: stay within -168...168"))
        }

        @Test func `a motion requested before the dock has reported its pose begins with the first report`() throws {
            let daemon = try Daemon(["--headless", "--detector", "none", "--mode", "manual"])
            defer { daemon.dock.close() }
            #expect(daemon.program.ask("velocity 10 0 for 5") == "ok turning")
            #expect(daemon.program.wait { daemon.pose.pan > .degrees(2) })
        }

        @Test func `a velocity ends by itself`() throws {
            let daemon = try manual()
            defer { daemon.dock.close() }
            #expect(daemon.program.ask("velocity -20 0") == "ok turning")
            #expect(daemon.program.wait { daemon.dock.rate.pan < .degrees(-15) })
            #expect(daemon.rest())
            #expect(daemon.pose.isNear(-10, 0, within: 4), "\(daemon.pose.degrees)")
        }

        @Test(.serialized, arguments: ["velocity 10 0", "right", "orient 10 0", "home"])
        func `in mode system a manual motion is refused, and the error says what to type first`(_ word: String) throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.waitForPose()
            #expect(daemon.program.ask(word) == "error mode system owns the dock: type `mode manual` first")
            #expect(daemon.program.ask("mode manual") == "ok mode manual")
            #expect(daemon.program.ask(word).hasPrefix("ok "))
        }

        @Test(.serialized, arguments: ["yes", "nope", "no", "kapow"])
        func `an animation ends where it began, and the mode is restored`(_ name: String) throws {
            let daemon = try manual()
            defer { daemon.dock.close() }
            try go(daemon, 20, 12)
            #expect(daemon.program.ask("mode system") == "ok mode system")
            #expect(daemon.program.ask("animate \(name)").hasPrefix("ok animate"))
            var farthest = 0.0
            let start = daemon.pose
            #expect(
                daemon.program.wait {
                    farthest = max(farthest, (daemon.pose - start).magnitude.inDegrees)
                    return farthest > 4
                }, "it moves")
            #expect(waitForEnd(daemon))
            #expect(daemon.rest() && daemon.pose.isNear(20, 12), "\(daemon.pose.degrees)")
            #expect(daemon.program.ask("status").hasPrefix("ok mode system"))
        }

        @Test func `wakeup ends level`() throws {
            let daemon = try manual()
            defer { daemon.dock.close() }
            try go(daemon, -10, -20)
            #expect(daemon.program.ask("animate wakeup").hasPrefix("ok animate"))
            #expect(daemon.program.wait { daemon.pose.tilt > .degrees(-3) })
            #expect(waitForEnd(daemon))
            #expect(daemon.rest() && daemon.pose.isNear(-10, 0), "\(daemon.pose.degrees)")
        }

        @Test func `stop cancels an animation at once, and the mode stays manual`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.waitForPose()
            #expect(daemon.program.ask("animate nope").hasPrefix("ok animate"))
            #expect(daemon.program.wait { daemon.dock.rate.magnitude > .degrees(10) })
            #expect(daemon.program.ask("stop").hasPrefix("ok stopped, mode manual"))
            let moment = monotonicNow()
            #expect(eventually { monotonicNow() > moment + 0.5 })
            #expect(daemon.movedAfter(moment + 0.2).inDegrees < 0.1)
            #expect(daemon.program.ask("status").hasPrefix("ok mode manual"))
            #expect(daemon.dock.lastFrameWasStop || daemon.dock.rate == .zero)
        }

        @Test func `estop latches until clear, and then nothing moves by itself`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            try daemon.turn()
            daemon.program.forget()
            daemon.program.tell("estop")
            #expect(
                daemon.program.wait {
                    daemon.program.news.contains("ok emergency stop, latched: type `dockface clear`")
                })
            #expect(daemon.feed { daemon.dock.snapshot.isEmergencyStopped && daemon.dock.rate == .zero })
            #expect(
                daemon.program.ask("right").hasPrefix(
                    "error stopped by emergencyStop: make sure all is well, then type `dockface clear`"))
            #expect(daemon.program.ask("torque on").hasPrefix("error "))
            #expect(
                daemon.program.ask("mode system").hasPrefix(
                    "ok mode system, but the dock is stopped by emergencyStop: type `dockface clear`"))
            let pose = daemon.pose, start = monotonicNow()
            daemon.feed { monotonicNow() > start + 0.6 }
            #expect((daemon.pose - pose).magnitude.inDegrees < 0.1)
            #expect(daemon.program.ask("clear").hasPrefix("ok cleared, mode manual"))
            let cleared = monotonicNow()
            daemon.feed { monotonicNow() > cleared + 0.6 }
            #expect((daemon.pose - pose).magnitude.inDegrees < 0.1)
            #expect(!daemon.dock.snapshot.isEmergencyStopped)
            #expect(daemon.program.ask("right") == "ok turning")
            #expect(daemon.program.wait { (daemon.pose - pose).magnitude.inDegrees > 1 })
        }

        @Test func `with torque off nothing moves until it is on again`() throws {
            let daemon = try manual()
            defer { daemon.dock.close() }
            #expect(daemon.program.ask("torque off") == "ok torque off")
            #expect(
                daemon.program.ask("right").hasPrefix(
                    "error torque is off; the head moves freely: type `torque on` first"))
            #expect(daemon.program.ask("torque on") == "ok torque on")
            #expect(daemon.program.ask("right") == "ok turning")
            #expect(daemon.program.wait { daemon.pose.pan > .degrees(1) })
        }

        private func go(_ daemon: Daemon, _ pan: Int, _ tilt: Int) throws {
            #expect(daemon.program.ask("orient \(pan) \(tilt)") == "ok moving")
            try #require(daemon.program.wait { daemon.pose.isNear(Double(pan), Double(tilt), within: 0.4) })
            try #require(daemon.rest())
        }

        private func waitForEnd(_ daemon: Daemon) -> Bool {
            let start = monotonicNow()
            while monotonicNow() < start + 10 {
                if !daemon.program.ask("status").contains("animation") { return true }
            }
            return false
        }
    }
}
