import DockSimulator
import Foundation
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// Stop and emergency stop are never busy and never late: an answer sooner than a deadman timer would stop the dock, and the
    /// dock at rest soon.
    @Suite(.timeLimit(.minutes(10))) struct StopAlways {
        /// The deadman time of the dock, seconds. A stop must not be slower than pulling the cable.
        private static let deadman = 0.25

        /// Ways to send it. Each returns the seconds until the answer; nil: it has none.
        private static let ways: [(String, @Sendable (ControlPeer, String) throws -> Double?)] = [
            ("alone", { try $0.call($1).took }),
            (
                "as a notification",
                { peer, method in
                    peer.notify(method)
                    return nil
                }
            ),
            (
                "in a batch",
                { peer, method in
                    let start = monotonicNow()
                    let others = (0..<10).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"status"}"# }
                    peer.send(
                        "[" + (others + [#"{"jsonrpc":"2.0","id":10,"method":"\#(method)"}"#]).joined(separator: ",")
                            + "]")
                    _ = peer.wait { !peer.others.isEmpty }
                    #expect(peer.others.first?[10]["result"].exists == true, "\(peer.others)")
                    return monotonicNow() - start
                }
            ),
            (
                "behind 64 requests",
                { peer, method in
                    let line =
                        #"{"jsonrpc":"2.0","id":"x","method":"setOrientation","params":{"pan":0.9,"tilt":0}}"# + "\n"
                    let start = monotonicNow()
                    peer.send(Array(String(repeating: line, count: 64).utf8))
                    _ = try peer.call(method)
                    return monotonicNow() - start
                }
            ),
            (
                "behind requests that wait for the disk",
                { peer, method in
                    let line = #"{"jsonrpc":"2.0","id":"x","method":"savePreset","params":{"name":"p"}}"# + "\n"
                    let start = monotonicNow()
                    peer.send(Array(String(repeating: line, count: 40).utf8))
                    _ = try peer.call(method)
                    return monotonicNow() - start
                }
            ),
            ("over command words", { try $0.call("command", #"{"line":"\#($1 == "stop" ? "stop" : "estop")"}"#).took }),
        ]

        @Test(.serialized, arguments: ["stop", "emergencyStop"])
        func `they are carried out during another program's lease, however they arrive`(_ method: String) throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock
            let owner = try daemon.peer()
            try owner.result("subscribe", #"{"topics":["motion"]}"#)
            for (number, (way, say)) in Self.ways.enumerated() where method == "stop" || [1, 3].contains(number) {
                let peer = try daemon.peer()
                if method == "emergencyStop" {
                    _ = try owner.call("clearFault")
                    #expect(daemon.wait { !dock.snapshot.isEmergencyStopped })
                }
                try owner.result("acquireControl")
                // What the other program stopped continues when a person has given the dock back.
                try owner.result("command", #"{"line":"release"}"#)
                try owner.result("setTrackingMode", #"{"mode":"manual"}"#)
                let speed = number % 4 < 2 ? 0.5 : -0.5
                let motion = try owner.result("setAngularVelocity", #"{"pan":\#(speed),"tilt":0,"for":60}"#)["motion"]
                    .int
                #expect(daemon.wait { abs(dock.rate.pan) > 0.45 })
                if let took = try say(peer, method) { #expect(took < Self.deadman, "\(way): answered after \(took) s") }
                #expect(daemon.rests(within: 0.7), "\(way)")
                #expect(owner.outcome(of: motion) == (method == "stop" ? "stopped" : "emergencyStopped"), "\(way)")
                #expect(dock.snapshot.isEmergencyStopped == (method != "stop"))
            }
        }

        @Test func `a client that does not read its answers is still heard when it sends stop`() throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock
            let deaf = try daemon.peer(), owner = try daemon.peer()
            deaf.send(
                #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["accessory","motion"]}}"#,
                reads: false)
            // It sends requests and never reads, until the daemon has no more room for its answers.
            let line = #"{"jsonrpc":"2.0","id":2,"method":"status"}"#
            for _ in 0..<120 { deaf.send(line, reads: false) }
            #expect(try owner.result("status")["lease"].bool == false)
            try owner.result("setAngularVelocity", #"{"pan":0.5,"tilt":0,"for":60}"#)
            #expect(daemon.wait { dock.rate.pan > 0.45 })
            deaf.send(#"{"jsonrpc":"2.0","id":3,"method":"stop"}"#, reads: false)
            #expect(daemon.rests(within: 1), "a stop is carried out though there is no room for its answer")
        }

        @Test func `a stop behind more output than is ever read is carried out before the connection ends`() throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock
            let owner = try daemon.peer(), deaf = try daemon.peer()
            try owner.result("setAngularVelocity", #"{"pan":0.5,"tilt":0,"for":60}"#)
            #expect(daemon.wait { dock.rate.pan > 0.45 })
            let line = #"{"jsonrpc":"2.0","id":2,"method":"status"}"# + "\n"
            let stop = #"{"jsonrpc":"2.0","id":3,"method":"stop"}"# + "\n"
            deaf.send(Array((String(repeating: line, count: 1200) + stop).utf8), reads: false)
            #expect(daemon.rests(within: 1.5))
        }

        @Test func `twenty programs that all wait for the disk delay no stop`() throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock
            let owner = try daemon.peer(), crowd = try (0..<20).map { _ in try daemon.peer() }
            try owner.result("setAngularVelocity", #"{"pan":0.5,"tilt":0,"for":60}"#)
            #expect(daemon.wait { dock.rate.pan > 0.45 })
            let line = #"{"jsonrpc":"2.0","id":"x","method":"savePreset","params":{"name":"p"}}"# + "\n"
            for peer in crowd { peer.send(Array(String(repeating: line, count: 32).utf8)) }
            let stop = try owner.call("stop")
            #expect(stop.took < Self.deadman && stop.refusal == nil, "\(stop.took) s: \(stop)")
            #expect(daemon.rests())
            let latch = try owner.call("emergencyStop")
            #expect(latch.took < Self.deadman && latch.refusal == nil, "\(latch.took) s: \(latch)")
            #expect(dock.snapshot.isEmergencyStopped || daemon.wait(1) { dock.snapshot.isEmergencyStopped })
        }

        @Test func `a flood of requests from one program delays no stop of another`() throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock
            let flood = try daemon.peer(), owner = try daemon.peer(), other = try daemon.peer()
            let memory = daemon.program.memory
            try owner.result("acquireControl")
            try owner.result("setAngularVelocity", #"{"pan":0.5,"tilt":0,"for":60}"#)
            #expect(daemon.wait { dock.rate.pan > 0.45 })
            let velocity =
                #"{"jsonrpc":"2.0","id":"x","method":"setAngularVelocity","params":{"pan":-2,"tilt":2}}"# + "\n"
            let lines = Array(String(repeating: velocity, count: 200).utf8)
            var slowest = 0.0, sent = 0
            let end = monotonicNow() + 0.6
            while monotonicNow() < end {
                flood.send(lines)
                // A client that reads none of its answers would soon be disconnected.
                flood.wait(0.1) { flood.others.count >= sent }
                sent += 200
                owner.ask("acquireControl")
                slowest = max(slowest, try other.call("status").took)
                #expect(dock.rate.pan > 0.45 && abs(dock.rate.tilt) < 0.01, "all of it is busy, and moves nothing")
            }
            let id = flood.ask("status")
            flood.send(lines)
            #expect(try other.call("stop").took < Self.deadman)
            #expect(daemon.rests(within: 0.7))
            #expect(try flood.answer(id).result.exists && slowest < 0.25, "\(slowest) s")
            #expect(flood.others.allSatisfy { $0["error"]["data"]["name"].string == "busy" } && !flood.others.isEmpty)
            #expect(daemon.program.memory - memory < 8 << 20, "\((daemon.program.memory - memory) >> 10) KiB more")
        }

        /// 256 connections of one program that send requests and listen all the time.
        private func crowd(_ daemon: ControlledDaemon, _ count: Int = 256) throws -> [ControlPeer] {
            let peers = try (0..<count).map { _ in try daemon.peer() }
            let line = #"{"jsonrpc":"2.0","id":"x","method":"status"}"# + "\n"
            for peer in peers {
                peer.ask("subscribe", #"{"topics":["log"]}"#)
                peer.send(Array(String(repeating: line, count: 200).utf8), reads: false)
            }
            return peers
        }

        @Test(arguments: ["stop", "estop"])
        func `with every place taken by a busy program a stop is carried out`(_ word: String) throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock
            let owner = try daemon.peer()
            try owner.result("acquireControl")
            try owner.result("setAngularVelocity", #"{"pan":0.5,"tilt":0,"for":60}"#)
            #expect(daemon.wait { dock.rate.pan > 0.45 })
            let lease = #"{"jsonrpc":"2.0","id":"x","method":"acquireControl"}"#
            let peers = try crowd(daemon, 255)
            owner.send(lease)
            #expect(dock.rate.pan > 0.45, "none of it stops the dock")
            let verb = try daemon.verb(word)
            #expect(verb.ending == .exit(0), "\(verb.errors)")
            #expect(daemon.rests(), "\(verb)")
            // Another program also finds a place: the one with the most connections gives way.
            let status = try daemon.verb("status")
            #expect(status.ending == .exit(0), "\(status.errors)")
            #expect(!owner.isEnded && peers.count == 255)
        }

        @Test func `with the backlog of closed connections a stop is not delayed`() throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock
            let owner = try daemon.peer()
            try owner.result("setAngularVelocity", #"{"pan":0.5,"tilt":0,"for":60}"#)
            #expect(daemon.wait { dock.rate.pan > 0.45 })
            for peer in try crowd(daemon, 255) { peer.close() }
            let verb = try daemon.verb("stop")
            #expect(verb.ending == .exit(0) && daemon.rests(), "\(verb.errors)")
        }

        @Test func `with no descriptor left a stop is carried out`() throws {
            let daemon = try ControlledDaemon(), dock = daemon.dock
            let owner = try daemon.peer(), few = try (0..<3).map { _ in try daemon.peer() }
            try owner.result("setAngularVelocity", #"{"pan":0.5,"tilt":0,"for":60}"#)
            #expect(daemon.wait { dock.rate.pan > 0.45 })
            for peer in [owner] + few { try peer.result("subscribe", #"{"topics":["log"]}"#) }
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.program.id)/fd")
            var setup = Program.Setup()
            setup.path = "/usr/bin/prlimit"
            // A few descriptors stay free for the verbs after the crowd.
            let most = (open.compactMap { Int($0) }.max() ?? 0) + 9
            let limit = try Program(["--pid", "\(daemon.program.id)", "--nofile=\(most)"], setup)
            #expect(limit.end() == .exit(0), "\(limit.errors)")
            // All free descriptors below the limit, and more than the reserve.
            let crowd = try (0..<(most - open.count + 40)).map { _ in try ControlPeer(daemon, greets: false) }
            for _ in 0..<3 {
                let verb = try daemon.verb("stop")
                #expect(verb.ending == .exit(0), "\(verb.errors)")
            }
            #expect(daemon.rests())
            #expect(try owner.call("stop").refusal == nil && few.count == 3, "the earlier client is still connected")
            for peer in crowd { peer.close() }
            let status = try daemon.verb("status")
            #expect(status.ending == .exit(0), "\(status.errors)")
        }
    }
}
