import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// A program's own observations steer the dock: which way, how long, how fast.
    @Suite(.timeLimit(.minutes(10))) struct CustomTracking {
        /// A request with a rectangle right of and above the centre, and its camera.
        private static func track(_ rect: String, _ camera: String = "") -> String {
            #"{"observations":[{"id":1,"rect":\#(rect)}]\#(camera.isEmpty ? "" : #","camera":"# + camera)}"#
        }

        /// Sends one observation 15 times a second until a condition holds.
        @discardableResult
        private func send(
            _ params: String, to peer: ControlPeer, for seconds: Double = 5, until isSo: () -> Bool
        ) throws -> Bool {
            let end = monotonicNow() + seconds
            var next = monotonicNow()
            while monotonicNow() < end {
                if isSo() { return true }
                guard monotonicNow() >= next else {
                    peer.pump(0.005)
                    continue
                }
                next += 1 / 15.0
                try peer.result("track", params)
            }
            return isSo()
        }

        @Test
        func
            `in mode system it is busy; once that is off it turns the dock to the subject, and stops without observations`()
            throws
        {
            let daemon = try ControlledDaemon(mode: "system"), dock = daemon.dock, peer = try daemon.peer()
            try peer.result("subscribe", #"{"topics":["tracking","accessory"]}"#)
            let face = Self.track("[0.65,0.25,0.1,0.2]")
            #expect(try peer.call("track", face).refusal == "busy")
            #expect(try peer.result("setTrackingMode", #"{"mode":"manual"}"#)["mode"].string == "manual")
            #expect(try peer.call("track", face).refusal == "busy", "manual is manual")
            #expect(daemon.daemon.neverMoved)
            #expect(try peer.result("setSystemTrackingEnabled", #"{"enabled":false}"#)["mode"].string == "manual")
            #expect(
                try send(face, to: peer) { dock.pose(at: monotonicNow()).isRightAndUp(by: 4) },
                "\(daemon.daemon.pose.degrees)")
            #expect(peer.event("accessory") { $0["mode"].string == "custom" } != nil)
            #expect(peer.event("tracking") { $0["phase"].string == "following" && $0["followed"].int == 1 } != nil)
            #expect(peer.event("tracking") { $0["subjects"][0]["id"].int == 1 } != nil)
            let last = monotonicNow()
            peer.forget()
            #expect(daemon.wait(2) { dock.rate.magnitude < .degrees(0.05) })
            #expect(monotonicNow() - last < 0.75, "\(monotonicNow() - last) s")
            #expect(daemon.wait(2) { (try? peer.result("status")["tracking"]["phase"].string) == "detectorStale" })
            #expect(daemon.rests())
            let pose = daemon.daemon.pose
            daemon.pass(0.3)
            #expect((daemon.daemon.pose - pose).magnitude.inDegrees < 0.1, "it stays")
            // An empty observation is a sign of life.
            try peer.result("track", #"{"observations":[]}"#)
            #expect(daemon.wait(2) { (try? peer.result("status")["tracking"]["phase"].string) != "detectorStale" })
            #expect(try send(face, to: peer) { dock.rate.pan > .degrees(5) }, "and it continues")
            try peer.result("stop")
            #expect(daemon.rests())
            #expect(try peer.call("track", face).refusal == "busy", "stop ends custom tracking, too")
        }

        /// Right and above in an upright image lie elsewhere in a mirrored or rotated one.
        private static let cameras: [(camera: String, pan: Double, tilt: Double)] = [
            (#"{"hfov":1.15,"width":640,"height":480}"#, 1, 1),
            (#"{"hfov":1.15,"width":640,"height":480,"mirrored":true}"#, -1, 1),
            (#"{"hfov":1.15,"width":640,"height":480,"rotate":180}"#, -1, -1),
            // Rotated clockwise by 90 degrees to be upright: right becomes below, above becomes right.
            (#"{"hfov":1.15,"width":640,"height":480,"rotate":90}"#, 1, -1),
            (#"{"hfov":1.15,"width":640,"height":480,"rotate":270}"#, -1, 1),
            (#"{"width":640,"height":480,"fx":500,"fy":500,"cx":320,"cy":240}"#, 1, 1),
        ]

        @Test func `a mirrored or rotated image turns the dock toward the subject's real direction`() throws {
            let daemons = try Self.cameras.map { _ in try ControlledDaemon(mode: "custom", waits: false) }
            let peers = try daemons.map { daemon in
                try daemon.ready()
                return try daemon.peer()
            }
            // All at once, 15 times a second.
            let ends = monotonicNow() + 5
            func isThere(_ index: Int) -> Bool {
                let pose = daemons[index].daemon.pose
                return abs(pose.pan.inDegrees) > 3 && abs(pose.tilt.inDegrees) > 1.5
            }
            while monotonicNow() < ends, !daemons.indices.allSatisfy(isThere) {
                let next = monotonicNow() + 1 / 15.0
                for (peer, row) in zip(peers, Self.cameras) {
                    try peer.result("track", Self.track("[0.62,0.22,0.1,0.2]", row.camera))
                }
                while monotonicNow() < next { peers[0].pump(0.005) }
            }
            for (daemon, row) in zip(daemons, Self.cameras) {
                let pose = daemon.daemon.pose.degrees
                #expect(pose.pan * row.pan > 3 && pose.tilt * row.tilt > 1.5, "\(row.camera): \(pose)")
                #expect(daemon.rests(within: 2))
            }
        }

        @Test func `two hundred a second are too many: those over 60 are dropped and reported`() throws {
            let daemon = try ControlledDaemon(mode: "custom"), peer = try daemon.peer()
            let start = monotonicNow()
            var ids: [Int] = []
            while monotonicNow() < start + 1 {
                let next = monotonicNow() + 1 / 200.0
                ids.append(peer.ask("track", Self.track("[0.45,0.4,0.1,0.2]")))
                while monotonicNow() < next { peer.pump(0.001) }
            }
            let answers = try ids.map { try peer.answer($0) }
            let dropped = answers.filter { $0.refusal == "frameRateTooHigh" },
                taken = answers.filter { $0.result.exists }
            #expect(dropped.count + taken.count == ids.count && dropped.allSatisfy { $0.code == -32004 })
            #expect((45...70).contains(taken.count), "\(taken.count) of \(ids.count) were accepted")
            #expect((taken.last?.result["rate"].number ?? 0) > 60, "the reported rate is the sender's")
        }
    }
}

extension PanTilt {
    fileprivate func isRightAndUp(by degrees: Double) -> Bool {
        pan.inDegrees > degrees && tilt.inDegrees > degrees / 2
    }
}
