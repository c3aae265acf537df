internal import Geometry

/// What is asked of the servos, one question at a time: the bus is half duplex, and nothing is written while an answer is out.
enum ServoQuestion: Sendable, Equatable {
    /// Who it is.
    case identity(Int)
    /// Whether it follows places.
    case mode(Int)
    /// Limits and such.
    case write(Int, ServoWrite)
    /// Its goal is where it stands: torque comes on without a snap.
    case pin(Int)
    case torque(Int, Bool)
    /// Whether its torque is off.
    case torqueState(Int)
    /// What its error bits are about.
    case faultDetail(Int)
    /// Where both stand.
    case feedback
    /// Where one stands, for series that answer one by one.
    case feedbackOf(Int)

    var answers: Int { self == .feedback ? 2 : 1 }

    /// It switches the torque, or sees to it.
    var isAboutTorque: Bool {
        switch self {
        case .pin, .torque, .torqueState: true
        default: false
        }
    }
}

/// The questions: the one that is out, and those that must be asked, first come first. One stays in front until it is answered.
struct ServoTalk: Sendable {
    /// Its answer is out.
    private(set) var asked: ServoQuestion?
    private(set) var until: Seconds = 0
    private var left = 0
    var plan: [ServoQuestion] = []
    /// How often the one in front has gone without an answer.
    private(set) var attempts = 0

    /// A servo that answers does so within this, seconds: an FTDI adapter keeps it for 16 ms where nobody has set its latency
    /// timer, and the system adds a little.
    static let answerTime: Seconds = 0.03
    /// A line may be slower (a network between, a busy hub): whoever is greeted has so long, and by when he answers the patience with
    /// him is measured.
    static let longestAnswerTime: Seconds = 0.15
    /// As it was measured.
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

    /// When the servos measured what has come at `now`: in the middle between question and answer.
    func measured(now: Seconds) -> Seconds { now - wire / 2 - max(0, now - sentAt - wire) / 2 }

    /// An answer has come; true: it was the last one of the question.
    mutating func answered(now: Seconds) -> Bool {
        left -= 1
        guard left <= 0, let question = asked else { return false }
        let late = now - sentAt - wire
        patience = max(patience, 1.5 * late).clamped(to: Self.answerTime...Self.longestAnswerTime)
        (asked, attempts) = (nil, 0)
        if plan.first == question { plan.removeFirst() }
        return true
    }

    /// Its time is over: the question, nil where there is none or more time.
    mutating func timedOut(now: Seconds) -> ServoQuestion? {
        guard let question = asked, now >= until else { return nil }
        asked = nil
        if plan.first == question { attempts += 1 }
        return question
    }
}
