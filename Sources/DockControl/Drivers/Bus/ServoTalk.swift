internal import Geometry

/// Questions to the servos, one at a time: the bus is half duplex, and nothing is written while an answer is pending.
enum ServoQuestion: Sendable, Equatable {
    /// Model and firmware of a servo.
    case identity(Int)
    /// Whether it is in position mode.
    case mode(Int)
    /// Writes limits and other settings.
    case write(Int, ServoWrite)
    /// Sets the goal to its position, so that torque comes on without a jerk.
    case pin(Int)
    case torque(Int, Bool)
    /// Whether its torque is off.
    case torqueState(Int)
    /// Details of its error bits.
    case faultDetail(Int)
    /// Positions of both.
    case feedback
    /// Position of one, for series that answer one by one.
    case feedbackOf(Int)

    var answers: Int { self == .feedback ? 2 : 1 }

    /// Whether the question switches the torque, or checks it.
    var isAboutTorque: Bool {
        switch self {
        case .pin, .torque, .torqueState: true
        default: false
        }
    }
}

/// The pending question and the planned ones, first come first served. A planned question stays in front until it is answered.
struct ServoTalk: Sendable {
    /// The question whose answer is pending.
    private(set) var asked: ServoQuestion?
    private(set) var until: Seconds = 0
    private var left = 0
    var plan: [ServoQuestion] = []
    /// How often the question in front has gone without an answer.
    private(set) var attempts = 0

    /// A servo answers within this time, seconds: an FTDI adapter with the default latency timer keeps the answer for 16 ms, and
    /// the system adds a little.
    static let answerTime: Seconds = 0.03
    /// A line may be slower (a network in between, a busy hub). During the greeting a servo has this time to answer, and its
    /// answer sets the patience.
    static let longestAnswerTime: Seconds = 0.15
    /// Time to wait for an answer, as measured, seconds.
    private(set) var patience = answerTime
    private var sentAt: Seconds = 0, wire: Seconds = 0

    mutating func ask(_ question: ServoQuestion, wire: Seconds, now: Seconds) {
        asked = question
        left = question.answers
        (sentAt, self.wire) = (now, wire)
        var each = patience
        if case .identity = question { each = Self.longestAnswerTime }
        until = now + wire + each * Seconds(left)
    }

    /// When the servos measured the values that arrived at `now`: midway between question and answer.
    func measured(now: Seconds) -> Seconds { now - wire / 2 - max(0, now - sentAt - wire) / 2 }

    /// Takes an answer; returns true if it was the last one to the question.
    mutating func answered(now: Seconds) -> Bool {
        left -= 1
        guard left <= 0, let question = asked else { return false }
        let late = now - sentAt - wire
        patience = max(patience, 1.5 * late).clamped(to: Self.answerTime...Self.longestAnswerTime)
        (asked, attempts) = (nil, 0)
        if plan.first == question { plan.removeFirst() }
        return true
    }

    /// The question whose time is over; nil: no question is pending, or it has time left.
    mutating func timedOut(now: Seconds) -> ServoQuestion? {
        guard let question = asked, now >= until else { return nil }
        asked = nil
        if plan.first == question { attempts += 1 }
        return question
    }
}
