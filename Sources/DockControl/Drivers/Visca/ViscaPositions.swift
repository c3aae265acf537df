internal import Geometry

/// The position inquiries: when the next one is due, and when the unanswered ones were on the line.
struct ViscaPositions: Sendable, Equatable {
    /// When the next inquiry is due.
    private(set) var due: Seconds = 0
    /// The times of the pending inquiries. A stop may come between an inquiry and its answer, so there may be several.
    private var pending: [Seconds] = []
    private let baud: Seconds

    /// Creates the inquiries for a line of this speed, in bits per second.
    init(baud: Int) { self.baud = Seconds(baud) }

    /// The time between inquiries, in seconds: 10 a second at 9600 baud, 25 at 38400.
    private var interval: Seconds { 960 / baud.clamped(to: 9600...24000) }

    /// Forgets the pending inquiries.
    mutating func forget() { pending.removeAll() }

    /// Schedules the next inquiry for this time.
    mutating func schedule(at time: Seconds) { due = time }

    /// Begins an inquiry. The next one is due an interval later.
    mutating func begin(now: Seconds) { due = now + interval }

    /// Records that an inquiry of this length (bytes) is on the line until its last byte.
    mutating func sent(length: Int, now: Seconds) { pending.append(now + Seconds(10 * length) / baud) }

    /// Returns when the camera read the position that arrived at `now`: between the last byte of the question and the
    /// eleven bytes of the answer, about one frame. The middle is assumed.
    mutating func measured(now: Seconds) -> Seconds {
        let said = now - 110 / baud
        pending.removeAll { said - $0 > 2 * ViscaTalk.answerTime }
        let since = pending.isEmpty ? said : pending.removeFirst()
        return said - max(0, said - since) / 2
    }
}
