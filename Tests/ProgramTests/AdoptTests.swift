import Companion
import DockSimulator
import Foundation
import Geometry
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// The first minutes with a rig: what is plugged in, which rig it is, and a run without naming a port.
    @Suite(.timeLimit(.minutes(10))) struct FirstMinutes {
        func setUp(_ folder: String) -> Program.Setup {
            var setup = Program.Setup()
            setup.environment = ["XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder]
            return setup
        }

        func profile(_ name: String) -> String {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().path + "/profiles/\(name).toml"
        }

        @Test func `a rig is adopted by answers on standard input, and from then on no port must be named`() throws {
            let folder = TemporaryFile.freePath("adopt"), link = TemporaryFile.freePath("rig")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let file = profile("dynamixel-xl330-pair")
            let rig = try SimulatedRigs.port(for: try ProfileLibrary.read(file).get(), link: link)
            defer { rig.close() }
            // The wrong protocol first: there is no answer, and the question is repeated.
            let adopt = try Program(["adopt", "--port", link, "--name", "robby"], setUp(folder))
            #expect(adopt.wait { adopt.output.contains("number or name") })
            adopt.tell(profile("feetech-sts3215-pair"))
            #expect(adopt.wait(15) { adopt.output.contains("nothing answers at") }, "\(adopt.output)")
            adopt.tell(file)
            #expect(adopt.wait { adopt.output.contains("XL330-M288") }, "\(adopt.output)")
            adopt.tell("y")
            #expect(adopt.end() == .exit(0) && adopt.output.contains("adopted"), "\(adopt.output) \(adopt.errors)")
            #expect(rig.rate.magnitude < .degrees(0.5), "nothing moves")
            let run = try Program(
                ["run", "--headless", "--detector", "none", "--mode", "manual", "--socket", "none"], setUp(folder))
            #expect(run.wait(15) { run.errors.contains("dock ready: XL330-M288") }, "\(run.errors)")
            run.tell("quit")
            #expect(run.end() == .exit(0))
            let forget = try Program(["adopt", "--forget", "robby"], setUp(folder))
            #expect(forget.end() == .exit(0) && forget.output == "\"robby\" is forgotten\n")
            let again = try Program(["run", "--headless", "--detector", "none"], setUp(folder))
            #expect(again.end() == .exit(69), "\(again.errors)")
        }

        @Test func `a port that does not exist is reported before any question`() throws {
            let folder = TemporaryFile.freePath("adopt"), port = TemporaryFile.freePath("rig")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let adopt = try Program(["adopt", "--port", port], setUp(folder))
            #expect(adopt.end() == .exit(69) && adopt.output.isEmpty, "\(adopt.output)")
            #expect(adopt.errors.contains("there is no port \(port)") && adopt.errors.contains("dockface ports"))
        }

        /// Writes a list of rigs as a person might.
        private func book(_ rows: [(name: String, port: String, profile: String)], in folder: String) throws {
            let text = rows.map { "[[rig]]\nname = '\($0.name)'\nport = '\($0.port)'\nprofile = '\($0.profile)'\n" }
            try write(text.joined(separator: "\n"), folder)
        }

        private func write(_ text: String, _ folder: String) throws {
            try FileManager.default.createDirectory(atPath: folder + "/dockface", withIntermediateDirectories: true)
            try text.write(toFile: folder + "/dockface/rigs.toml", atomically: true, encoding: .utf8)
        }

        /// A listening server on this machine that accepts no connection: its descriptor and its port.
        private func listen() throws -> (descriptor: Int32, port: UInt16) {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_in(), size = socklen_t(MemoryLayout<sockaddr_in>.size)
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, size) == 0 && Glibc.listen(descriptor, 4) == 0
                        && getsockname(descriptor, $0, &size) == 0
                }
            }
            guard isBound else { throw Silence(description: "no server: \(errno)") }
            return (descriptor, UInt16(bigEndian: address.sin_port))
        }

        @Test func `rigs on a path and over the network are listed, and only the doctor probes the network`() throws {
            let folder = TemporaryFile.freePath("adopt"), link = TemporaryFile.freePath("rig")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let dock = try SimulatedDockPort(link: link), server = try listen(), closed = try listen()
            close(closed.descriptor)
            defer {
                dock.close()
                close(server.descriptor)
            }
            let near = "tcp:127.0.0.1:\(server.port)", far = "tcp:127.0.0.1:\(closed.port)"
            try book(
                [("desk", link, profile("dlp-dock")), ("near", near, "dlp-dock"), ("far", far, "gone")], in: folder)
            for words in [[], ["ports"]] {
                let said = try Program(words, setUp(folder))
                #expect(said.end() == .exit(0))
                let lines = said.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
                #expect(
                    lines.contains("desk \(link) \(profile("dlp-dock")) connected next: dockface check --port desk"))
                #expect(
                    lines.contains("near \(near) dlp-dock over the network, not tried next: dockface check --port near")
                )
                #expect(
                    lines.contains {
                        $0.hasPrefix("far \(far) gone (cannot be used)") && $0.hasSuffix("dockface doctor")
                    },
                    "\(said.output)")
            }
            #expect(accept(server.descriptor, nil, nil) == -1, "no connection was attempted")
            let doctor = try Program(["doctor", "--json"], setUp(folder))
            #expect(doctor.end() == .exit(1), "a profile is missing")
            let findings = JSON(line: Array(doctor.output.utf8))["findings"].array
            func says(_ subject: String, _ text: String) -> Bool {
                findings.contains {
                    $0["subject"].string == subject && $0["text"].string?.contains(text) == true
                }
            }
            #expect(says("rig", "\"desk\" (\(link), profile \(profile("dlp-dock"))) is connected"), "\(doctor.output)")
            #expect(says("rig", "\"near\" (\(near), profile dlp-dock) accepts connections"), "\(doctor.output)")
            #expect(
                says("rig", "\"far\" (\(far), profile gone) does not answer: Connection refused"), "\(doctor.output)")
            #expect(says("profile", "\"far\" needs the profile gone, and there is no such file"), "\(doctor.output)")
            #expect(says("detector", "no daemon answers"))
            let connection = accept(server.descriptor, nil, nil)
            var byte: UInt8 = 0
            #expect(connection >= 0 && read(connection, &byte, 1) == 0, "it connected and disconnected without a byte")
            close(connection)
            // The only rig is chosen without a name; its problem is what prevents a run.
            try book([("far", far, "dlp-dock")], in: folder)
            let run = try Program(["run", "--headless", "--detector", "none"], setUp(folder))
            #expect(run.end() == .exit(69) && run.errors.contains("\(far) does not answer"), "\(run.errors)")
        }

        @Test func `a damaged list of rigs does not block a named port, and is not overwritten`() throws {
            let folder = TemporaryFile.freePath("adopt"), link = TemporaryFile.freePath("rig")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let dock = try SimulatedDockPort(link: link)
            let other = try SimulatedDockPort()
            defer {
                dock.close()
                other.close()
            }
            let text = "[[rig]]\nname = 'desk'\nport = '\(link)'\n\n[[rig]]\nname = \n"
            try write(text, folder)
            let place = folder + "/dockface/rigs.toml:6:"
            for words in [[], ["ports"], ["doctor"]] {
                let said = try Program(words, setUp(folder))
                #expect(said.end() != nil && said.output.contains("BAD      rigs: \(place)"), "\(said.output)")
                #expect(said.output.contains("-> correct it or move it away"))
                #expect(said.output.split(separator: "\n").count > 2, "the rest is shown: \(said.output)")
            }
            let arguments = ["--port", link, "--profile", profile("dlp-dock")]
            let refused = try Program(["adopt"] + arguments, setUp(folder))
            #expect(refused.end() == .exit(78) && refused.errors.contains(place) && refused.output.isEmpty)
            #expect(TemporaryFile.text(of: folder + "/dockface/rigs.toml") == text)
            // The port alone might belong to an adopted rig, whose profile would be missing.
            let unclear = try Program(["run", "--headless", "--detector", "none", "--port", link], setUp(folder))
            #expect(unclear.end() == .exit(78) && unclear.errors.contains(place))
            // Two rigs are named, and one warning is enough.
            let also = ["--also", "\(other.path)=\(profile("dlp-dock"))"]
            let run = try Program(["run", "--headless", "--detector", "stdin"] + arguments + also, setUp(folder))
            try #require(run.wait(15) { run.errors.contains("dock ready") }, "\(run.errors)")
            #expect(run.errors.split(separator: "warning: \(place)").count == 2, "\(run.errors)")
            let doctor = try Program(["doctor"], setUp(folder))
            #expect(doctor.end() == .exit(1))
            #expect(doctor.output.contains("the running daemon waits for faces from stdin"), "\(doctor.output)")
            run.tell("quit")
            #expect(run.end() == .exit(0))
        }

        @Test func `a mistyped profile is asked for again with a suggestion, at most three times`() throws {
            let folder = TemporaryFile.freePath("adopt"), link = TemporaryFile.freePath("rig")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let dock = try SimulatedDockPort(link: link)
            defer { dock.close() }
            let adopt = try Program(["adopt", "--port", link, "--name", "desk"], setUp(folder))
            adopt.tell("dlp-dokc\n99\ndlp-dock\ny")
            #expect(adopt.end() == .exit(0), "\(adopt.output) \(adopt.errors)")
            #expect(adopt.output.contains("did you mean \"dlp-dock\"?"))
            #expect(adopt.output.contains("invalid number 99"))
            let wrong = try Program(["adopt", "--port", link], setUp(folder))
            // In one write: the program may end before the last line.
            wrong.tell("x\n0\n/no/such.toml\ndlp-dock")
            #expect(wrong.end() == .exit(64) && wrong.errors.contains("3 answers were invalid"), "\(wrong.errors)")
            let ended = try Program(["adopt", "--port", link], setUp(folder))
            ended.tell("x")
            ended.closeInput()
            #expect(ended.end() == .exit(75) && ended.errors.contains("the input ended"), "\(ended.errors)")
        }

        @Test func `a folder that cannot be written is reported before the first question`() throws {
            var setup = setUp("/tmp")
            setup.environment["XDG_CONFIG_HOME"] = "/proc/nobody"
            let adopt = try Program(["adopt"], setup)
            #expect([.exit(69), .exit(77)].contains(adopt.end()) && adopt.output.isEmpty, "\(adopt.output)")
            #expect(adopt.errors.contains("cannot make the folder /proc/nobody/dockface"), "\(adopt.errors)")
        }

        /// A dock that sends nothing, not even when it boots.
        private static func muteDock() throws -> SimulatedDockPort {
            var configuration = SimulatedDock.Configuration()
            configuration.isMute = true
            return try SimulatedDockPort(configuration: configuration)
        }

        @Test func `a cable that is pulled during the handshake is reported at once`() throws {
            let folder = TemporaryFile.freePath("adopt"), dock = try Self.muteDock()
            defer {
                dock.close()
                try? FileManager.default.removeItem(atPath: folder)
            }
            let adopt = try Program(
                ["adopt", "--port", dock.path, "--profile", profile("dlp-dock")], setUp(folder))
            #expect(adopt.wait { adopt.output.contains("nothing moves") && !dock.lastHostBytes.isEmpty })
            let path = dock.path
            dock.unplug()
            #expect(adopt.end(within: 2) == .exit(69), "\(adopt.output)")
            #expect(adopt.errors.contains("\(path) disappeared while"), "\(adopt.errors)")
        }

        @Test(.serialized, arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT), ("", SIGTERM)])
        func `stopping an adoption at a question restores the terminal, and nothing is stored`(
            key: String, signal: Int32
        ) throws {
            let folder = TemporaryFile.freePath("adopt"), dock = try SimulatedDockPort(), terminal = try Terminal()
            defer {
                dock.close()
                try? FileManager.default.removeItem(atPath: folder)
            }
            var setup = setUp(folder)
            setup.terminal = terminal
            setup.hasInput = false
            let settings = terminal.settings
            let adopt = try Program(["adopt", "--port", dock.path], setup)
            #expect(adopt.wait { adopt.output.contains("number or name") }, "\(adopt.output)")
            if key.isEmpty { adopt.signal(signal) } else { adopt.type(key) }
            #expect(adopt.end(within: 5) == .exit(128 + signal))
            #expect(
                adopt.errors
                    == "dockface: error: stopped: nothing is stored; run `dockface adopt` again\n")
            #expect(terminal.settings == settings)
            #expect(!FileManager.default.fileExists(atPath: folder + "/dockface"))
        }

        @Test(.serialized, arguments: [SIGINT, SIGTERM, SIGHUP])
        func `stopping an adoption during the handshake stops the rig, and nothing is stored`(signal: Int32)
            throws
        {
            let folder = TemporaryFile.freePath("adopt"), dock = try Self.muteDock()
            defer {
                dock.close()
                try? FileManager.default.removeItem(atPath: folder)
            }
            let adopt = try Program(
                ["adopt", "--port", dock.path, "--profile", profile("dlp-dock"), "--yes"], setUp(folder))
            #expect(adopt.wait { adopt.output.contains("nothing moves") && !dock.lastHostBytes.isEmpty })
            adopt.signal(signal)
            #expect(adopt.end(within: 2) == .exit(128 + signal))
            #expect(adopt.errors.contains("nothing is stored") && !adopt.errors.contains("nothing answers"))
            #expect(eventually(1) { dock.lastFrameWasStop })
        }

        @Test func `the answer no, or none, adopts nothing`() throws {
            let folder = TemporaryFile.freePath("adopt"), link = TemporaryFile.freePath("rig")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let dock = try SimulatedDockPort(link: link)
            defer { dock.close() }
            let arguments = ["adopt", "--port", link, "--profile", profile("dlp-dock")]
            let refuse = try Program(arguments, setUp(folder))
            refuse.tell("n")
            #expect(refuse.end() == .exit(75) && refuse.errors.contains("nothing is stored"))
            let silent = try Program(arguments, setUp(folder))
            silent.closeInput()
            #expect(silent.end() == .exit(75))
            let nowhere = try Program(
                ["adopt", "--port", "usb:NOBODY", "--profile", profile("dlp-dock")], setUp(folder))
            #expect(nowhere.end() == .exit(69) && nowhere.errors.contains("NOBODY"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/dockface/rigs.toml"))
            #expect(dock.statistics.setpoints == dock.statistics.stops, "no motion was sent")
        }
    }
}
