import DockSimulator
import Foundation
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// Verbs of another shell and the daemon that they talk to, both unmodified.
    @Suite(.timeLimit(.minutes(10))) struct LiveVerbs {
        @Test func `a move shows its progress until its end, Ctrl-C cancels it, and the dock stands still`() throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock
            let terminal = try Terminal()
            let move = try daemon.start(["orient", "20", "-5", "in", "0.8"], terminal: terminal)
            #expect(move.wait { move.output.contains("orient ") && move.output.contains(" s left") }, "\(move.output)")
            #expect(move.end() == .exit(0) && move.output.contains("ok orient completed"), "\(move.output)")
            #expect(daemon.rests() && daemon.daemon.pose.isNear(20, -5), "\(daemon.daemon.pose.degrees)")
            let far = try daemon.start(["orient", "-150", "0", "in", "8"])
            #expect(daemon.wait { dock.rate.pan < -0.01 })
            far.signal(SIGINT)
            #expect(far.end() == .exit(130) && far.errors.contains("cancelled"), "\(far.errors)")
            #expect(daemon.rests())
            let stopped = try daemon.start(["orient", "-150", "0", "in", "8", "--json"])
            #expect(daemon.wait { dock.rate.pan < -0.01 })
            let stop = try daemon.verb("stop")
            #expect(stop.ending == .exit(0))
            #expect(stop.output.hasPrefix("ok stopped, mode manual: `mode system` follows"), "\(stop)")
            #expect(stopped.end() == .exit(1) && stopped.output.contains(#""outcome":"stopped""#), "\(stopped.output)")
            _ = try daemon.verb("mode", "system")
            let refused = try daemon.verb("orient", "10", "0")
            #expect(refused.errors.contains("run `dockface mode manual` first"), "\(refused.errors)")
            _ = try daemon.verb("mode", "manual")
            let beyond = try daemon.verb("orient", "400", "0")
            #expect(beyond.ending == .exit(1) && beyond.errors.contains("outside the limits"), "\(beyond)")
        }

        @Test func `tap, limits, mode and status report their effect and the state`() throws {
            let daemon = try ControlledDaemon(["--detector", "stdin"])
            let nobody = try daemon.verb("tap", "0.5", "0.5")
            #expect(nobody.ending == .exit(1) && nobody.errors.contains("no face at that point"), "\(nobody)")
            let peer = try daemon.peer()
            #expect(
                daemon.daemon.feed(Daemon.middle) {
                    (try? peer.result("status")["tracking"]["subjects"].array.isEmpty) == false
                })
            let tap = try daemon.verb("tap", "0.5", "0.5")
            #expect(tap.ending == .exit(0) && tap.output.hasPrefix("ok subject "), "\(tap)")
            let limits = try daemon.verb("limits", "pan", "-15", "10", "20")
            #expect(limits.ending == .exit(0) && limits.output.contains("-15...10"), "\(limits)")
            let status = try daemon.verb("status", "--why", "--json")
            let json = JSON(line: Array(status.output.utf8))
            #expect(status.ending == .exit(0) && json["why"]["pan"]["text"].string != nil, "\(status)")
            #expect(abs((json["accessory"]["limits"]["pan"]["max"].number ?? 0) - 10 * .pi / 180) < 0.001)
            Said.result(json, of: "status")
            let text = try daemon.verb("status")
            #expect(text.output.contains("manual") && text.output.contains("simulated good"), "\(text)")
        }

        @Test func `face beside a daemon names the option that shows it on the daemon's screen`() throws {
            let daemon = try ControlledDaemon(), terminal = try Terminal()
            let beside = try daemon.start(["face", "happy", "--size", "20x8"], terminal: terminal)
            #expect(beside.end() == .exit(0) && beside.output.contains("dockface face happy --remote"))
            // A program that reads the picture gets no note.
            let piped = try daemon.verb("face", "happy", "--size", "20x8")
            #expect(piped.ending == .exit(0) && !(piped.output + piped.errors).contains("--remote"))
        }

        @Test func `watch prints JSON lines that fit the schema`() throws {
            let daemon = try ControlledDaemon()
            let watch = try daemon.start(["watch", "motion", "face", "accessory", "--json"])
            #expect(watch.wait { watch.output.split(separator: "\n").count >= 3 }, "\(watch.errors)")
            #expect(try daemon.verb("face", "--remote", "happy").ending == .exit(0))
            #expect(try daemon.verb("animate", "yes", "--no-wait").ending == .exit(0))
            #expect(watch.wait { watch.output.contains(#""outcome":"completed""#) })
            watch.signal(SIGINT)
            #expect(watch.end() == .exit(0), "\(watch.errors)")
            let lines = watch.output.split(separator: "\n").map { JSON(line: Array($0.utf8)) }
            #expect(lines.contains { $0["data"]["expression"].string == "happy" })
            for line in lines {
                let topic = line["topic"].string
                #expect(topic != nil && line["seq"].int != nil, "\(line)")
                Said.event(line)
            }
        }

        @Test func `presets and taught motions outlive the daemon, and are replayed as they were taught`() throws {
            let folder = NSTemporaryDirectory() + "dockface-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            var shown: [(time: Double, pose: PanTilt)] = []
            do {
                let daemon = try ControlledDaemon(folder: folder), dock = daemon.dock
                #expect(try daemon.verb("orient", "6", "4").ending == .exit(0))
                #expect(try daemon.verb("preset", "save", "door").output == "ok preset door saved\n")
                #expect(try daemon.verb("torque", "off").ending == .exit(0))
                #expect(try daemon.verb("motion", "record", "wave").ending == .exit(0))
                let start = monotonicNow()
                let pushes = [(14.0, 5.0), (-20.0, -5.0), (12.0, 8.0)]
                for (pan, tilt) in pushes {
                    dock.push(PanTilt(pan: .degrees(pan), tilt: .degrees(tilt)), for: 0.4)
                    let end = monotonicNow() + 0.5
                    daemon.wait {
                        look(at: daemon, since: start).map { shown.append($0) }
                        return monotonicNow() > end
                    }
                }
                #expect(daemon.rests())
                let finish = try daemon.verb("motion", "finish")
                #expect(finish.output.contains("wave learnt"), "\(finish)")
                #expect(try daemon.verb("torque", "on").ending == .exit(0))
                #expect(try daemon.verb("quit").ending == .exit(0))
                #expect(daemon.program.end() == .exit(0))
            }
            let daemon = try ControlledDaemon(folder: folder), dock = daemon.dock
            let list = try daemon.verb("preset", "list")
            #expect(list.ending == .exit(0) && list.output.contains("door (pan +"), "\(list)")
            let go = try daemon.verb("preset", "go", "door")
            #expect(go.ending == .exit(0) && daemon.rests() && daemon.daemon.pose.isNear(6, 4), "\(go)")
            let animate = try daemon.start(["animate", "wave"])
            #expect(daemon.wait { dock.rate.magnitude > .degrees(2) })
            let began = monotonicNow()
            var followed: [(time: Double, pose: PanTilt)] = []
            animate.wait {
                look(at: daemon, since: began).map { followed.append($0) }
                return animate.hasEnded
            }
            #expect(animate.end() == .exit(0), "\(animate.errors)")
            expectSamePath(shown, followed)
            #expect(try daemon.verb("motion", "delete", "wave").ending == .exit(0))
            #expect(try daemon.verb("animate", "wave").ending == .exit(1))
        }

        /// The dock's pose and its time; nil if the machine interrupted the reading.
        private func look(at daemon: ControlledDaemon, since start: Double) -> (time: Double, pose: PanTilt)? {
            let before = monotonicNow(), pose = daemon.daemon.pose, after = monotonicNow()
            return after - before < 0.005 ? ((before + after) / 2 - start, pose) : nil
        }

        /// Checks that the dock is where the hand was at the same time of the motion; its start is known to half a
        /// second.
        private func expectSamePath(
            _ shown: [(time: Double, pose: PanTilt)], _ followed: [(time: Double, pose: PanTilt)]
        ) {
            // Interpolated: a busy machine reads the pose only every 50 ms, which is 2 degrees at 40 a second.
            func place(at time: Double) -> PanTilt {
                guard let next = followed.firstIndex(where: { $0.time > time }) else {
                    return followed.last?.pose ?? .zero
                }
                guard next > 0 else { return followed[0].pose }
                let before = followed[next - 1], after = followed[next]
                return before.pose + (after.pose - before.pose) * ((time - before.time) / (after.time - before.time))
            }
            let worst = stride(from: -0.5, through: 0.5, by: 0.005).map { shift in
                shown.map { (place(at: $0.time + shift) - $0.pose).magnitude.inDegrees }.max() ?? .infinity
            }
            let best = worst.min() ?? .infinity
            #expect(best < 1.5, "\(best) degrees from the taught path")
            #expect(((followed.last?.pose ?? .zero) - (shown.last?.pose ?? .zero)).magnitude.inDegrees < 1.5)
        }
    }
}
