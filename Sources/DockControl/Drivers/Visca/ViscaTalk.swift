internal import Geometry

/// A packet whose answer may be pending. The first five are the greeting, in this order.
enum ViscaQuestion: Int, Equatable, Sendable {
    case addresses, clear, version, power, position, drive, stop, zoom

    /// Whether it is a command, and not a question about the camera.
    var isCommand: Bool { self == .drive || self == .stop || self == .zoom }
}

/// The pending packet: one at a time. Only a stop never waits.
struct ViscaTalk: Sendable {
    /// A camera begins to answer within this time, seconds: one or two frames, and the delay of a USB adapter.
    static let answerTime: Seconds = 0.09
    /// Pause after a refusal, seconds: the camera's buffer is full, or it cannot execute the command at this moment.
    static let busyPause: Seconds = 0.04, refusedPause: Seconds = 0.2

    /// What is pending; nil: nothing.
    private(set) var question: ViscaQuestion?
    /// Until when its answer is waited for.
    private(set) var until: Seconds = 0
    /// Nothing but a stop is sent before this time.
    private(set) var pauseUntil: Seconds = 0
    /// The camera sends acknowledgements: only these then count as answers to commands.
    private var acknowledges = false

    /// The camera is greeted again.
    mutating func restart() { (question, acknowledges) = (nil, false) }

    /// A packet is pending until this time.
    mutating func ask(_ question: ViscaQuestion, until time: Seconds) { (self.question, until) = (question, time) }

    /// The pending packet was answered.
    mutating func answered() { question = nil }

    /// The packet whose time is over; nil: none is pending, or it has time left.
    mutating func timedOut(now: Seconds) -> ViscaQuestion? {
        guard let question, now >= until else { return nil }
        self.question = nil
        return question
    }

    /// Nothing is pending, and no pause lasts.
    func isFree(now: Seconds) -> Bool { question == nil && now >= pauseUntil }

    /// An acknowledgement arrived.
    mutating func acknowledged() { acknowledges = true }

    /// Whether the end of a command is its answer. Some cameras send nothing else; otherwise, an earlier command may have ended.
    var isCompletionAnswer: Bool { !acknowledges }

    /// The camera refused a packet: nothing is sent for a while.
    mutating func pause(now: Seconds, isBusy: Bool) { pauseUntil = now + (isBusy ? Self.busyPause : Self.refusedPause) }
}
