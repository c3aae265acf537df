internal import Geometry

/// The position inquiries: when the next one is due, and when those without an answer were on the line.
struct ViscaPositions: Sendable, Equatable {
    /// When the next inquiry is due.
    private(set) var due: Seconds = 0
    /// A stop may come between an inquiry and its answer, so that there may be several.
    private var pending: [Seconds] = []
    private let baud: Seconds

    /// For a line of this speed, bits per second.
    init(baud: Int) { self.baud = Seconds(baud) }

    /// Time between inquiries, seconds: 10 a second at 9600 baud, 25 at 38400.
    private var interval: Seconds { 960 / baud.clamped(to: 9600...24000) }

    /// No inquiry is pending any more.
    mutating func forget() { pending.removeAll() }

    /// The next inquiry is due at this time.
    mutating func schedule(at time: Seconds) { due = time }

    /// An inquiry takes its turn now; the next one is due an interval later.
    mutating func begin(now: Seconds) { due = now + interval }

    /// An inquiry of this length (bytes) is on the line until its last byte.
    mutating func sent(length: Int, now: Seconds) { pending.append(now + Seconds(10 * length) / baud) }

    /// When the camera read the position that arrived `now`: between the last byte of the question and its eleven bytes of
    /// answer, about one frame. The middle is assumed.
    mutating func measured(now: Seconds) -> Seconds {
        let said = now - 110 / baud
        pending.removeAll { said - $0 > 2 * ViscaTalk.answerTime }
        let since = pending.isEmpty ? said : pending.removeFirst()
        return said - max(0, said - since) / 2
    }
}
