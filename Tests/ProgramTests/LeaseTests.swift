import DockSimulator
import Foundation
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// One writer, and people before programs: what the real daemon does, and how the dock moves.
    @Suite(.timeLimit(.minutes(10))) struct Leases {
        private static let turn = #"{"pan":0.3,"tilt":0,"for":60}"#
        private static let writes = [
            ("setAngularVelocity", turn), ("setOrientation", #"{"pan":0.5,"tilt":0}"#), ("home", "{}"),
            ("animate", #"{"motion":"yes"}"#), ("setTrackingMode", #"{"mode":"system"}"#),
            ("setSystemTrackingEnabled", #"{"enabled":true}"#), ("setLimits", #"{"pan":{"min":-1,"max":1}}"#),
            ("setTorqueEnabled", #"{"enabled":false}"#), ("setSpeed", #"{"share":0.1}"#), ("clearFault", "{}"),
            ("savePreset", #"{"name":"a"}"#), ("setExpression", #"{"next":true}"#), ("acquireControl", "{}"),
            ("track", #"{"observations":[{"id":1,"rect":[0.8,0.4,0.1,0.1]}]}"#),
        ]

        @Test func `a second writer is refused whatever it requests, reads, and may stop; release stops nothing`()
            throws
        {
            let daemon = try ControlledDaemon(), dock = daemon.dock
            let one = try daemon.peer(), two = try daemon.peer()
            #expect(try one.result("acquireControl")["renewed"].bool == false)
            try one.result("setAngularVelocity", Self.turn)
            #expect(daemon.wait { dock.rate.pan > 0.28 })
            for (method, params) in Self.writes {
                #expect(try two.call(method, params).refusal == "busy", "\(method)")
            }
            #expect(try two.result("status")["accessory"]["control"].string == "lease")
            #expect(try two.result("releaseControl").names.isEmpty, "it releases only its own lease")
            #expect(try one.result("acquireControl")["renewed"].bool == true)
            #expect(
                dock.rate.pan > 0.28 && dock.rate.tilt.magnitude < 0.01,
                "none of it affects the motion of the first one")
            try one.result("releaseControl")
            try two.result("acquireControl")
            daemon.pass(0.3)
            #expect(dock.rate.pan > 0.28, "released, it continues to its own end")
            #expect(try two.result("stop")["mode"].string == "manual")
            #expect(daemon.rests())
        }

        /// The motions a program may have begun when it falls silent; `slow` is a motion of 20 s.
        private static let motions = ["slow": "keys = [[0.0, 0.0, 0.0], [4.0, 40.0, 0.0], [20.0, 150.0, 0.0]]\n"]
        private static let begun = [
            ("setAngularVelocity", turn), ("setOrientation", #"{"pan":2.5,"tilt":0,"duration":12}"#),
            ("animate", #"{"motion":"slow"}"#), ("setTrackingMode", #"{"mode":"custom"}"#),
        ]

        @Test func `silent for two seconds, a program loses the lease, and its motion stops`() throws {
            // All at the same time, one daemon each; and one whose program hangs.
            let daemons = try (0...Self.begun.count).map { _ in
                try ControlledDaemon(motions: Self.motions, waits: false)
            }
            let hanging = try #require(daemons.last)
            for daemon in daemons { try daemon.ready() }
            let client = try PythonClient(hanging, script: Self.script)
            #expect(client.says("moving"))
            let runs = try zip(daemons, Self.begun).map { daemon, call in
                let peer = try daemon.peer()
                try peer.result("subscribe", #"{"topics":["motion","accessory"]}"#)
                try peer.result("acquireControl")
                return (what: call, daemon: daemon, peer: peer)
            }
            // Each program sends its last message after this time.
            var asked: [Double] = []
            for run in runs {
                asked.append(monotonicNow())
                try run.peer.result(run.what.0, run.what.1)
                if run.what.0 == "setTrackingMode" {
                    run.peer.ask("track", #"{"observations":[{"id":1,"rect":[0.6,0.4,0.1,0.2]}]}"#)
                }
            }
            client.signal(SIGSTOP)
            let start = monotonicNow(), delays = daemons.map { CoreWait($0.daemon) }
            // The docks' records show when each head moved, even if this test was delayed.
            func wasMoving(_ daemon: ControlledDaemon, _ moment: Double) -> Bool {
                daemon.daemon.rate(at: moment).pan > 0.01
            }
            daemons[0].pass(1.7)
            // Its library renewed the lease at most half a second before it was halted.
            #expect(wasMoving(hanging, start + 1.2))
            for (run, begun) in zip(runs, asked).dropLast() {
                #expect(wasMoving(run.daemon, begun + 1.6), "\(run.what.0) continues for two seconds")
            }
            // Nothing is requested here: the peers only listen.
            // The limit grows while this test waits, if the machine delays the daemons meanwhile.
            func comes(_ wait: (Double) -> Bool) -> Bool {
                while true {
                    let left = start + 3 + delays.reduce(0) { $0 + $1.seconds } - monotonicNow()
                    if wait(max(left, 0.01)) { return true }
                    if left <= 0 { return false }
                }
            }
            for run in runs {
                let isFree = comes { left in
                    run.peer.event("accessory", within: left) {
                        $0["control"].isNull && $0["mode"].string == "manual"
                    } != nil
                }
                #expect(isFree, "\(run.what.0)")
            }
            #expect(comes { left in hanging.wait(left) { hanging.dock.rate.pan <= 0.01 } })
            for daemon in daemons { #expect(daemon.rests(within: 1)) }
            for run in runs.dropLast() {
                #expect(
                    run.peer.event("motion") { $0["ended"]["outcome"].string == "leaseLost" } != nil, "\(run.what.0)")
            }
            for run in runs {
                #expect(!run.peer.isEnded)
                #expect(try run.peer.result("status")["lease"].bool == false)
            }
            client.signal(SIGCONT)
            #expect(client.says("lost"), "the client library knows it, too: \(client.output)")
        }

        private static let script = """
            import sys, time, dockface
            with dockface.Dock(sys.argv[1]) as dock, dock.control() as lease:
                dock.set_tracking_mode("manual")
                dock.set_angular_velocity(0.3, 0, 60)
                print("moving", flush=True)
                while lease.held:
                    time.sleep(0.05)
                print("lost", flush=True)
            """

        @Test func `when a program is killed, its motion stops within 0.3 s`() throws {
            let daemon = try ControlledDaemon()
            let client = try PythonClient(daemon, script: Self.script)
            #expect(client.says("moving") && daemon.wait { daemon.dock.rate.pan > 0.28 })
            client.signal(SIGKILL)
            // A process that is killed needs a core for its end, too.
            #expect(client.end() != nil)
            let killed = monotonicNow(), delay = CoreWait(daemon.daemon)
            #expect(daemon.rests(within: 2))
            let time = daemon.daemon.lastMotion(since: killed) - killed, late = delay.seconds
            #expect(time < 0.3 + late, "\(time) s, of them at most \(late) s without a core")
            #expect(try daemon.peer().result("status")["lease"].bool == false)
        }

        /// Streams long motions faster than they can be carried out, and dies (or closes) with a backlog.
        private static let flood = """
            import json, os, socket, sys, time
            link = socket.socket(socket.AF_UNIX)
            link.connect(sys.argv[1])
            def ask(method, **params):
                return json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode() + b"\\n"
            link.sendall(ask("acquireControl") + ask("setTrackingMode", mode="manual"))
            many = ask("setAngularVelocity", pan=0.3, tilt=0, **{"for": 60})
            if sys.argv[2] == "close":
                time.sleep(0.1)
                link.sendall(many * int(sys.argv[3]))
                link.close()
                print("closed", flush=True)
                time.sleep(60)
            for turn in range(100000):
                link.sendall(many * 64)
                if turn == 100:
                    print("moving", flush=True)
                time.sleep(0.005)
            """

        @Test func `after a program that streams motions is killed, nothing moves`() throws {
            let daemon = try ControlledDaemon()
            let watcher = try daemon.peer()
            try watcher.result("subscribe", #"{"topics":["log"]}"#)
            let client = try PythonClient(daemon, script: Self.flood, ["stream"])
            #expect(client.says("moving") && daemon.wait { daemon.dock.rate.pan > 0.28 })
            client.signal(SIGKILL)
            #expect(daemon.wait(3) { daemon.dock.rate.magnitude < .degrees(0.05) })
            #expect(daemon.rests())
            #expect(
                watcher.event("log") {
                    $0["text"].string?.contains("lost control: its motion velocity was stopped") == true
                }
                    != nil)
        }

        @Test(arguments: [true, false])
        func `motion that a program began before its lease, or under an earlier one, also ends with the lease`(
            isEarlier: Bool
        ) throws {
            let daemon = try ControlledDaemon(), peer = try daemon.peer(), watcher = try daemon.peer()
            try watcher.result("subscribe", #"{"topics":["log"]}"#)
            if isEarlier { try peer.result("acquireControl") }
            try peer.result("setAngularVelocity", Self.turn)
            if isEarlier { try peer.result("releaseControl") }
            try peer.result("acquireControl")
            #expect(daemon.wait { daemon.dock.rate.pan > 0.28 })
            peer.close()
            #expect(daemon.wait(3) { daemon.dock.rate.magnitude < .degrees(0.05) })
            #expect(daemon.rests())
            #expect(
                watcher.event("log") { $0["text"].string?.contains("its motion velocity was stopped") == true } != nil)
        }

        @Test func `what a program with the lease began by command words also ends with the lease`() throws {
            let daemon = try ControlledDaemon(), peer = try daemon.peer(), other = try daemon.peer()
            try peer.result("acquireControl")
            try peer.result("command", #"{"line":"velocity 17 0 for 60"}"#)
            #expect(daemon.wait { daemon.dock.rate.pan > 0.28 })
            peer.close()
            #expect(daemon.wait(3) { daemon.dock.rate.magnitude < .degrees(0.05) })
            #expect(daemon.rests())
            // Without the lease they last, as a verb's: the shell may close.
            try other.result("command", #"{"line":"velocity 17 0 for 0.8"}"#)
            let start = monotonicNow()
            other.close()
            #expect(daemon.wait { daemon.dock.rate.pan > 0.28 })
            #expect(daemon.wait { daemon.dock.rate.magnitude < .degrees(0.05) } && monotonicNow() - start > 0.7)
        }

        @Test(arguments: [200, 500]) func `after a program that sends many motions closes, nothing moves`(
            count: Int
        ) throws {
            let daemon = try ControlledDaemon()
            let watcher = try daemon.peer()
            try watcher.result("subscribe", #"{"topics":["log"]}"#)
            let client = try PythonClient(daemon, script: Self.flood, ["close", String(count)])
            #expect(client.says("closed"))
            #expect(watcher.event("log", within: 10) { $0["text"].string?.contains("lost control") == true } != nil)
            #expect(daemon.wait(3) { daemon.dock.rate.magnitude < .degrees(0.05) })
            #expect(daemon.rests())
        }

        @Test func `motion of a program without the lease continues when the program leaves, and ends by itself`()
            throws
        {
            let daemon = try ControlledDaemon(), peer = try daemon.peer(), other = try daemon.peer()
            try peer.result("setAngularVelocity", #"{"pan":0.3,"tilt":0,"for":0.8}"#)
            let start = monotonicNow()
            peer.close()
            #expect(daemon.wait { daemon.dock.rate.pan > 0.28 })
            // A stop in the line before the end is carried out.
            #expect(daemon.wait { daemon.dock.rate.magnitude < .degrees(0.05) } && monotonicNow() - start > 0.7)
            other.send(#"{"jsonrpc":"2.0","method":"setAngularVelocity","params":\#(Self.turn)}"#)
            #expect(daemon.wait { daemon.dock.rate.pan > 0.28 })
            let third = try daemon.peer()
            third.notify("stop")
            third.close()
            #expect(daemon.rests())
        }

        @Test
        func `a person's stop lasts against a program that sets the mode again and again, until it is given back`()
            throws
        {
            let daemon = try ControlledDaemon(), peer = try daemon.peer(), dock = daemon.dock
            try peer.result("acquireControl")
            // If the machine held the daemon up, it may be repeating the handshake just now.
            func turns() throws -> Bool {
                try peer.wait(until: { try peer.call("setAngularVelocity", Self.turn).refusal == nil })
            }
            #expect(try turns())
            #expect(daemon.wait { dock.rate.pan > 0.28 })
            #expect(try daemon.verb("stop").ending == .exit(0))
            #expect(daemon.rests())
            // Longer than any waiting time after manual control.
            let start = monotonicNow()
            while monotonicNow() - start < 3 {
                #expect(try peer.call("setTrackingMode", #"{"mode":"manual"}"#).refusal == "busy")
                #expect(try peer.call("setAngularVelocity", Self.turn).refusal == "busy")
                #expect(dock.rate.magnitude < .degrees(0.05))
                daemon.pass(0.1)
            }
            #expect(try peer.result("status")["accessory"]["stoppedBy"].string == "person")
            let given = try daemon.verb("release")
            #expect(given.ending == .exit(0) && given.output.contains("released"), "\(given)")
            try peer.result("setTrackingMode", #"{"mode":"manual"}"#)
            #expect(try turns())
            #expect(daemon.wait { dock.rate.pan > 0.28 })
            #expect(try peer.result("status")["accessory"]["stoppedBy"].isNull)
        }

        @Test func `words and keys outrank the lease, which gets the dock back by setting a mode`() throws {
            let terminal = try Terminal()
            let daemon = try ControlledDaemon(["--detector", "none"], terminal: terminal), dock = daemon.dock
            let peer = try daemon.peer(), shell = try daemon.peer()
            let renew = { _ = try? peer.result("acquireControl") }
            try peer.result("subscribe", #"{"topics":["motion","accessory"]}"#)
            renew()
            let first = try peer.result("setAngularVelocity", Self.turn)["motion"].int
            #expect(daemon.wait { dock.rate.pan > 0.28 })
            // Command words of another shell turn it the other way.
            try shell.result("command", #"{"line":"velocity -20 0 for 0.5"}"#)
            #expect(daemon.wait { dock.rate.pan < -0.3 })
            #expect(["superseded", "takenOver"].contains(peer.outcome(of: first) ?? ""))
            #expect(try peer.call("setAngularVelocity", Self.turn).refusal == "busy")
            #expect(try peer.result("status")["accessory"]["control"].string == "words")
            #expect(try peer.result("setTrackingMode", #"{"mode":"manual"}"#)["mode"].string == "manual")
            let second = try peer.result("setAngularVelocity", Self.turn)["motion"].int
            #expect(daemon.wait { dock.rate.pan > 0.28 })
            // A key: left.
            daemon.program.type("\u{1b}[D")
            let pressed = monotonicNow()
            #expect(daemon.wait { dock.rate.pan < -0.1 })
            #expect(peer.outcome(of: second) == "takenOver")
            for (method, params) in Self.writes[0...3] {
                #expect(try peer.call(method, params).refusal == "busy", "\(method)")
            }
            #expect(
                try peer.call("setTrackingMode", #"{"mode":"manual"}"#).refusal == "busy", "a person is at the keys")
            #expect(daemon.rests(), "the key's pulse is over, and nothing continues")
            #expect(
                daemon.program.wait(
                    4, meanwhile: renew,
                    until: { (try? peer.call("setTrackingMode", #"{"mode":"manual"}"#).refusal) == nil }))
            #expect(monotonicNow() - pressed > 1.9)
            try peer.result("setAngularVelocity", Self.turn)
            #expect(daemon.wait { dock.rate.pan > 0.28 })
        }
    }
}
