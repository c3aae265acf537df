import CPosix
import Geometry
import Glibc
import Processes
import Synchronization
import Testing

@testable import FaceTracker

/// Stages that get frames from the daemon.
@Suite struct FedStageTests {
    private final class Picture: StagePicture {
        let sequence: Int, exposure: Seconds, arrival: Seconds
        let width = 640, height = 480
        let optics: FrameOptics
        nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

        init(_ sequence: Int) {
            self.sequence = sequence
            optics = sequence < 20 ? .usual : FrameOptics(camera: 1, zoom: 2.5)
            arrival = cposix_monotonic_now()
            exposure = arrival - 0.03
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 640 * 480 * 3, alignment: 16)
            memory.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: sequence))
            bytes = UnsafeRawBufferPointer(memory)
        }

        deinit { bytes.deallocate() }
    }

    /// A fixed number of frames, always ready; then none.
    private static func feed(_ count: Int) -> PictureFeed {
        let next = Mutex(0)
        return PictureFeed(
            descriptor: -1, isLossless: true,
            take: {
                next.withLock { next in
                    guard next < count else { return nil }
                    next += 1
                    return Picture(next - 1)
                }
            }, isOver: { next.withLock { $0 == count } })
    }

    /// Answers each frame with the value of its first byte as the rectangle's x, in hundredths.
    private static let echo = """
        exec python3 -u -c '
        import sys, json
        print(json.dumps({"type": "hello", "v": 1, "detector": "echo", "clock": "monotonic"}))
        while line := sys.stdin.buffer.readline():
            ask = json.loads(line)
            if ask["type"] != "image": continue
            pixels = sys.stdin.buffer.read(ask["w"] * ask["h"] * 3)
            assert len(set(pixels)) == 1
            print(json.dumps({"seq": ask["seq"], "t": ask["t"], "faces": [{"rect": [pixels[0] / 100, 0.1, 0.1, 0.1]}]}))
        print(json.dumps({"type": "bye", "reason": "eof"}))
        '
        """

    @Test func `each frame arrives whole, with its number and its time, and is answered`() throws {
        let rig = try StageRig(Self.echo, feed: Self.feed(40)) { $0.framesPerSecond = .infinity }
        let lines = rig.lines()
        #expect(lines.count == 42, "hello, forty frames, bye")
        for (index, line) in lines.dropFirst().dropLast().enumerated() {
            #expect(line.contains("\"seq\": \(index),"))
            #expect(line.contains("\"rect\": [\(Double(index) / 100)"))
            // The detector cannot know which camera took the frame.
            #expect(line.hasSuffix(index < 20 ? "]}" : #","camera":1,"zoom":2.5}"#), "\(line)")
        }
        #expect(rig.health?.latency ?? 0 > 0)
        rig.stage.stop()
    }

    @Test func `a slow reader of a video loses no frame`() throws {
        // Like a tap: it rings once for many frames.
        let bell = cposix_wake_create()
        defer { close(bell) }
        cposix_wake_ring(bell)
        var feed = Self.feed(200)
        feed.descriptor = bell
        let padded = Self.echo.replacing("\"seq\": ask", with: "\"pad\": \"x\" * 2000, \"seq\": ask")
        let rig = try StageRig(padded, feed: feed) { $0.framesPerSecond = .infinity }
        // The pipe holds thirty of them.
        poll(nil, 0, 700)
        let lines = rig.lines()
        #expect(lines.count == 202)
        rig.stage.stop()
    }

    @Test func `the end of a video is noticed even if its last frame came too early`() throws {
        let bell = cposix_wake_create(), waiting = Mutex<[Picture]>([Picture(0)]), isOver = Mutex(false)
        defer { close(bell) }
        // Like a tap for the newest frame: a frame that was not taken is gone, and it rings once for a frame and its
        // end.
        let feed = PictureFeed(
            descriptor: bell, take: { waiting.withLock { $0.popLast() } },
            isOver: { isOver.withLock { $0 } && waiting.withLock(\.isEmpty) })
        cposix_wake_ring(bell)
        let rig = try StageRig(Self.echo, feed: feed)
        let first = rig.lines { $0.count >= 2 }
        #expect(first.last?.contains("\"seq\": 0,") == true)
        waiting.withLock { $0 = [Picture(1)] }
        isOver.withLock { $0 = true }
        cposix_wake_ring(bell)
        let rest = rig.lines()
        #expect(rest.first?.contains("\"seq\": 1,") == true)
        #expect(rest.last?.contains("bye") == true)
        rig.stage.stop()
    }

    @Test func `a frame that ends a detector twice is left out, and no other`() throws {
        // Ends at every eighth frame that it gets, and always at number 20.
        let script = Self.echo.replacing(
            "assert len(set(pixels)) == 1",
            with: "if ask[\"seq\"] == 20 or (seen := globals().get(\"seen\", 0) + 1) == 8: sys.exit(1)")
        let rig = try StageRig(script, feed: Self.feed(40)) {
            $0.framesPerSecond = .infinity
            $0.patience.failures = 100
            $0.patience.longest = 0.02
        }
        let lines = rig.lines().filter { $0.contains("\"seq\"") }
        #expect(lines.count == 39)
        #expect(!lines.contains { $0.contains("\"seq\": 20,") })
        #expect(rig.log.contains { $0.contains("frame skipped") })
    }

    @Test func `a video also ends for a detector that sends no bye`() throws {
        let rude = Self.echo.replacing(
            "print(json.dumps({\"type\": \"bye\", \"reason\": \"eof\"}))", with: "sys.exit(3)")
        let rig = try StageRig(rude, feed: Self.feed(3)) { $0.framesPerSecond = .infinity }
        let lines = rig.lines()
        #expect(lines.count == 5)
        #expect(lines.last?.contains("bye") == true)
        #expect(rig.log.contains { $0.contains("without a bye, with exit status 3") })
        #expect(rig.health?.restarts == 0)
        rig.stage.stop()
    }

    @Test func `text that libraries print before the hello does not cause a restart`() throws {
        let chatty = Self.echo.replacing(
            "import sys, json", with: "import sys, json\nfor i in range(60): print(\"loading\", i)")
        let rig = try StageRig(chatty, feed: Self.feed(3)) { $0.framesPerSecond = .infinity }
        #expect(rig.lines().count == 5)
        #expect(rig.health?.restarts == 0)
        rig.stage.stop()
    }

    @Test func `it gets no more frames a second than configured`() throws {
        let start = cposix_monotonic_now()
        let rig = try StageRig(Self.echo, feed: Self.feed(11)) { $0.framesPerSecond = 20 }
        let lines = rig.lines()
        #expect(lines.count == 13)
        #expect(cposix_monotonic_now() - start >= 0.5, "eleven frames at twenty a second")
        rig.stage.stop()
    }

    @Test func `a child that dies in the middle of a frame is restarted and gets the next one`() throws {
        let rig = try StageRig(
            "head -c 100000 >/dev/null; exit 3", feed: Self.feed(.max)
        ) { $0.framesPerSecond = .infinity }
        // Without a hello it gets no frames, so it sends one first.
        #expect(rig.waits(for: .starting))
        rig.stage.stop()
        let second = try StageRig(
            #"echo '{"type":"hello","v":1}'; head -c 100000 >/dev/null; exit 3"#, feed: Self.feed(.max)
        ) { $0.framesPerSecond = .infinity }
        #expect(second.waits(for: .restarting))
        #expect(second.waits(for: .failed))
        second.stage.stop()
    }
}
