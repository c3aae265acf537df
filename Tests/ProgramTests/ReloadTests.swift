import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// HUP to a daemon that drives a dock: what it changes, what it refuses, and what causes a restart.
    @Suite(.timeLimit(.minutes(10))) struct Reloads {
        @Test func `a reload of live settings continues without a stop, and reports the results`() throws {
            let tuned = try Tuned("speed = 50\n")
            try tuned.daemon.turn()
            try tuned.change("speed = 80\n[face]\nexpression = \"sad\"\n")
            #expect(tuned.says("settings read again"))
            #expect(follows(tuned), "\(tuned.daemon.program.errors)")
            try tuned.change("speed = 80\n[face]\nexpression = \"sad\"\n")
            #expect(tuned.says("nothing has changed"))
            tuned.daemon.program.signal(SIGTERM)
            #expect(tuned.daemon.program.end() == .exit(0))
        }

        @Test func `wrong settings change nothing, and the error says where they are wrong`() throws {
            let tuned = try Tuned("speed = 50\n")
            try tuned.daemon.turn()
            try tuned.change("speed = 50\nmod = \"manual\"\n")
            #expect(tuned.says("the old ones stay: \(tuned.file.path):2:1:"))
            try tuned.change("speed = 50\ncamera = \"test\"\nspeed = 51\n")
            #expect(tuned.says("the old ones stay: \(tuned.file.path):3"), "a key that occurs twice")
            try tuned.change("speed = 50\nlimits = [\"tilt 500 600\"]\n")
            #expect(tuned.says("the old ones stay: limits \"tilt 500 600\": "), "\(tuned.daemon.program.errors)")
            #expect(follows(tuned), "\(tuned.daemon.program.errors)")
            tuned.daemon.program.signal(SIGTERM)
            #expect(tuned.daemon.program.end() == .exit(0))
        }

        @Test func `settings that a start would refuse do not end the running daemon`() throws {
            let tuned = try Tuned("speed = 50\n", ["--headless"])
            let program = tuned.daemon.program
            var refusals = 0
            for wrong in [
                "detector = [\"scene:/nosuch\"]", "detector = [\"none\", \"exec:cat\"]", "detector = [\"blazeface\"]",
                "camera = \"test\"\ndetector = [\"none\"]", "camera = \"file:/nosuch.mp4\"", "also = [\"sim=nosuch\"]",
            ] {
                try tuned.change(wrong + "\n")
                refusals += 1
                #expect(tuned.says("the old ones stay", times: refusals), "\(wrong): \(program.errors)")
            }
            #expect(program.errors.components(separatedBy: "error: ").count == refusals + 1, "each is reported once")
            #expect(!program.errors.contains("dockface restarts"), "\(program.errors)")
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0))
        }

        @Test func `an open socket for detections does not prevent a restart`() throws {
            let line = "detector = [\"unix:\(TemporaryFile.freePath("detectors"))\"]\n"
            let tuned = try Tuned(line, ["--headless"])
            let program = tuned.daemon.program
            let before = open(of: program.id)
            try tuned.change(line + "also = [\"sim=nosuch\"]\n")
            #expect(tuned.says("the old ones stay"), "\(program.errors)")
            try tuned.change(line + "camera = \"file:/nosuch.mp4\"\n")
            #expect(tuned.says("the old ones stay", times: 2), "\(program.errors)")
            #expect(eventually { open(of: program.id) <= before + 1 }, "resources that were only tried are released")
            try tuned.change(line + "limits = [\"pan -5 5\"]\n")
            #expect(tuned.says("dock ready", times: 2), "\(program.errors)")
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0))
        }

        /// After that, the restarted program is running and handles signals itself.
        @Test(arguments: [0, 0.01, 0.03, 0.1])
        func `a signal to end during a restart ends the daemon`(after pause: Double) throws {
            let tuned = try Tuned("limits = [\"pan -60 60\"]\n")
            let program = tuned.daemon.program
            try tuned.change("limits = [\"pan -5 5\"]\n")
            #expect(tuned.says("dockface restarts"))
            usleep(UInt32(pause * 1e6))
            program.signal(SIGTERM)
            #expect(program.wait(10) { program.hasEnded }, "\(program.errors)")
            #expect(eventually { tuned.daemon.dock.lastFrameWasStop })
        }

        @Test func `other limits stop the dock first, and the daemon restarts in its own process`() throws {
            let tuned = try Tuned("limits = [\"pan -120 120\"]\n")
            let daemon = tuned.daemon, program = daemon.program
            try daemon.turn()
            let before = open(of: program.id)
            // Beyond the present position of the head on any machine: outside its limits it would stand still, and show
            // nothing.
            try tuned.change("limits = [\"pan -60 60\"]\n")
            #expect(tuned.says("limits changed: the dock stops, and dockface restarts"))
            #expect(daemon.rest(), "it stands still")
            #expect(tuned.says("dock ready", times: 2), "\(program.errors)")
            #expect(!program.hasEnded, "the same process")
            let walker = { (time: Double) in PanTilt.degrees(pan: min(20 + 10 * time, 85), tilt: 0) }
            #expect(
                daemon.film(walker, for: 25) { daemon.pose.pan.inDegrees > 59 }, "it follows to its end: \(daemon.pose)"
            )
            _ = daemon.film({ _ in walker(7) }, for: 3) { false }
            #expect(daemon.pose.pan.inDegrees < 60.5, "the new limits hold: \(daemon.pose)")
            #expect(eventually { open(of: program.id) <= before + 1 }, "no descriptor was left behind")
            // It receives all signals as a new process does.
            program.signal(SIGTERM)
            #expect(program.end() == .exit(0), "\(program.errors)")
            #expect(eventually { daemon.dock.lastFrameWasStop })
        }

        @Test func `a profile that changed causes a restart, a broken one changes nothing`() throws {
            let text = try #require(TemporaryFile.text(of: Place.file("profiles/dlp-dock.toml")))
            let profile = try TemporaryFile(text, ".toml")
            let tuned = try Tuned("", ["--headless", "--detector", "stdin", "--profile", profile.path])
            try tuned.daemon.turn()
            try (text + "[pann]\n").write(toFile: profile.path, atomically: false, encoding: .utf8)
            tuned.daemon.program.signal(SIGHUP)
            #expect(tuned.says("the old ones stay: \(profile.path):"), "\(tuned.daemon.program.errors)")
            #expect(follows(tuned), "\(tuned.daemon.program.errors)")
            try text.replacing("lag_ms = ", with: "lag_ms = 1").write(
                toFile: profile.path, atomically: false, encoding: .utf8)
            tuned.daemon.program.signal(SIGHUP)
            #expect(tuned.says("profile changed: the dock stops"), "\(tuned.daemon.program.errors)")
            #expect(tuned.says("dock ready", times: 2), "\(tuned.daemon.program.errors)")
            tuned.daemon.program.signal(SIGTERM)
            #expect(tuned.daemon.program.end() == .exit(0))
        }

        @Test func `ten reloads in a row are at most one stop and one restart each`() throws {
            let tuned = try Tuned("limits = [\"pan -60 60\"]\n")
            for number in 1...5 {
                try tuned.change("limits = [\"pan -6\(number) 60\"]\n")
                #expect(tuned.says("dock ready", times: number + 1), "\(tuned.daemon.program.errors)")
                for _ in 0..<3 { tuned.daemon.program.signal(SIGHUP) }
            }
            #expect(!tuned.daemon.program.hasEnded)
            tuned.daemon.program.signal(SIGTERM)
            #expect(tuned.daemon.program.end() == .exit(0), "\(tuned.daemon.program.errors)")
        }

        @Test func `without settings HUP is an end like TERM`() throws {
            let daemon = try Daemon()
            defer { daemon.dock.close() }
            daemon.program.signal(SIGHUP)
            #expect(daemon.program.end() == .exit(0), "\(daemon.program.errors)")
        }

        /// Whether it still follows a face, and has neither stopped the dock nor restarted.
        private func follows(_ tuned: Tuned) -> Bool {
            let daemon = tuned.daemon
            return daemon.feed { daemon.dock.rate.magnitude > .degrees(4) }
                && !daemon.program.errors.contains("the dock stops")
                && daemon.program.errors.components(separatedBy: "dock ready").count == 2
        }

        /// The number of descriptors of a process.
        private func open(of id: Int32) -> Int {
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")) ?? []).count
        }
    }
}
