import Codecs
import ControlProtocol
import DepthCodec
import DepthStream
import DockClient
import DockTestKit
import DockTypes
import Foundation
import Geometry
import JPEGCodec
import ProgramTestKit
import Synchronization
import Testing

@testable import ExtensionKit
@testable import dockface_depth

/// Sending the pictures of the dock with the depth of a camera. No test has a depth camera: a simulated one takes its place,
/// and the errors of the real one are those of files that are none.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LiveSendTests {
    private let place = TemporaryFolder()

    // MARK: devices that are none

    private func send(_ words: String...) throws -> Running {
        try Running(
            Running.program("dockface-depth"), ["send", "--to", "127.0.0.1:\(StreamSender.freePort())"] + words,
            in: place)
    }

    @Test func `a device that is missing, a file and a device of another kind are no depth cameras`() async throws {
        let file = place.path + "/file"
        try Data("no camera".utf8).write(to: URL(fileURLWithPath: file))
        for (path, words) in [
            (place.path + "/video9", "/video9 is not there; plug the camera in"), (file, "/file is not a camera"),
            (place.path, "is not a camera"), ("/dev/null", "/dev/null is not a camera; name a video device"),
            (file + "/video0", "is not a camera"),
        ] {
            let program = try send("--depth-camera", path)
            #expect(await program.status() == 69, "\(program.text)")
            #expect(program.text.contains(words) && program.text.contains("dockface cameras"), "\(program.text)")
        }
    }

    @Test func `the words for a camera do not go with files, and its unit must be one`() async throws {
        for words in [
            [], ["--from", "x", "--depth-camera", "/dev/video0"],
            ["--depth-camera", "/dev/video0", "--depth", "x.png"],
            ["--from", "x", "--depth-unit", "mm"], ["--depth-camera", "/dev/video0", "--depth-unit", "inch"],
            ["--depth-camera", "/dev/video0", "--rate", "0"],
        ] {
            let program = try Running(
                Running.program("dockface-depth"), ["send", "--to", "127.0.0.1"] + words, in: place)
            #expect(await program.status() == 64, "\(words): \(program.text)")
        }
    }

    // MARK: a simulated camera

    /// Delivers slopes of depth at 30 pictures a second, each exposed 4 ms ago, until it is unplugged.
    private final class Simulated: DepthSource {
        let shape: DepthShape
        private let last: Int
        private var count = 0

        init(last: Int = .max) throws(DepthCameraTrouble) {
            guard let shape = DepthShape(width: 64, height: 48, stride: 0) else { throw .layout }
            (self.shape, self.last) = (shape, last)
        }

        func next(within time: Seconds) throws(DepthCameraTrouble) -> TakenDepth? {
            usleep(33_000)
            count += 1
            guard count <= last else { throw .unplugged }
            let samples = (0..<64 * 48).map { UInt16(10_000 + $0 % 64) }
            guard let picture = DepthPicture(width: 64, height: 48, samples: samples) else { return nil }
            let now = SystemTime.monotonic
            return TakenDepth(picture, stamp: now - 0.004, arrival: now)
        }
    }

    /// What was sent, and what was said.
    private final class Heard: Sendable {
        private let shared = Mutex<(packets: [[UInt8]], lines: [String])>(([], []))
        var packets: [[UInt8]] { shared.withLock { $0.packets } }
        var text: String { shared.withLock { $0.lines.joined(separator: "\n") } }
        func send(_ packet: [UInt8]) { shared.withLock { $0.packets.append(packet) } }
        func say(_ line: String) { shared.withLock { $0.lines.append(line) } }

        private let openings = Mutex(0)
        /// Counts an opening of the camera. Returns its number, from 1.
        func opening() -> Int {
            openings.withLock { openings in
                openings += 1
                return openings
            }
        }
    }

    /// Runs pairs beside a daemon, whose camera is a test picture.
    private func run(
        _ heard: Heard, words: [String] = [], _ open: @escaping DepthCameraFeed.Opening
    ) async throws -> (daemon: Running, work: Task<Void, any Error>) {
        let daemon = try Running(
            try #require(Running.daemon),
            ["run", "--headless", "--port", "sim", "--config", "none", "--camera", "test"]
                + ["--detector", "exec:cat > /dev/null"] + words, in: place)
        // A tenth of a millimetre for each count.
        let unit = try #require(DepthUnit(metres: 0.0001))
        let choice = LivePairs.Choice(path: "/dev/video9", unit: unit, sent: .millimetres, rate: 30)
        let session = ExtensionSession(
            DockfaceDepth.identity, control: place.path + "/dockface/dockface.sock",
            log: ExtensionLog("depth") { heard.say($0) })
        let pairs = LivePairs(choice, open: open)
        let work = Task { try await pairs.run(session, places: "127.0.0.1:5000") { heard.send($0) } }
        return (daemon, work)
    }

    private func end(_ daemon: Running, _ work: Task<Void, any Error>) async {
        work.cancel()
        _ = await work.result
        daemon.signal(SIGTERM)
        _ = await daemon.status()
    }

    @Test(.enabled(if: Running.daemon != nil && Running.hasEncoder, "the daemon is not built, or ffmpeg is missing"))
    func `the dock's pictures go with the depth that was exposed with them, in the unit on the way`() async throws {
        let heard = Heard()
        let (daemon, work) = try await run(heard) { () throws(DepthCameraTrouble) -> any DepthSource in
            try Simulated()
        }
        try await wait("pairs: \(heard.text)") { heard.packets.count >= 10 }
        let dock = try await Dock.connect(path: place.path + "/dockface/dockface.sock")
        let indicator = try #require(try await dock.status().indicators.first { $0.name == "live" })
        #expect(indicator.state == .on && indicator.text == "depth to 127.0.0.1:5000")
        var reader = PacketReader(), times: [Double] = []
        for bytes in heard.packets {
            for packet in reader.receive(bytes, now: 0) {
                let picture = try JPEGDecoder.decode(packet.jpeg)
                #expect(picture.width == 640 && picture.height == 480)
                let file = try #require(DepthPNGReader()).read(try #require(packet.depth))
                // 1 m, and 6 mm more at the right edge.
                #expect(file.picture[0, 0] == 1000 && file.picture[63, 47] == 1006 && file.picture.width == 64)
                let note = try #require(file.note.flatMap { SenderNote($0) })
                let skew = try #require(note.skew)
                #expect(note.isMonotonic && note.unit == 0.001 && abs(skew) < 0.1, "\(note)")
                times.append(try #require(note.time))
            }
        }
        #expect(times.count >= 10 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(heard.text.contains("/dev/video9 is open: depth of 64x48, unit 0.0001"), "\(heard.text)")
        #expect(heard.text.contains("the first picture with its depth: "))
        await end(daemon, work)
    }

    @Test(.enabled(if: Running.daemon != nil && Running.hasEncoder, "the daemon is not built, or ffmpeg is missing"))
    func `a depth camera that is unplugged is opened again, and the pairs go on`() async throws {
        let heard = Heard()
        let (daemon, work) = try await run(heard) { () throws(DepthCameraTrouble) -> any DepthSource in
            // Unplugged while it delivers, missing, busy, and then back.
            switch heard.opening() {
            case 1: return try Simulated(last: 20)
            case 2: throw DepthCameraTrouble.missing
            case 3: throw DepthCameraTrouble.busy
            default: return try Simulated()
            }
        }
        try await wait("the return: \(heard.text)") { heard.text.contains("/dev/video9 delivers again") }
        let before = heard.packets.count
        try await wait("pairs after the return") { heard.packets.count >= before + 5 }
        for words in ["was unplugged; plug it in again; trying again every 3 s", "is not there", "is in use"] {
            #expect(heard.text.contains("/dev/video9 \(words)"), "\(heard.text)")
        }
        await end(daemon, work)
    }

    @Test(.enabled(if: Running.daemon != nil, "the daemon is not built"))
    func `a daemon without a camera ends it with the reason`() async throws {
        let daemon = try Running(
            try #require(Running.daemon), ["run", "--headless", "--port", "sim", "--config", "none"], in: place)
        let heard = Heard()
        let choice = LivePairs.Choice(path: "/dev/video9", unit: .millimetres, sent: .millimetres, rate: 30)
        let session = ExtensionSession(
            DockfaceDepth.identity, control: place.path + "/dockface/dockface.sock",
            log: ExtensionLog("depth") { heard.say($0) })
        let pairs = LivePairs(choice) { () throws(DepthCameraTrouble) -> any DepthSource in
            try Simulated()
        }
        let error = await #expect(throws: DockError.self) {
            try await pairs.run(session, places: "127.0.0.1:5000") { heard.send($0) }
        }
        #expect(error?.code == .notSupported && heard.packets.isEmpty)
        daemon.signal(SIGTERM)
        _ = await daemon.status()
    }
}
