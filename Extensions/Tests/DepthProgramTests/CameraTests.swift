import ControlProtocol
import DockClient
import DockTestKit
import Foundation
import Geometry
import PictureShare
import ProgramTestKit
import Testing

/// The program as a camera of another program: Matroska on standard output.
@Suite(
    .enabled(if: Running.daemon != nil && Running.hasEncoder, "the daemon is not built, or ffmpeg is missing"),
    .serialized, .timeLimit(.minutes(10)))
struct CameraTests {
    private let place = TemporaryFolder()

    /// Starts the camera in a shell that writes its pictures to a file.
    private func camera(to path: String) async throws -> (program: Running, port: Int) {
        let program = try Running(
            "/bin/sh",
            ["-c", "exec \"$0\" camera --listen 127.0.0.1:0 >\(path)", Running.program("dockface-depth")], in: place)
        try await wait("the port: \(program.text)") { program.text.contains("listening on ") || program.hasEnded }
        let found = program.text.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)/)
        return (program, try #require(found.flatMap { Int($0.1) }, "\(program.text)"))
    }

    /// The exposures and the mean greys of the pictures in a file, as ffmpeg reads them.
    private func pictures(_ path: String) async throws -> (times: [Double], greys: [Int]) {
        let times = try Running(
            "/usr/bin/ffprobe",
            ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path], in: place)
        _ = await times.status()
        let small = place.path + "/grey"
        let pixels = try Running(
            "/usr/bin/ffmpeg",
            ["-v", "error", "-y", "-copyts", "-i", path, "-fps_mode", "passthrough", "-vf", "scale=1:1:flags=area"]
                + ["-pix_fmt", "gray", "-f", "rawvideo", small], in: place)
        _ = await pixels.status()
        return (
            times.text.split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) },
            (try? Data(contentsOf: URL(fileURLWithPath: small)))?.map(Int.init) ?? []
        )
    }

    private func pair(_ number: Int, time: Double, width: Int = 64) throws -> SentPair {
        try SentPair(
            width: width, height: 48, grey: UInt8(40 * number + 40),
            note: #"{"v":1,"unit":0.001,"t":\#(time),"clock":"monotonic"}"#)
    }

    @Test func `the pictures arrive in order, each with the time of its exposure`() async throws {
        let path = place.path + "/film.mkv"
        let (program, port) = try await camera(to: path), sender = try StreamSender(port: port)
        var sent: [Double] = [], size = 0
        for number in 0..<4 {
            let time = clock() - 0.05
            sent.append(time)
            sender.send(try pair(number, time: time).pair)
            // A picture that is not decoded before the next one arrives would be dropped.
            try await wait("picture \(number): \(program.text)") {
                let new = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
                defer { size = new }
                return new > size && size > 0 || program.hasEnded || number == 0 && new > 0
            }
        }
        program.signal(SIGTERM)
        #expect(await program.status() == 128 + SIGTERM)
        let found = try await pictures(path)
        #expect(found.times.count == 4 && zip(found.times, sent).allSatisfy { abs($0 - $1) < 2e-6 }, "\(found) \(sent)")
        #expect(found.greys.count == 4 && zip(found.greys, [40, 80, 120, 160]).allSatisfy { abs($0 - $1) <= 4 })
    }

    @Test func `it says that it waits before the first picture, and after the last one`() async throws {
        let (program, port) = try await camera(to: place.path + "/film.mkv")
        try await wait("the first wait: \(program.text)") {
            program.text.contains("\nwaiting: no sender at 127.0.0.1:\(port)\n")
        }
        let sender = try StreamSender(port: port)
        sender.send(try pair(1, time: clock()).pair)
        try await wait("the picture: \(program.text)") { program.text.contains("pictures come from") }
        try await wait("the second wait: \(program.text)") {
            program.text.contains("\nwaiting: 1 connected, but no pictures arrive\n")
        }
        program.signal(SIGTERM)
        #expect(await program.status() == 128 + SIGTERM, "\(program.text)")
    }

    @Test func `pictures of another size need a new start, which it says`() async throws {
        let (program, port) = try await camera(to: place.path + "/film.mkv"), sender = try StreamSender(port: port)
        sender.send(try pair(1, time: clock()).pair)
        try await wait("the first picture") { program.text.contains("pictures come from") }
        for _ in 0..<200 where !program.hasEnded {
            sender.send(try pair(2, time: clock(), width: 80).pair)
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(await program.status() == 0 && program.text.contains("another size now"))
    }

    @Test func `a reader that does not read costs pictures and no memory`() async throws {
        let pipe = place.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = Glibc.open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        let (program, port) = try await camera(to: pipe)
        let sender = try StreamSender(port: port), pair = try SentPair(width: 640, height: 480)
        for _ in 0..<200 { #expect(sender.send(pair.pair)) }
        var held: Int32 = 0
        try await wait("a full pipe") { ioctl(reader, UInt(FIONREAD), &held) == 0 && held > 0 }
        program.signal(SIGTERM)
        #expect(await program.status() == 128 + SIGTERM, "\(program.text)")
    }

    /// Installs the program beside its manifest. Returns the folder.
    private func install() throws -> String {
        let folder = place.path + "/extensions", program = Running.program("dockface-depth")
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // It may be on another disk, and is large.
        let wrapper = folder + "/dockface-depth"
        try Data("#!/bin/sh\nexec '\(program)' \"$@\"\n".utf8).write(to: URL(fileURLWithPath: wrapper))
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: wrapper)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        try files.copyItem(
            atPath: root.path + "/Sources/dockface-depth/depth.toml", toPath: folder + "/depth.toml")
        return folder
    }

    @Test(arguments: ["exec", "phone"])
    func `a phone is the camera of a daemon, and its exposures count`(_ form: String) async throws {
        let port = try StreamSender.freePort()
        let camera =
            form == "phone"
            ? "phone:\(port)" : "exec:\(Running.program("dockface-depth")) camera --listen 127.0.0.1:\(port)"
        let (daemon, sending) = try await start(camera, port: port, detector: "cat > /dev/null")
        defer { sending.cancel() }
        let dock = try await Dock.connect(path: place.path + "/dockface/dockface.sock")
        var seen = 0
        let pictures = try await dock.pictures()
        #expect(pictures.reader.layout.width == 640)
        for try await picture in pictures {
            #expect(!picture.facts.isEstimated)
            #expect(picture.facts.arrival - picture.facts.exposure >= 0.03)
            seen += 1
            if seen == 10 { break }
        }
        #expect(seen == 10, "\(daemon.text)")
    }

    /// Answers each frame with one face: in the middle, as wide as a face at the distance of the sent depth there.
    private static let detector = """
        import json, sys
        print(json.dumps({"type": "hello", "v": 1, "detector": "box", "clock": "monotonic"}), flush=True)
        for line in iter(sys.stdin.buffer.readline, b""):
            head = json.loads(line)
            if head.get("type") == "image":
                sys.stdin.buffer.read(head["w"] * head["h"] * 3)
                face = {"rect": [0.472, 0.45, 0.056, 0.1], "score": 0.95}
                print(json.dumps({"seq": head["seq"], "t": head["t"], "faces": [face]}), flush=True)
        """

    @Test func `a daemon with a phone as its camera says how far a face is, as the depth shows it`() async throws {
        let port = try StreamSender.freePort(), script = place.path + "/box.py"
        try Data(Self.detector.utf8).write(to: URL(fileURLWithPath: script))
        let (daemon, sending) = try await start("phone:\(port)", port: port, detector: "python3 \(script)")
        defer { sending.cancel() }
        let dock = try await Dock.connect(path: place.path + "/dockface/dockface.sock")
        var found: SubjectDistance?, seen = 0
        for await update in try dock.updates(.tracking, everyFrame: true) {
            seen += 1
            found = update.value.subjects.first?.distance
            // Without depth, the size would say the same, but say that it did.
            if found?.source == .depth || seen > 300 { break }
        }
        let distance = try #require(found, "\(daemon.text)")
        #expect(distance.source == .depth && abs(distance.metres - 2.1) < 0.02 * 2.1, "\(distance)")
        #expect((distance.error ?? 1) < 0.05)
        let answers = try dock.updates(.detections)
        for await update in answers where update.value.faces.first?.distance?.source == .depth { break }
        // A phone that is gone measures nothing.
        sending.cancel()
        await sending.value
        try await wait("the end of the measured distance") {
            let subjects = try await dock.status().tracking.subjects
            return subjects.allSatisfy { $0.distance?.source != .depth }
        }
    }

    /// Starts a daemon with the camera at a port, and a phone that sends to it.
    private func start(
        _ camera: String, port: Int, detector: String
    ) async throws -> (daemon: Running, sending: Task<Void, Never>) {
        let words = ["run", "--headless", "--port", "sim", "--open-loop", "--config", "none"]
        let daemon = try Running(
            try #require(Running.daemon), words + ["--detector", "exec:" + detector, "--camera", camera], in: place,
            variables: ["DOCKFACE_EXTENSIONS": try install()])
        var sender: StreamSender?
        try await wait("the camera: \(daemon.text)") {
            guard StreamSender.isOpen(port) else { return false }
            sender = try StreamSender(port: port)
            return true
        }
        let phone = try #require(sender)
        let sending = Task {
            while !Task.isCancelled {
                let note = #"{"v":1,"unit":0.001,"t":\#(clock() - 0.03),"clock":"monotonic"}"#
                guard let pair = try? SentPair(width: 640, height: 480, grey: 120, note: note) else { return }
                phone.send(pair.pair)
                try? await Task.sleep(for: .milliseconds(33))
            }
        }
        return (daemon, sending)
    }

    @Test func `a daemon without the program says what brings it`() async throws {
        let folder = place.path + "/empty"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let daemon = try Running(
            try #require(Running.daemon), ["run", "--headless", "--port", "sim", "--camera", "phone:5000"], in: place,
            variables: ["DOCKFACE_EXTENSIONS": folder])
        #expect(await daemon.status() == 69)
        #expect(daemon.text.contains("--camera phone:5000: extension depth is not installed"), "\(daemon.text)")
        #expect(daemon.text.contains("the package dockface-depth brings it"))
    }

    @Test func `a port takes the place of the one in the settings`() async throws {
        let port = try StreamSender.freePort(), program = Running.program("dockface-depth")
        let started = try Running(
            program, ["serve", "--port", "\(port)"], in: place,
            variables: ["DOCKFACE_DEPTH_LISTEN": "localhost:5000"])
        try await wait("the port: \(started.text)") { started.text.contains("listening on ") || started.hasEnded }
        #expect(started.text.contains("listening on localhost:\(port) "), "\(started.text)")
        started.signal(SIGTERM)
        _ = await started.status()
        for words in [["--port", "0"], ["--port", "70000"], ["--port", "5000", "--listen", "127.0.0.1:5000"]] {
            let refused = try Running(program, ["serve"] + words, in: place)
            #expect(await refused.status() == 64)
        }
    }

    private func clock() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
