import DockSimulator
import Foundation
import Geometry
import Glibc
import Testing
import TestSupport

/// The Python client's examples against the real daemon: what they report, and where the dock is then. Side by side
/// with other tests, because a show takes its time and does little.
@Suite(.inLanes, .timeLimit(.minutes(10))) struct PythonExamples {
    private static func example(_ name: String) -> String { "clients/python/examples/\(name).py" }

    /// A daemon whose camera stands on the desk: its image does not move with the dock.
    private func fixedCamera() throws -> TemporaryFile {
        let own = try #require(TemporaryFile.text(of: Place.file("profiles/dlp-dock.toml")))
        return try TemporaryFile(own.replacingOccurrences(of: #"mount = "head""#, with: #"mount = "fixed""#), ".toml")
    }

    @Test func `all three do what they report`() throws {
        // At the same time, one daemon each.
        let profile = try fixedCamera()
        let recording = Place.faces("two-people")
        let host = try ControlledDaemon(
            ["--detector", "file:\(recording),loop=again", "--profile", profile.path], waits: false)
        let stage = try ControlledDaemon(waits: false)
        let rig = try ControlledDaemon(["--detector", "none", "--profile", profile.path], waits: false)
        for daemon in [host, stage, rig] { try daemon.ready() }
        let delays = [host, stage, rig].map { CoreWait($0.daemon) }
        var delay = delays[1]
        var show = try PythonClient(stage, file: Self.example("scripted_show"), ["--summary"])
        let greet = try PythonClient(
            host, file: Self.example("follow_and_greet"),
            ["--summary", "--seconds", "6", "--pause", "2", "--patience", "0.2"])
        let track = try PythonClient(
            rig, file: Self.example("own_detector"), [recording, "--summary", "--seconds", "4", "--loop"])

        var farthest = 0.0
        #expect(
            rig.wait {
                farthest = max(farthest, rig.daemon.pose.magnitude.inDegrees); return farthest > 8
            }, "\(track.output)")
        #expect(track.end() == 0, "\(track.output)")
        #expect(track.summary["ended"].string == "seconds" && track.summary["dropped"].int == 0, "\(track.output)")
        // Twelve frames a second, two faces in each. Frames are missing while the machine delays a program.
        let missing = 12 * delays[2].seconds
        func sent(_ name: String, _ least: Double) -> Bool {
            Double(track.summary[name].int ?? 0) >= max(least, 1)
        }
        #expect(sent("frames", 35 - missing) && (track.summary["frames"].int ?? 0) <= 50, "\(track.summary)")
        #expect(sent("faces", 66 - 2 * missing) && sent("following", 21 - missing), "\(track.summary)")
        #expect(rig.rests())
        // One of the two faces of the recording, 66 degrees wide: about 20 degrees left, or 17 right.
        let pan = abs(rig.daemon.pose.pan.inDegrees)
        #expect((12...25).contains(pan), "\(rig.daemon.pose.degrees)")
        #expect(try rig.peer().result("status")["accessory"]["mode"].string == "manual")

        #expect(greet.end() == 0, "\(greet.output)")
        #expect((greet.summary["greeted"].int ?? 0) >= 1 && greet.summary["refused"].int == 0, "\(greet.output)")
        let seen = Double(greet.summary["frames"].int ?? 0)
        #expect(seen > max(30 - 12 * delays[0].seconds, 1), "\(greet.output)")
        #expect(greet.output.contains("hello, number "), "\(greet.output)")
        #expect(
            try host.peer().result("status")["accessory"]["mode"].string == "system", "following continues without it")

        var status = show.end(within: 60)
        // If the machine holds the daemon or the dock up for long, the daemon ends a motion, and the show with it.
        for _ in 0..<2 where status != 0 && delay.isLong {
            delay = CoreWait(stage.daemon)
            show = try PythonClient(stage, file: Self.example("scripted_show"), ["--summary"])
            status = show.end(within: 60)
        }
        #expect(status == 0, "\(show.output) \(stage.program.errors)")
        #expect(show.summary["ended"].string == "done" && show.summary["moves"].int == 8, "\(show.output)")
        #expect(show.summary["outcomes"]["completed"].int == 8, "\(show.summary)")
        #expect(stage.rests() && stage.daemon.pose.isNear(0, 0), "\(stage.daemon.pose.degrees)")
        let state = try stage.peer().result("status")
        #expect(state["lease"].bool == false && state["face"]["expression"].string == "normal")
    }

    @Test func `when the daemon dies, each of them ends with status 69 and says so`() throws {
        let recording = Place.faces("two-people")
        let daemons = try (0..<3).map { _ in try ControlledDaemon(waits: false) }
        for daemon in daemons { try daemon.ready() }
        let programs = try zip(daemons, ["follow_and_greet", "scripted_show", "own_detector"]).map { daemon, name in
            try PythonClient(
                daemon, file: Self.example(name), (name == "own_detector" ? [recording, "--loop"] : []) + ["--summary"])
        }
        #expect(daemons[1].wait { daemons[1].dock.rate.magnitude > .degrees(2) })
        let peers = try daemons.map { try $0.peer() }
        #expect(daemons[0].wait { (try? peers[0].result("status")["accessory"]["mode"].string) == "system" })
        #expect(daemons[2].wait { (try? peers[2].result("status")["accessory"]["mode"].string) == "custom" })
        for daemon in daemons { daemon.program.signal(SIGKILL) }
        for program in programs {
            #expect(program.end(within: 10) == 69, "\(program.output)")
            #expect(program.summary["ended"].string?.isEmpty == false, "\(program.output)")
            #expect(!program.output.contains("Traceback"), "\(program.output)")
        }
        #expect(daemons[1].rests(within: 2), "the guard and the dock's own deadman stop a dock without a daemon")
    }
}
