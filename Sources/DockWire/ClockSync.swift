/// Finds what the dock's clock shows at a time of the host's clock, from the answers to TIME_SYNC; for the host.
///
/// Of the last 16 answers the one with the shortest round trip counts: it was delayed least by chance. The dock's
/// reading is taken for the middle of the round trip.
public struct ClockSync: Sendable {
    private struct Answer {
        var offset: Int64
        var roundTrip: Int64
    }

    private var answers = InlineArray<16, Answer>(repeating: Answer(offset: 0, roundTrip: 0))
    private var next = 0
    private var best: Answer?
    /// How many answers it knows, 0...16.
    public private(set) var count = 0

    /// A synchronisation that knows nothing.
    public init() {}

    /// Forgets everything, as after a boot of the dock.
    public mutating func reset() {
        count = 0
        next = 0
        best = nil
    }

    /// Takes an answer that arrived at `hostMicroseconds` of the host's monotonic clock.
    ///
    /// `echo` is the host's time that came back, `dock` the dock's time unwrapped by a ``DeviceClock``. An answer that
    /// would have been under way for more than 10 s, or negative time, is none of ours and not taken.
    public mutating func take(echo: UInt32, dock: Int64, hostMicroseconds: Int64) {
        let roundTrip = Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: hostMicroseconds) &- echo))
        guard (0...10_000_000).contains(roundTrip) else { return }
        answers[next] = Answer(offset: dock &- (hostMicroseconds &- roundTrip / 2), roundTrip: roundTrip)
        next = (next + 1) % 16
        count = min(count + 1, 16)
        // Answers are rare and set-points are not: searched here.
        var shortest = answers[0]
        for index in 1..<max(count, 1) where answers[index].roundTrip < shortest.roundTrip { shortest = answers[index] }
        best = shortest
    }

    /// The dock's time minus the host's, microseconds; nil without an answer. Wrong by at most half of ``roundTrip``.
    public var offset: Int64? { best?.offset }

    /// The shortest round trip of the last 16, microseconds; nil without an answer.
    public var roundTrip: Int64? { best?.roundTrip }

    /// What a set-point sent at this time of the host's clock must carry; 0 (unknown) without an answer.
    public func sentMicroseconds(atHost hostMicroseconds: Int64) -> UInt32 {
        guard let offset else { return 0 }
        return max(UInt32(truncatingIfNeeded: hostMicroseconds &+ offset), 1)
    }
}
