import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// Programs beside the daemon: `run --with`, `dockface NAME`, `dockface extensions`.
    @Suite(.timeLimit(.minutes(10))) struct ExtensionRunTests {
        /// A folder with one extension, and a daemon that runs it.
        private final class Stage {
            let folder: String

            /// `body`: what the program does after its connection is greeted; it can call `report()`.
            init(_ body: String, name: String = "probe", protocol version: Int = 1) throws {
                folder = TemporaryFile.freePath("extensions")
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let manifest =
                    "name = \"\(name)\"\nabout = \"Probes.\"\nversion = \"1.0\"\nprotocol = \(version)\nrights = [\"motion\"]\n"
                try manifest.write(toFile: folder + "/\(name).toml", atomically: true, encoding: .utf8)
                let program = folder + "/dockface-\(name)"
                try (Self.head + body + "\n").write(toFile: program, atomically: true, encoding: .utf8)
                chmod(program, 0o755)
            }

            deinit { try? FileManager.default.removeItem(atPath: folder) }

            func daemon() throws -> ControlledDaemon {
                try ControlledDaemon(
                    ["--detector", "none", "--with", "probe"], variables: ["DOCKFACE_EXTENSIONS": folder])
            }

            private static let head = """
                #!/usr/bin/env python3
                import json, os, signal, socket, sys, time
                link = socket.socket(socket.AF_UNIX)
                def call(method, **params):
                    link.sendall((json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) + "\\n").encode())
                    if not answers.readline(): sys.exit(0)
                def report(state="ready", text=""):
                    call("setExtension", name="probe", state=state, text=text, ttl=1, version="1.0")
                def connect():
                    global answers
                    link.connect(os.environ["DOCKFACE_SOCKET"])
                    answers = link.makefile("r")
                    answers.readline()

                """
        }

        private static let lives = """
            connect()
            print("here I am", os.getpid(), flush=True)
            while True:
                report()
                time.sleep(0.1)
            """

        /// The extension as the status shows it.
        private func probe(_ peer: ControlPeer) throws -> JSON { try peer.result("status")["extensions"][0] }

        private func process(_ daemon: ControlledDaemon) throws -> Int32 {
            let said = daemon.program.errors.components(separatedBy: "here I am ").last ?? ""
            return try #require(Int32(said.prefix { $0.isNumber }), "\(daemon.program.errors)")
        }

        @Test func `an extension runs beside the daemon, is started again after its death, and ends with it`() throws {
            let stage = try Stage(Self.lives), daemon = try stage.daemon(), peer = try daemon.peer()
            #expect(try peer.wait { try probe(peer)["state"].string == "ready" })
            #expect(try probe(peer)["child"].bool == true && probe(peer)["version"].string == "1.0")
            #expect(daemon.wait { daemon.program.errors.contains("probe: here I am") }, "its output is in the log")
            let first = try process(daemon)
            kill(first, SIGKILL)
            #expect(try peer.wait { try probe(peer)["restarts"].int == 1 && probe(peer)["state"].string == "ready" })
            #expect(daemon.wait { daemon.program.errors.contains("extension probe restarting") })
            #expect(try daemon.verb("status").output.contains("probe ready (started again 1 times)"))
            #expect(daemon.wait { (try? process(daemon)) != first })
            let second = try process(daemon)
            daemon.program.signal(SIGTERM)
            #expect(daemon.program.end() == .exit(0))
            #expect(kill(second, 0) < 0 && errno == ESRCH, "it has ended")
        }

        @Test func `an extension that hangs is ended and started again, and the head goes on`() throws {
            let stage = try Stage(Self.lives), daemon = try stage.daemon(), peer = try daemon.peer()
            #expect(try peer.wait { try probe(peer)["state"].string == "ready" })
            #expect(daemon.wait { daemon.program.errors.contains("here I am") })
            _ = try peer.result("setAngularVelocity", #"{"pan":0.3,"tilt":0,"for":20}"#)
            kill(try process(daemon), SIGSTOP)
            #expect(daemon.wait { daemon.program.errors.contains("extension probe silent") })
            // A stopped process cannot obey TERM, so it is killed after the grace.
            #expect(try peer.wait { try probe(peer)["restarts"].int == 1 && probe(peer)["state"].string == "ready" })
            #expect(daemon.dock.rate.pan > 0.25, "the head still turns")
        }

        @Test func `an extension that fails again and again is started rarely`() throws {
            let stage = try Stage("sys.exit('no such disk')"), daemon = try stage.daemon(), peer = try daemon.peer()
            #expect(try peer.wait { try probe(peer)["state"].string == "failed" })
            #expect(try probe(peer)["text"].string?.contains("no such disk") == true)
            #expect(try probe(peer)["restarts"].int ?? 99 <= 5)
            #expect(daemon.wait { daemon.program.errors.contains("extension probe failed") })
            #expect(try daemon.verb("status").output.contains("probe failed: no such disk"))
        }

        @Test func `what an extension reports of itself is shown`() throws {
            let stage = try Stage(
                "connect()\nwhile True:\n    report('fault', 'the disk is full')\n    time.sleep(0.1)")
            let daemon = try stage.daemon(), peer = try daemon.peer()
            #expect(try peer.wait { try probe(peer)["state"].string == "fault" })
            #expect(daemon.wait { daemon.program.errors.contains("extension probe fault: the disk is full") })
        }

        @Test func `an extension that ignores TERM is killed, after the dock has stopped`() throws {
            let stage = try Stage("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + Self.lives)
            let daemon = try stage.daemon(), peer = try daemon.peer()
            #expect(try peer.wait { try probe(peer)["state"].string == "ready" })
            #expect(daemon.wait { daemon.program.errors.contains("here I am") })
            let process = try process(daemon)
            _ = try peer.result("setAngularVelocity", #"{"pan":0.3,"tilt":0,"for":20}"#)
            #expect(daemon.wait { daemon.dock.rate.pan > 0.2 })
            daemon.program.signal(SIGTERM)
            // The dock does not wait for the six seconds of grace.
            #expect(daemon.rests() && kill(process, 0) == 0)
            #expect(daemon.program.end() == .exit(0))
            #expect(daemon.program.errors.contains("extension probe is killed") && kill(process, 0) < 0)
        }

        @Test func `a flood of output and a descriptor storm reach neither the log nor the head`() throws {
            let stage = try Stage(
                """
                connect()
                report()
                while True: sys.stderr.write("x" * 200 + "\\n")
                """)
            let daemon = try stage.daemon(), peer = try daemon.peer()
            _ = try peer.result("setAngularVelocity", #"{"pan":0.3,"tilt":0,"for":20}"#)
            #expect(daemon.wait { daemon.program.errors.contains("earlier lines omitted") })
            #expect(daemon.dock.rate.pan > 0.25)
            #expect(daemon.program.errors.split(separator: "\n").count < 60)
        }

        // MARK: verbs

        private func verb(_ words: [String], _ folder: String) throws -> (Program.Ending?, String, String) {
            var setup = Program.Setup()
            setup.environment = ["DOCKFACE_EXTENSIONS": folder, "HOME": "/nonexistent"]
            setup.hasErrors = true
            let program = try Program(words, setup)
            let ending = program.end()
            return (ending, program.output, program.errors)
        }

        @Test func `a verb that is not built in is the extension's program, with its words`() throws {
            let stage = try Stage("print(sys.argv[1:])\nsys.exit(7)")
            #expect(try verb(["probe", "one", "--two"], stage.folder) == (.exit(7), "['one', '--two']\n", ""))
            #expect(try verb(["help", "probe"], stage.folder).1 == "['--help']\n")
            let (ending, _, errors) = try verb(["prob"], stage.folder)
            #expect(ending == .exit(64) && errors.contains("did you mean `dockface probe`?"))
            let missing = try verb(["log"], stage.folder)
            #expect(missing.0 == .exit(69) && missing.2.contains("the package dockface-log brings it"))
        }

        @Test func `the list says what there is, without running it`() throws {
            let stage = try Stage("open('/dev/full', 'w').write('I ran')")
            let (ending, output, _) = try verb(["extensions"], stage.folder)
            #expect(
                ending == .exit(0) && output.contains("probe 1.0  Probes.") && output.contains("it moves the head"))
            let json = JSON(line: Array(try verb(["extensions", "--json"], stage.folder).1.utf8))
            #expect(json["extensions"][0]["name"].string == "probe" && json["extensions"][0]["problem"].isNull)
            let newer = try Stage("", protocol: 2)
            let (failed, said, _) = try verb(["extensions"], newer.folder)
            #expect(failed == .exit(1) && said.contains("cannot run: it needs protocol 2"))
            #expect(try verb(["probe"], newer.folder).0 == .exit(69))
        }

        @Test func `a service refuses a typed --with, and ignores the key of a settings file`() throws {
            let stage = try Stage(Self.lives), file = try TemporaryFile("with = [\"probe\"]\n", ".toml")
            var setup = Program.Setup()
            setup.environment = [
                "DOCKFACE_EXTENSIONS": stage.folder, "DOCKFACE_CONFIG": file.path,
                "NOTIFY_SOCKET": "/run/user/1000/none",
            ]
            setup.hasErrors = true
            let words = ["run", "--headless", "--port", "sim", "--detector", "none", "--socket", "none"]
            let typed = try Program(words + ["--with", "probe"], setup)
            #expect(typed.end() == .exit(78))
            #expect(typed.errors.contains("systemctl --user enable --now dockface-probe"))
            let ignored = try Program(words + ["--seconds", "0.5"], setup)
            #expect(ignored.end() == .exit(0), "\(ignored.errors)")
            #expect(ignored.errors.contains("\"with\" in the settings has no effect in a service"))
            #expect(!ignored.errors.contains("here I am"))
        }

        @Test func `a wrong name after --with says which ones there are, and nothing starts`() throws {
            let stage = try Stage(Self.lives)
            let words = ["run", "--headless", "--port", "sim", "--with"]
            let (ending, _, errors) = try verb(words + ["prob"], stage.folder)
            #expect(ending == .exit(64) && errors.contains("did you mean probe?"))
            #expect(try verb(words + ["pad"], stage.folder).2.contains("the package dockface-pad brings it"))
        }
    }
}
