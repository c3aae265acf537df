public import Geometry

/// Plays a recording in real time by deciding which lines are due. It has no clock and no thread. Its owner arms a
/// timer for `deadline` and writes the result of `take` into a pipe, where it looks like any other detector.
public struct ReplayPacer: Sendable {
    /// The behaviour after the last frame.
    public enum Loop: String, Sendable, Equatable, CaseIterable {
        /// Ends with a bye.
        case once
        /// Starts over.
        case again
        /// Plays backward, then forward again, so that nothing ever jumps.
        case pingpong
    }

    /// The delay above which the replay continues from now instead of catching up, in seconds.
    private static let patience: Seconds = 0.5

    private let recording: Recording
    private let loop: Loop
    private let speed: Double
    private var encoder = DetectionEncoder()
    private var start: Seconds?
    private var step = 0
    private var saidBye = false

    /// Plays `recording`. `speed` > 0 is a factor relative to real time.
    public init(_ recording: Recording, loop: Loop = .once, speed: Double = 1) {
        self.recording = recording
        self.loop = loop
        self.speed = speed > 0 && speed.isFinite ? speed : 1
    }

    /// When the next line is due, CLOCK_MONOTONIC, or nil before the first `take` and after the last line.
    public var deadline: Seconds? {
        guard let start, !saidBye else { return nil }
        return start + (time(of: step) ?? lastTime) / speed
    }

    /// Whether everything has been played.
    public var isOver: Bool { saidBye }

    /// Appends every line that is due at `now` to `output`. The first call writes the hello and starts the clock.
    public mutating func appendDue(at now: Seconds, into output: inout [UInt8]) {
        if start == nil {
            start = now
            encoder.writeHello(
                detector: recording.hello?.detector ?? "replay", clock: .media, image: recording.frames.first?.size,
                framesPerSecond: speed / recording.period, to: &output)
        }
        if let deadline, now - deadline > Self.patience { start = now - (time(of: step) ?? lastTime) / speed }
        while let deadline, deadline <= now {
            guard let time = time(of: step), let index = index(of: step) else {
                encoder.writeBye(reason: "eof", to: &output)
                saidBye = true
                return
            }
            encoder.writeFrame(
                sequence: step, time: time / speed, detections: recording.frames[index].detections, to: &output)
            step += 1
        }
    }

    private var lastTime: Seconds { recording.duration }

    private func recorded(_ index: Int) -> Seconds { recording.frames[index].exposure - recording.frames[0].exposure }

    /// Returns the index of the frame for line `step` (0 is the first), or nil after the end.
    public func index(of step: Int) -> Int? {
        let count = recording.frames.count
        guard count > 0 else { return nil }
        switch loop {
        case .once: return step < count ? step : nil
        case .again: return step % count
        case .pingpong:
            guard count > 1 else { return 0 }
            let place = step % (2 * count - 2)
            return place < count ? place : 2 * count - 2 - place
        }
    }

    /// Returns when line `step` is due on the recording's own clock, in seconds from its start, or nil after the end.
    public func time(of step: Int) -> Seconds? {
        guard let index = index(of: step) else { return nil }
        let count = recording.frames.count
        switch loop {
        case .once: return recorded(index)
        case .again: return Double(step / count) * (recording.duration + recording.period) + recorded(index)
        case .pingpong:
            guard count > 1 else { return Double(step) * recording.period }
            let (turn, place) = (step / (2 * count - 2), step % (2 * count - 2))
            let within = place < count ? recorded(index) : 2 * recording.duration - recorded(index)
            return Double(turn) * 2 * recording.duration + within
        }
    }
}
