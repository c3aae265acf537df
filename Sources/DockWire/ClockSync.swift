/// Determines the dock's time at a time of the host's clock, from the answers to TIME_SYNC; for the host.
///
/// Of the last 16 answers the one with the shortest round trip counts, because it was delayed least. The dock's reading
/// is assigned to the middle of the round trip.
public struct ClockSync: Sendable {
    private struct Answer {
        var offset: Int64
        var roundTrip: Int64
    }

    private var answers = InlineArray<16, Answer>(repeating: Answer(offset: 0, roundTrip: 0))
    private var next = 0
    private var best: Answer?
    /// Number of stored answers, 0...16.
    public private(set) var count = 0

    /// A synchronisation without answers.
    public init() {}

    /// Discards all answers, as after a boot of the dock.
    public mutating func reset() {
        count = 0
        next = 0
        best = nil
    }

    /// Takes an answer that arrived at `hostMicroseconds` of the host's monotonic clock.
    ///
    /// `echo` is the host's time that came back, `dock` the dock's time unwrapped by a ``DeviceClock``. An answer with
    /// a round trip of more than 10 s, or a negative one, does not belong to this host and is ignored.
    public mutating func record(echo: UInt32, dock: Int64, hostMicroseconds: Int64) {
        let roundTrip = Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: hostMicroseconds) &- echo))
        guard (0...10_000_000).contains(roundTrip) else { return }
        answers[next] = Answer(offset: dock &- (hostMicroseconds &- roundTrip / 2), roundTrip: roundTrip)
        next = (next + 1) % 16
        count = min(count + 1, 16)
        // Answers are rarer than set-points, so the search is done here.
        var shortest = answers[0]
        for index in 1..<max(count, 1) where answers[index].roundTrip < shortest.roundTrip { shortest = answers[index] }
        best = shortest
    }

    /// The dock's time minus the host's, microseconds; nil without an answer. The error is at most half of
    /// ``roundTrip``.
    public var offset: Int64? { best?.offset }

    /// The shortest round trip of the last 16, microseconds; nil without an answer.
    public var roundTrip: Int64? { best?.roundTrip }

    /// The send time that a set-point must carry at this time of the host's clock; 0 (unknown) without an answer.
    public func sentMicroseconds(atHost hostMicroseconds: Int64) -> UInt32 {
        guard let offset else { return 0 }
        return max(UInt32(truncatingIfNeeded: hostMicroseconds &+ offset), 1)
    }
}
