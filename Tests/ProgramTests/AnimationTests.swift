import DockSimulator
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// Animations that programs begin: the dock's mode after them, however they end.
    @Suite(.timeLimit(.minutes(10))) struct Animations {
        /// Daemons in mode system with one program each, all at once.
        private func stages(_ count: Int, _ terminal: Terminal? = nil) throws -> [(
            daemon: ControlledDaemon, peer: ControlPeer
        )] {
            let daemons = try (0..<count).map { number in
                try ControlledDaemon(mode: "system", terminal: number == 0 ? terminal : nil, waits: false)
            }
            return try daemons.map { daemon in
                try daemon.ready()
                let peer = try daemon.peer()
                try peer.result("subscribe", #"{"topics":["motion","accessory"]}"#)
                return (daemon, peer)
            }
        }

        private func mode(_ peer: ControlPeer) throws -> String? {
            try peer.result("status")["accessory"]["mode"].string
        }

        @Test func `all four return to mode system and to their start when they have ended`() throws {
            let stages = try stages(4)
            let motions = try zip(stages, ["yes", "no", "wakeup", "kapow"]).map { stage, name in
                try stage.peer.result("animate", #"{"motion":"\#(name)"}"#)
            }
            for (stage, motion) in zip(stages, motions) {
                #expect((motion["duration"].number ?? 0) > 1)
                #expect(stage.peer.outcome(of: motion["motion"].int) == "completed")
                #expect(stage.daemon.dock.statistics.maximumSpeed > .degrees(10))
                #expect(
                    stage.daemon.rests() && stage.daemon.daemon.pose.isNear(0, 0), "\(stage.daemon.daemon.pose.degrees)"
                )
                #expect(try mode(stage.peer) == "system")
            }
        }

        @Test func `cancelled, the mode returns; stopped, unplugged or taken over by hand, it stays manual`()
            throws
        {
            let terminal = try Terminal()
            let stages = try stages(6, terminal)
            let ends: [(outcome: String, mode: String, how: (ControlledDaemon, ControlPeer, Int) throws -> Void)] = [
                ("takenOver", "manual", { daemon, _, _ in daemon.program.type("\u{1b}[C") }),
                ("cancelled", "system", { _, peer, id in try peer.result("cancelMotion", #"{"motion":\#(id)}"#) }),
                ("stopped", "manual", { _, peer, _ in try peer.result("stop") }),
                ("emergencyStopped", "manual", { _, peer, _ in try peer.result("emergencyStop") }),
                ("unplugged", "manual", { daemon, _, _ in daemon.dock.unplug() }),
                ("modeChanged", "manual", { daemon, _, _ in daemon.dock.press(.tracking) }),
            ]
            let motions = try stages.map { try $0.peer.result("animate", #"{"motion":"no"}"#)["motion"].int ?? 0 }
            for (index, stage) in stages.enumerated() {
                #expect(stage.daemon.wait { stage.daemon.dock.rate.magnitude > .degrees(10) }, "\(ends[index].outcome)")
                try ends[index].how(stage.daemon, stage.peer, motions[index])
            }
            for (index, stage) in stages.enumerated() {
                let (outcome, mode, _) = ends[index]
                #expect(stage.peer.outcome(of: motions[index]) == outcome)
                #expect(stage.daemon.wait { (try? self.mode(stage.peer)) == mode }, "\(outcome)")
                #expect(stage.daemon.rests(within: 1), "\(outcome)")
                #expect(try self.mode(stage.peer) == mode, "\(outcome)")
            }
        }
    }
}
