import DockTestKit
import Foundation
import Networking
import ProgramTestKit
import Testing

/// The programs `uplink` and `room` beside real daemons, whose camera is a test pattern.
@Suite(
    .enabled(if: Running.daemon != nil && Running.hasEncoder, "the daemon is not built, or ffmpeg is missing"),
    .serialized, .timeLimit(.minutes(10)))
struct RoomProgramTests {
    private let place = TemporaryFolder()

    /// A room server at a free port, without encryption. The first start makes the secret of this test.
    private func room(_ words: String..., port: Int = 0) async throws -> (program: Running, port: Int) {
        let program = try Running(
            Running.program("dockface-room"), ["--host", "127.0.0.1", "--port", "\(port)", "--plain"] + words,
            in: place)
        try await wait("the server") { program.text.contains("listening on ") || program.hasEnded }
        let found = program.text.firstMatch(of: /listening on wss?:\/\/127\.0\.0\.1:(\d+)/)
        return (program, try #require(found.flatMap { Int($0.1) }, "\(program.text)"))
    }

    /// A daemon in a folder of its own. A detector of this test sees one person, or no person.
    private func daemon(in folder: TemporaryFolder, seesPerson: Bool = true) throws -> Running {
        let joints = "[" + Array(repeating: "[0.5,0.4,0.9]", count: 13).joined(separator: ",") + "]"
        let world = "[" + (0..<13).map { "[0,\(Double($0) / 10 - 0.6),0.01]" }.joined(separator: ",") + "]"
        let people = !seesPerson ? "" : #"{"id":null,"score":0.9,"face":null,"joints":\#(joints),"world":\#(world)}"#
        // It answers each picture at once, with the number of the picture.
        let stage = folder.path + "/stage.py"
        try """
        import json, sys
        stdin = sys.stdin.buffer
        print('{"type":"hello","v":1,"detector":"test","clock":"monotonic"}', flush=True)
        while True:
            head = stdin.readline()
            if not head:
                break
            frame = json.loads(head)
            stdin.read(frame["w"] * frame["h"] * 3)
            print('{"type":"frame","seq":%d,"t":%s,"faces":[],"people":[\(people)]}'
                  % (frame["seq"], json.dumps(frame["t"])), flush=True)
        """.write(toFile: stage, atomically: true, encoding: .utf8)
        return try Running(
            try #require(Running.daemon),
            ["run", "--headless", "--port", "sim", "--config", "none", "--camera", "test"]
                + ["--detector", "exec:python3 -u \(stage)"], in: folder)
    }

    private func uplink(
        _ port: Int, in folder: TemporaryFolder, _ words: String..., sign: String = "none"
    ) throws -> Running {
        try Running(
            Running.program("dockface-uplink"),
            ["--server", "ws://127.0.0.1:\(port)", "--secret-file", place.path + "/config/dockface/room.secret"]
                + words,
            in: folder, variables: ["DOCKFACE_UPLINK_SIGN": sign])
    }

    private func status(in folder: TemporaryFolder, _ words: String...) async throws -> String {
        let status = try Running(try #require(Running.daemon), ["status"] + words, in: folder)
        _ = await status.status()
        return status.text
    }

    /// A figure of the server's metrics page.
    private func figure(_ name: String, at port: Int) async throws -> Int {
        let address = try ServerAddress("ws://127.0.0.1:\(port)", defaultPort: port)
        let body = try await HTTPFetch(TransportPlan(address, trust: .off)).body(of: "/metrics")
        let text = String(decoding: body, as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("dockface_room_\(name) ") })
        return Int(line.split(separator: " ")[1]) ?? -1
    }

    @Test("pictures and people go to the room and come back as a layer, and the robot shows LIVE meanwhile")
    func circle() async throws {
        let (room, port) = try await room(), daemon = try daemon(in: place)
        let uplink = try uplink(port, in: place)
        try await wait("frames: \(uplink.text)") { try await figure("frames_total", at: port) > 20 }
        try await wait("a report of people") { try await figure("reports_total", at: port) > 3 }
        var last = ""
        try await wait("the layer: \(last)") {
            last = try await status(in: place)
            return last.contains("people (") && last.contains("live on: pictures")
        }
        #expect(room.text.contains(" is here (127.0.0.1)"))
        uplink.signal(SIGINT)
        #expect(await uplink.status() == 0, "\(uplink.text)")
        last = try await status(in: place)
        #expect(!last.contains("live on") && !last.contains("people ("))
        daemon.signal(SIGTERM)
        _ = await daemon.status()
        room.signal(SIGTERM)
        #expect(await room.status() == 128 + SIGTERM)
    }

    @Test("a server that is killed and started again has the robot back, and so has a daemon")
    func returns() async throws {
        var (room, port) = try await room()
        var daemon = try daemon(in: place)
        let uplink = try uplink(port, in: place)
        try await wait("frames") { try await figure("frames_total", at: port) > 5 }
        room.signal(SIGKILL)
        _ = await room.status()
        (room, _) = try await self.room(port: port)
        try await wait("frames of the new server") { try await figure("frames_total", at: port) > 5 }
        daemon.signal(SIGKILL)
        _ = await daemon.status()
        let before = try await figure("frames_total", at: port)
        daemon = try self.daemon(in: place)
        try await wait("frames of the new daemon") { try await figure("frames_total", at: port) > before + 20 }
        for one in [uplink, daemon, room] {
            one.signal(SIGTERM)
            _ = await one.status()
        }
    }

    @Test("where no screen shows it, nothing is sent unless the owner says so")
    func sign() async throws {
        let (room, port) = try await room(), daemon = try daemon(in: place)
        let uplink = try uplink(port, in: place, sign: "screen")
        try await wait("the reason") { uplink.text.contains("no frames are sent: this robot has no screen") }
        #expect(try await figure("devices", at: port) == 1)
        #expect(try await figure("frames_total", at: port) == 0)
        for one in [uplink, daemon, room] {
            one.signal(SIGTERM)
            _ = await one.status()
        }
    }

    @Test("only skeletons are sent if the owner wants that")
    func skeletons() async throws {
        let (room, port) = try await room(), daemon = try daemon(in: place)
        let uplink = try uplink(port, in: place, "--send", "skeletons")
        try await wait("a report of people") { try await figure("reports_total", at: port) > 3 }
        #expect(uplink.text.contains("sends skeletons, and no pictures,"))
        #expect(try await status(in: place).contains("live on: skeletons"))
        for one in [uplink, daemon, room] {
            one.signal(SIGTERM)
            _ = await one.status()
        }
    }

    @Test(
        "the room gets H.264, and JPEG if the owner says so or there is no ffmpeg", arguments: ["auto", "jpeg", "none"])
    func video(_ codec: String) async throws {
        let (room, port) = try await room(), daemon = try daemon(in: place)
        var variables = ["DOCKFACE_UPLINK_SIGN": "none", "DOCKFACE_UPLINK_CODEC": codec == "jpeg" ? "jpeg" : "auto"]
        if codec == "none" { variables["PATH"] = place.path }
        let uplink = try Running(
            Running.program("dockface-uplink"), ["--server", "ws://127.0.0.1:\(port)"], in: place, variables: variables)
        try await wait("frames: \(uplink.text)") { try await figure("frames_total", at: port) > 40 }
        let count = try await figure("video_frames_total", at: port)
        if codec == "auto" { #expect(count > 20) } else { #expect(count == 0) }
        #expect(uplink.text.contains("ffmpeg is missing") == (codec == "none"), "\(uplink.text)")
        for one in [uplink, daemon, room] {
            one.signal(SIGTERM)
            _ = await one.status()
        }
    }

    @Test("the page of figures follows the uplink, and doctor says what is there and what is missing")
    func figures() async throws {
        let (room, port) = try await room(), daemon = try daemon(in: place), address = "ws://127.0.0.1:\(port)"
        try await wait("the daemon") { try await status(in: place).contains("running") }
        let doctor = try Running(
            Running.program("dockface-uplink"), ["doctor", "--server", address], in: place,
            variables: ["DOCKFACE_UPLINK_SIGN": "none"])
        #expect(await doctor.status() == 0, "\(doctor.text)")
        for words in [
            "server: \(address) knows this robot", "not encrypted", "encoder: ffmpeg encodes H.264", "daemon: version",
            "lens: only its field of view is known", "stand: unknown", "screen: there is none, and",
        ] { #expect(doctor.text.contains(words), "\(words): \(doctor.text)") }
        let blind = try Running(
            Running.program("dockface-uplink"), ["doctor", "--server", "ws://127.0.0.1:1"], in: place)
        #expect(await blind.status() == 1)
        #expect(blind.text.contains("fault    server: ") && blind.text.contains("fault    screen: "), "\(blind.text)")
        // A port that was free a moment ago.
        let other = try await self.room(), page = other.port
        other.program.signal(SIGTERM)
        _ = await other.program.status()
        let uplink = try uplink(port, in: place, "--mcap", place.path + "/a.mcap", "--metrics", "\(page)")
        let local = try ServerAddress("ws://127.0.0.1:\(page)", defaultPort: page)
        let plan = try TransportPlan(local, trust: .off)
        func value(_ name: String) async throws -> Double {
            guard let body = try? await HTTPFetch(plan).body(of: "/metrics") else { return 0 }
            let lines = String(decoding: body, as: UTF8.self).split(separator: "\n")
            let line = lines.first { $0.hasPrefix("dockface_uplink_\(name) ") }
            return line.flatMap { Double($0.split(separator: " ")[1]) } ?? 0
        }
        try await wait("figures: \(uplink.text)") {
            let names = ["connected", "sent_total", "bits_per_second", "round_trip_seconds", "video"]
            for name in names + ["file_pictures_total", "file_bytes"] {
                if try await value(name) == 0 { return false }
            }
            return true
        }
        for one in [uplink, daemon, room] {
            one.signal(SIGTERM)
            _ = await one.status()
        }
        #expect(uplink.text.contains("a.mcap: ") && uplink.text.contains(" pictures, "), "\(uplink.text)")
    }

    @Test("with follow = on the head turns toward a person whom only another robot sees, and goes home when they leave")
    func follows() async throws {
        let (room, port) = try await room(), hall = TemporaryFolder()
        let daemons = [try daemon(in: place), try daemon(in: hall, seesPerson: false)]
        let kitchen = try uplink(port, in: place, "--send", "skeletons")
        // The person is in front of the kitchen's robot, and so to the right of one that stands 2 m to its left.
        let settings = hall.path + "/config/dockface"
        try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
        try "follow = \"on\"\nstand.x = -2\n".write(
            toFile: settings + "/uplink.toml", atomically: true, encoding: .utf8)
        let other = try uplink(port, in: hall, "--send", "skeletons")
        func pan() async throws -> Double {
            let text = try await status(in: hall, "--json")
            let found = text.firstMatch(of: /"position":\{"pan":(-?[0-9.e-]+)/)
            return found.flatMap { Double($0.1) } ?? 0
        }
        try await wait("the head to turn: \(other.text)") { try await pan() > 0.25 }
        #expect(other.text.contains("the head may turn there"))
        kitchen.signal(SIGTERM)
        _ = await kitchen.status()
        try await wait("the head to go home") { try await abs(pan()) < 0.02 }
        for one in [other] + daemons + [room] {
            one.signal(SIGTERM)
            _ = await one.status()
        }
    }

    // MARK: without a daemon

    private func check(_ words: [String], variables: [String: String] = [:]) async throws -> (Int32, String) {
        let program = try Running(
            Running.program("dockface-uplink"), ["check"] + words, in: place, variables: variables)
        return (await program.status(), program.text)
    }

    @Test("check says how far it comes")
    func checks() async throws {
        let (room, port) = try await room(), address = "ws://127.0.0.1:\(port)"
        let good = try await check(["--server", address])
        #expect(good.0 == 0 && good.1.contains("has proved that it knows the secret") && good.1.contains("round trip"))
        // Another secret.
        let other = place.path + "/other.secret"
        try (String(repeating: "x", count: 40) + "\n").write(toFile: other, atomically: true, encoding: .utf8)
        chmod(other, 0o600)
        let wrong = try await check(["--server", address, "--secret-file", other])
        #expect(wrong.0 == 77 && wrong.1.contains("does not accept this robot"), "\(wrong)")
        // One that others may read.
        chmod(other, 0o644)
        let open = try await check(["--server", address, "--secret-file", other])
        #expect(open.0 == 77 && open.1.contains("other users may read the secret"), "\(open)")
        room.signal(SIGKILL)
        _ = await room.status()
        let silent = try await check(["--server", address])
        #expect(silent.0 != 0 && silent.1.contains("no program listens"), "\(silent)")
        let nowhere = try await check([])
        #expect(nowhere.0 == 78 && nowhere.1.contains("no server is chosen"), "\(nowhere)")
        #expect(try await figureIsGone(port))
    }

    private func figureIsGone(_ port: Int) async throws -> Bool { (try? await figure("devices", at: port)) == nil }

    @Test("the secret of a room is made once, and only its owner may read it")
    func secret() async throws {
        let first = try await room(), path = place.path + "/config/dockface/room.secret"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600 && text.utf8.count == 45)
        first.program.signal(SIGTERM)
        _ = await first.program.status()
        let second = try await room()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        // A second server at the same port says so.
        let third = try Running(
            Running.program("dockface-room"), ["--host", "127.0.0.1", "--port", "\(second.port)", "--plain"],
            in: place)
        #expect(
            await third.status() != 0 && third.text.contains("another program is already listening on"), "\(third.text)"
        )
        second.program.signal(SIGTERM)
        _ = await second.program.status()
    }
}
