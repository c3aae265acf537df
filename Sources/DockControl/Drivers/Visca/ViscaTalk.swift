internal import Geometry

/// A packet whose answer may be pending. The first five cases form the greeting, in this order.
enum ViscaQuestion: Int, Equatable, Sendable {
    case addresses, clear, version, power, position, drive, stop, zoom, lens

    /// Whether it is a command, and not a question about the camera.
    var isCommand: Bool { self == .drive || self == .stop || self == .zoom }
}

/// The pending packet. There is one at a time, but a stop never waits.
struct ViscaTalk: Sendable {
    /// The time within which a camera begins to answer, in seconds: one or two frames, and the delay of a USB adapter.
    static let answerTime: Seconds = 0.09
    /// The pauses after a refusal, in seconds: the camera's buffer is full, or the camera cannot execute the command at
    /// the moment.
    static let busyPause: Seconds = 0.04, refusedPause: Seconds = 0.2

    /// The pending packet, or nil if none is pending.
    private(set) var question: ViscaQuestion?
    /// The time until which its answer is awaited.
    private(set) var until: Seconds = 0
    /// The time before which nothing but a stop is sent.
    private(set) var pauseUntil: Seconds = 0
    /// Whether the camera sends acknowledgements. If so, only these count as answers to commands.
    private var acknowledges = false

    /// Starts again: the camera is greeted.
    mutating func restart() { (question, acknowledges) = (nil, false) }

    /// Records that a packet is pending until this time.
    mutating func ask(_ question: ViscaQuestion, until time: Seconds) { (self.question, until) = (question, time) }

    /// Records that the pending packet was answered.
    mutating func answered() { question = nil }

    /// Returns the packet whose time is over, or nil if none is pending or it has time left.
    mutating func timedOut(now: Seconds) -> ViscaQuestion? {
        guard let question, now >= until else { return nil }
        self.question = nil
        return question
    }

    /// Returns whether nothing is pending and no pause is in effect.
    func isFree(now: Seconds) -> Bool { question == nil && now >= pauseUntil }

    /// Records that an acknowledgement arrived.
    mutating func acknowledged() { acknowledges = true }

    /// Whether the end of a command is its answer. Some cameras send nothing else. With other cameras, it may be the
    /// end of an earlier command.
    var isCompletionAnswer: Bool { !acknowledges }

    /// Records that the camera refused a packet. Nothing is sent for a while.
    mutating func pause(now: Seconds, isBusy: Bool) { pauseUntil = now + (isBusy ? Self.busyPause : Self.refusedPause) }
}
