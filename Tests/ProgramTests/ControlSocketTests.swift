import CPosix
import DockSimulator
import Foundation
import Geometry
import Glibc
import Testing
import TestSupport

extension ProgramTests.Programs {
    /// Where programs meet the daemon: the socket's file, two daemons, and standard input with everything in one
    /// stream.
    @Suite(.timeLimit(.minutes(10))) struct MeetingPlaces {
        private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

        @Test func `a second daemon at the same socket ends with status 75, and the first one is not affected`() throws
        {
            let first = try ControlledDaemon(), dock = try SimulatedDockPort()
            defer { dock.close() }
            let second = try Program(["run", "--port", dock.path, "--headless", "--socket", first.socket])
            #expect(second.end() == .exit(75), "\(second.errors)")
            #expect(second.errors.contains("(process \(first.program.id))") && second.errors.contains("--socket PATH"))
            #expect(try first.peer().result("status")["accessory"]["state"].string == "docked")
            var status = stat(), folder = stat()
            stat(first.socket, &status)
            stat(first.folder, &folder)
            #expect(status.st_mode & 0o777 == 0o600 && status.st_mode & S_IFMT == S_IFSOCK)
            first.program.signal(SIGTERM)
            #expect(first.program.end() == .exit(0))
            #expect(!exists(first.socket) && !exists(first.socket + ".lock"), "both files are removed with it")
        }

        @Test
        func `a second daemon at the default path runs on with a warning, and a dead daemon's file is replaced`()
            throws
        {
            let folder = NSTemporaryDirectory() + "dockface-test-\(getpid())-usual"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var setup = Program.Setup()
            setup.environment = ["XDG_RUNTIME_DIR": folder, "XDG_DATA_HOME": folder + "/data"]
            let path = folder + "/dockface/dockface.sock"
            let usual = { try Daemon(["--headless", "--detector", "none"], setup) }
            let first = try usual()
            defer { first.dock.close() }
            let second = try usual()
            defer { second.dock.close() }
            #expect(second.program.errors.contains("listens at \(path)"), "\(second.program.errors)")
            #expect(second.program.ask("status").hasPrefix("ok mode system, dock ready"))
            var status = stat()
            stat(folder + "/dockface", &status)
            #expect(status.st_mode & 0o777 == 0o700, "no other user has access")
            first.program.signal(SIGKILL)
            #expect(first.program.end() == .signal(SIGKILL) && exists(path))
            let stop = try Program(["stop"], setup)
            #expect(stop.end() == .exit(69), "no daemon listens there any more")
            let third = try usual()
            defer { third.dock.close() }
            let again = try Program(["stop"], setup)
            #expect(again.end() == .exit(0), "\(again.errors)")
            third.program.signal(SIGTERM)
            #expect(third.program.end() == .exit(0) && !exists(path))
        }

        /// The longest time until a removed socket is back, seconds.
        private static let back = 1.0

        @Test func `a socket that a logout removes is back within a second, and the path is still taken`() throws {
            var setup = Program.Setup()
            let folder = NSTemporaryDirectory() + "dockface-test-\(getpid())-logout"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            setup.environment = ["XDG_RUNTIME_DIR": folder, "XDG_DATA_HOME": folder + "/data"]
            let path = folder + "/dockface/dockface.sock", detector = folder + "/eyes/detector.sock"
            let daemon = try Daemon(["--headless", "--mode", "manual", "--detector", "unix:\(detector)"], setup)
            defer { daemon.dock.close() }
            #expect(daemon.program.wait { exists(path) && exists(detector) })
            for gone in [folder + "/dockface", folder + "/eyes", path, path + ".lock", detector] {
                try FileManager.default.removeItem(atPath: gone)
                let start = monotonicNow()
                #expect(
                    daemon.program.wait(5) { exists(path) && exists(path + ".lock") && exists(detector) }, "\(gone)")
                let took = monotonicNow() - start
                #expect(took < Self.back, "\(gone): \(took) s")
                let stop = try Program(["stop"], setup)
                #expect(stop.end() == .exit(0), "\(gone): \(stop.errors)")
                let second = try Program(["run", "--port", daemon.dock.path, "--headless", "--socket", path], setup)
                #expect(second.end() == .exit(75), "\(gone): \(second.errors)")
            }
            #expect(daemon.program.errors.contains("was gone and is there again"), "\(daemon.program.errors)")
            // A folder that cannot be created again is reported once, and the socket is back when it can be.
            try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
            #expect(daemon.program.wait { daemon.program.errors.contains("cannot be made again") })
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(daemon.program.wait(5) { exists(path) && exists(path + ".lock") })
            #expect(daemon.program.errors.components(separatedBy: "dockface.sock is gone, and cannot").count == 2)
            try? FileManager.default.removeItem(atPath: folder + "-away")
        }

        @Test func `requests, detections and command words share standard input`() throws {
            let daemon = try ControlledDaemon(["--detector", "stdin"]), dock = daemon.dock, program = daemon.program
            program.forget()
            // One write, everything mixed, with bad lines between.
            program.tell(
                [
                    Daemon.middle, #"{"jsonrpc":"2.0","id":1,"method":"setFramingMode","params":{"mode":"center"}}"#,
                    "status", Daemon.middle, #"{"jsonrpc":"2.0","id":"two","method":"nothing"}"#, #"{"faces":7}"#,
                    #"{"jsonrpc":"2.0","method":"setExpression","params":{"name":"happy"}}"#, "0.5 0.5", Daemon.middle,
                    #"{"jsonrpc":"2.0","id":3,"method":"subscribe","params":{"topics":["motion"]}}"#,
                    #"{"jsonrpc":"2.0","id":4,"method":"status"}"#,
                ].joined(separator: "\n"))
            #expect(
                program.wait { program.news.contains(#""id":4"#) && program.news.contains("ok mode manual") },
                "\(program.news)")
            let answers = program.news.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
                JSON(line: Array($0.utf8))
            }
            #expect(answers.map { $0["id"].int } == [1, nil, 3, 4], "in their order: \(answers)")
            #expect(
                answers[1]["error"]["code"].int == -32601
                    && answers[2]["error"]["data"]["name"].string == "notSupported")
            #expect(answers[3]["result"]["face"]["expression"].string == "happy")
            #expect(daemon.wait { program.errors.contains("detections, line") }, "\(program.errors)")
            #expect(daemon.daemon.neverMoved)
            program.tell(
                #"{"jsonrpc":"2.0","id":5,"method":"setAngularVelocity","params":{"pan":0.4,"tilt":0,"for":60}}"#)
            #expect(daemon.wait { dock.rate.pan > 0.35 })
            program.tell(#"{"jsonrpc":"2.0","method":"stop"}"#)
            #expect(daemon.rests())
            program.tell("tap off")
            program.tell(#"{"jsonrpc":"2.0","id":6,"method":"setTrackingMode","params":{"mode":"system"}}"#)
            #expect(daemon.daemon.feed { dock.rate.pan > .degrees(5) }, "and detections among them steer")
            program.tell("stop")
            #expect(daemon.rests())
        }
    }
}
