internal import Geometry

/// A question to the servos. There is one at a time: the bus is half duplex, and nothing is written while an answer is
/// pending.
enum ServoQuestion: Sendable, Equatable {
    /// The model and firmware of a servo.
    case identity(Int)
    /// A part of the settings that a servo keeps.
    case memory(Int, ServoMemory)
    /// Whether it is in position mode.
    case mode(Int)
    /// A write of limits or other settings.
    case write(Int, ServoWrite)
    /// A write that sets the goal to the servo's position, so that torque comes on without a jerk.
    case pin(Int)
    case torque(Int, Bool)
    /// Whether its torque is off.
    case torqueState(Int)
    /// The details of its error bits.
    case faultDetail(Int)
    /// The positions of both servos.
    case feedback
    /// The position of one servo, for series that answer one by one.
    case feedbackOf(Int)

    /// The servos that answer, as bits.
    var servos: UInt8 {
        switch self {
        case .identity(let index), .memory(let index, _), .mode(let index), .write(let index, _), .pin(let index),
            .torque(let index, _), .torqueState(let index), .faultDetail(let index), .feedbackOf(let index):
            1 << UInt8(index)
        case .feedback: 0b11
        }
    }
    var answers: Int { self == .feedback ? 2 : 1 }

    /// Whether the question is about the settings that a servo keeps.
    var isAboutMemory: Bool { if case .memory = self { true } else { false } }

    /// Whether the question is about the details of error bits.
    var isAboutFault: Bool { if case .faultDetail = self { true } else { false } }

    /// Whether the question sets a limit or another setting.
    var isWrite: Bool { if case .write = self { true } else { false } }

    /// Whether the question switches the torque on.
    var switchesOn: Bool { if case .torque(_, true) = self { true } else { false } }

    /// Whether the question switches or checks the torque.
    var isAboutTorque: Bool {
        switch self {
        case .pin, .torque, .torqueState: true
        default: false
        }
    }
}

/// The pending question and the planned ones, in first-come, first-served order. A planned question stays in front
/// until it is answered.
struct ServoTalk: Sendable {
    /// The question whose answer is pending.
    private(set) var asked: ServoQuestion?
    private(set) var until: Seconds = 0
    /// The servos whose answers are missing, as bits.
    private var missing: UInt8 = 0
    var plan: [ServoQuestion] = []
    /// How many times the planned question in front has not been answered.
    private(set) var attempts = 0
    /// The question that `attempts` counts.
    private var tried: ServoQuestion?

    /// The time within which a servo answers, in seconds: an FTDI adapter with the default latency timer keeps the
    /// answer for 16 ms, and the system adds a little.
    static let answerTime: Seconds = 0.03
    /// The time that a servo has to answer during the greeting, because a line may be slower (a network in between, a
    /// busy hub). Its answer sets the patience.
    static let longestAnswerTime: Seconds = 0.15
    /// The time to wait for an answer, in seconds, as measured.
    private(set) var patience = answerTime
    private var sentAt: Seconds = 0, wire: Seconds = 0

    mutating func ask(_ question: ServoQuestion, wire: Seconds, now: Seconds) {
        asked = question
        missing = question.servos
        (sentAt, self.wire) = (now, wire)
        var each = patience
        if case .identity = question { each = Self.longestAnswerTime }
        until = now + wire + each * Seconds(question.answers)
    }

    /// Returns when the servos measured the values that arrived at `now`: midway between question and answer.
    func measured(now: Seconds) -> Seconds { now - wire / 2 - max(0, now - sentAt - wire) / 2 }

    /// Processes an answer of a servo. Returns true if it was the last one to the question.
    mutating func answered(by index: Int, now: Seconds) -> Bool {
        missing &= ~(1 << UInt8(index))
        guard missing == 0, let question = asked else { return false }
        let late = now - sentAt - wire
        patience = max(patience, 1.5 * late).clamped(to: Self.answerTime...Self.longestAnswerTime)
        asked = nil
        // Readings come between the attempts at a planned question, and are not its answer.
        if plan.first == question { skip() }
        return true
    }

    /// Removes the planned question in front, which was answered or need not be.
    mutating func skip() {
        if !plan.isEmpty { plan.removeFirst() }
        (tried, attempts) = (nil, 0)
    }

    /// Returns the question whose time is over, or nil if no question is pending or it has time left.
    mutating func timedOut(now: Seconds) -> ServoQuestion? {
        guard let question = asked, now >= until else { return nil }
        asked = nil
        if plan.first == question { (tried, attempts) = (question, tried == question ? attempts + 1 : 1) }
        return question
    }
}
