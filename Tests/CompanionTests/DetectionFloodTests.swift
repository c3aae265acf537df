import DockControl
import Geometry
import Processes
import TestSupport
import Testing

@testable import Companion

/// Floods of lines in the detection stream.
@Suite struct DetectionFloodTests {
    @Test(arguments: ["y", "status", #"{"faces":[]}"#, #"{"type":"status","level":"info","text":"x"}"#])
    func `one turn reads no more of a flood than its time allows`(line: String) {
        let now = Locked(100.0)
        var decoding = DecoderOptions()
        decoding.acceptsCommands = true
        // Each reading of the clock is a millisecond later.
        let clocks = DetectionPipeline.Clocks(
            monotonic: {
                now.withLock { now in
                    now += 0.001
                    return now
                }
            }, realtime: { 1.7e9 })
        let events = Locked(0), frames = Locked(0)
        let pipeline = DetectionPipeline(
            descriptor: -1, profile: .dlpDock, options: decoding, requests: PipelineRequests(),
            listener: .init(
                onFrame: { _ in frames.withLock { $0 += 1 } }, onEvent: { _ in events.withLock { $0 += 1 } }),
            clocks: clocks)
        pipeline.feed(Array(String(repeating: line + "\n", count: 1000).utf8))
        pipeline.read(now: 100)
        let context = SteeringContext(now: 100, mode: .system, framing: Framing(), lag: 0, poses: PoseHistory())
        while pipeline.next(in: context) != nil {}
        pipeline.publish(now: 100)
        #expect(pipeline.reading.hasMore, "the rest waits for the next turn")
        let taken = events.withLock { $0 } + frames.withLock { $0 }
        #expect(taken <= 8 * Int(DetectionReader.longestTurn / 0.001 + 2), "\(taken)")
    }
}
