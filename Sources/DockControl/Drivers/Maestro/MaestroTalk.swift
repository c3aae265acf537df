internal import Geometry

/// The questions to the Maestro, one at a time. An answer is a fixed number of bytes, and nothing marks where it
/// begins.
struct MaestroTalk: Sendable {
    /// A question whose answer can be pending.
    enum Question: Equatable, Sendable {
        case errors, pulses
        /// The length of the answer, in bytes.
        var count: Int { self == .errors ? 2 : 4 }
    }

    /// A complete answer.
    struct Answer: Sendable, Equatable {
        let question: Question
        /// When the question was written.
        let askedAt: Seconds
        let words: [UInt16]
    }

    /// The time after which a missing answer is given up, in seconds, and the time without questions that follows until
    /// the line is quiet.
    static let answerTime: Seconds = 0.08, drain: Seconds = 0.1

    private var asked: (question: Question, since: Seconds, until: Seconds)?
    private var bytes: [UInt8] = []
    /// The time before which no question is asked.
    private(set) var quietUntil: Seconds = 0
    /// The number of bytes that belonged to no answer.
    private(set) var invalidBytes = 0
    private let baud: Seconds

    /// Creates the talk for a line of this speed, in bits per second.
    init(baud: Int) {
        self.baud = Seconds(baud)
        bytes.reserveCapacity(4)
    }

    /// The time until which the pending answer is awaited, or nil if none is pending.
    var until: Seconds? { asked?.until }

    /// Starts again: the Maestro is greeted.
    mutating func restart() {
        asked = nil
        bytes.removeAll(keepingCapacity: true)
    }

    /// Records that a question is being written. Returns the time until which its answer is awaited.
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
            // No question is pending. Other bytes on their way do not belong to an answer either.
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
