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

    @Test func `the measured correction counts for every camera, the lens of the rig only for its own`() {
        let pipeline = DetectionPipeline(
            descriptor: -1, profile: .dlpDock, options: DecoderOptions(), requests: PipelineRequests(),
            listener: .init(onFrame: { _ in }, onEvent: { _ in }),
            clocks: DetectionPipeline.Clocks(monotonic: { 100 }, realtime: { 1.7e9 }))
        func focal(_ line: String, magnification: Double, correction: Double) -> Double {
            pipeline.feed(Array((line + "\n").utf8))
            pipeline.read(now: 100)
            let context = SteeringContext(
                now: 100, mode: .system, framing: Framing(), lag: 0, poses: PoseHistory(),
                magnification: magnification, correction: correction)
            while pipeline.next(in: context) != nil {}
            return pipeline.detected.camera.focal.x
        }
        _ = focal(#"{"type":"hello","v":1,"clock":"none"}"#, magnification: 1, correction: 1)
        let usual = focal(#"{"faces":[]}"#, magnification: 1, correction: 1)
        #expect(abs(focal(#"{"faces":[]}"#, magnification: 3, correction: 2) / usual - 6) < 1e-9)
        // The first frame of another camera only says that it is another one.
        _ = focal(#"{"faces":[],"camera":1}"#, magnification: 3, correction: 2)
        #expect(abs(focal(#"{"faces":[],"camera":1}"#, magnification: 3, correction: 2) / usual - 2) < 1e-9)
    }

    /// Detectors that are given frames do not know their size when they send their hello.
    @Test func `the height of the view follows from the size of a frame`() {
        let pipeline = DetectionPipeline(
            descriptor: -1, profile: .dlpDock, options: DecoderOptions(), requests: PipelineRequests(),
            listener: .init(onFrame: { _ in }, onEvent: { _ in }),
            clocks: DetectionPipeline.Clocks(monotonic: { 100 }, realtime: { 1.7e9 }))
        func camera(_ lines: String) -> CameraModel {
            pipeline.feed(Array((lines + "\n").utf8))
            pipeline.read(now: 100)
            let context = SteeringContext(now: 100, mode: .system, framing: Framing(), lag: 0, poses: PoseHistory())
            while pipeline.next(in: context) != nil {}
            return pipeline.detected.camera
        }
        let hello = #"{"type":"hello","v":1,"clock":"none"}"#
        let narrow = camera(hello + "\n" + #"{"faces":[],"size":[640,480]}"#)
        #expect(abs(narrow.focal.y / narrow.focal.x - 4.0 / 3) < 1e-9)
        let wide = camera(#"{"faces":[],"size":[1280,720]}"#)
        #expect(abs(wide.focal.y / wide.focal.x - 16.0 / 9) < 1e-9 && wide.focal.x == narrow.focal.x)
        // A detector that describes its lens knows better.
        let own = camera(
            #"{"type":"hello","v":1,"clock":"none","image":{"w":640,"h":480},"intrinsics":{"fx":500,"fy":510,"cx":320,"cy":240}}"#
                + "\n" + #"{"faces":[],"size":[640,360]}"#)
        #expect(abs(own.focal.y - 510.0 / 480) < 1e-9)
    }
}
