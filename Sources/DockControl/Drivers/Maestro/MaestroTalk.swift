internal import Geometry

/// Questions to the Maestro, one at a time: an answer is a number of bytes, and nothing marks where it begins.
struct MaestroTalk: Sendable {
    /// The question whose answer is pending.
    enum Question: Equatable, Sendable {
        case errors, pulses
        /// Length of the answer, bytes.
        var count: Int { self == .errors ? 2 : 4 }
    }

    /// A whole answer.
    struct Answer: Sendable, Equatable {
        let question: Question
        /// When the question was written.
        let askedAt: Seconds
        let words: [UInt16]
    }

    /// An answer that has not arrived after this time is given up, seconds; then no question is asked until the line is quiet.
    static let answerTime: Seconds = 0.08, drain: Seconds = 0.1

    private var asked: (question: Question, since: Seconds, until: Seconds)?
    private var bytes: [UInt8] = []
    /// No question is asked before this time.
    private(set) var quietUntil: Seconds = 0
    /// Number of bytes that belonged to no answer.
    private(set) var invalidBytes = 0
    private let baud: Seconds

    /// For a line of this speed, bits per second.
    init(baud: Int) {
        self.baud = Seconds(baud)
        bytes.reserveCapacity(4)
    }

    /// Until when the pending answer is waited for; nil: none is pending.
    var until: Seconds? { asked?.until }

    /// The Maestro is greeted again.
    mutating func restart() {
        asked = nil
        bytes.removeAll(keepingCapacity: true)
    }

    /// A question is being written. Returns until when its answer is waited for.
    mutating func ask(_ question: Question, now: Seconds) -> Seconds {
        bytes.removeAll(keepingCapacity: true)
        let until = now + Self.answerTime + Seconds(10 * (5 + question.count)) / baud
        asked = (question, now, until)
        return until
    }

    /// Gives up the pending answer. A late one would be mistaken for the answer to the next question.
    mutating func giveUp(now: Seconds) {
        invalidBytes += bytes.count
        restart()
        quietUntil = now + Self.drain
    }

    /// Records a byte. Returns the answer that it completes.
    mutating func receive(_ byte: UInt8, now: Seconds) -> Answer? {
        guard let asked else {
            // No question is pending: other bytes that are on their way are no answer either.
            invalidBytes += 1
            quietUntil = max(quietUntil, now + Self.answerTime / 2)
            return nil
        }
        bytes.append(byte)
        guard bytes.count == asked.question.count else { return nil }
        self.asked = nil
        let words = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        return Answer(question: asked.question, askedAt: asked.since, words: words)
    }
}
