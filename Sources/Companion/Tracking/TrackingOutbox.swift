internal import FaceTracker
internal import Geometry

/// The results for other threads, which are kept until the loop has written.
struct TrackingOutbox {
    /// Receives frames and events on the loop thread. Its closures must not block.
    struct Listener: Sendable {
        var onFrame: @Sendable (TrackedFrame) -> Void
        var onEvent: @Sendable (TrackingEvent) -> Void
        /// Receives the answers of a detector that the loop itself reads, if a program wants them.
        var answers: AnswerTap?
    }

    private let listener: Listener
    private var frames: [TrackedFrame] = []
    private var events: [TrackingEvent] = []
    private var answers: [DetectorAnswer] = []

    /// The maximum number of frames and of events that wait to be published.
    static let bound = 64

    init(_ listener: Listener) {
        self.listener = listener
        frames.reserveCapacity(Self.bound)
    }

    /// Keeps a frame. Further ones displace the oldest.
    mutating func add(_ frame: TrackedFrame) {
        if frames.count == Self.bound { frames.removeFirst() }
        frames.append(frame)
    }

    /// Keeps an event. If too many are kept, they are published at once, because no event may be lost, and one could be
    /// a `stop`.
    mutating func add(_ event: TrackingEvent) {
        if events.count == Self.bound {
            for event in events { listener.onEvent(event) }
            events.removeAll(keepingCapacity: true)
        }
        events.append(event)
    }

    /// Whether a program wants the detector's answers.
    var wantsAnswers: Bool { listener.answers?.isWanted ?? false }

    /// Keeps a detector's answer. Further ones displace the oldest.
    mutating func add(_ answer: DetectorAnswer) {
        if answers.count == Self.bound { answers.removeFirst() }
        answers.append(answer)
    }

    /// Passes on everything: first the events, then the frames.
    mutating func publish() {
        for event in events { listener.onEvent(event) }
        events.removeAll(keepingCapacity: true)
        for frame in frames { listener.onFrame(frame) }
        frames.removeAll(keepingCapacity: true)
        guard !answers.isEmpty else { return }
        for answer in answers { listener.answers?.tell(answer) }
        answers.removeAll(keepingCapacity: true)
    }
}
