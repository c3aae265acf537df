internal import Geometry

/// Determines when a packet of sound was captured, on CLOCK_MONOTONIC. Pure.
///
/// A program that captures stamps its packets with Unix time, and pictures have CLOCK_MONOTONIC. The difference of both
/// clocks is read when packets arrive. Stamps jitter, and the crystal of a sound device is wrong by up to 500 ppm. So
/// the time runs on with the number of samples, and follows the stamps slowly.
struct SoundClock: Sendable, Equatable {
    /// A packet that deviates by more than this from the end of the one before follows a gap (50 ms).
    static let gap: Seconds = 0.05
    /// A larger change of the wall clock against CLOCK_MONOTONIC is no correction of a clock that runs well (20 ms).
    static let step: Seconds = 0.02
    /// How much of a deviation each packet corrects: with packets of 25 ms, the time constant is 1.25 s.
    static let share = 0.02
    /// A packet was captured at most this long ago (5 s), and not later than now, except for an error (1 s).
    static let oldest: Seconds = 5, newest: Seconds = 1

    /// CLOCK_REALTIME minus CLOCK_MONOTONIC, in seconds; nil before the first reading.
    private var offset: Seconds?
    private var now: Seconds = 0
    /// When the next packet begins if none is missing, CLOCK_MONOTONIC.
    private var next: Seconds?
    /// The readings in a row with another offset, and the packets in a row after which there seems to be a gap.
    private var steps = 0, gaps = 0

    /// Reads the clocks, at an arrival of packets.
    mutating func read(_ reading: ClockReading) throws(SoundFault) {
        now = reading.monotonic
        let found = reading.wall - reading.monotonic
        guard let known = offset else { return offset = found }
        guard abs(found - known) > Self.step else {
            steps = 0
            offset = known + Self.share * (found - known)
            return
        }
        // A pause of this thread between the clocks makes one reading wrong, not two.
        steps += 1
        if steps >= 2 { throw .clockSet }
    }

    /// Returns when the first sample of the next packet was captured, CLOCK_MONOTONIC.
    /// - Parameters:
    ///   - stamp: its Unix time, in seconds.
    ///   - samples: the number of samples in the packet.
    mutating func time(of stamp: Seconds, samples: Int) throws(SoundFault) -> Seconds {
        guard let offset else { throw .noTime }
        let found = stamp - offset
        guard found >= now - Self.oldest, found <= now + Self.newest else { throw .noTime }
        let time = settle(found)
        next = time + Seconds(samples) / Seconds(SoundSource.rate)
        return time
    }

    private mutating func settle(_ found: Seconds) -> Seconds {
        guard let next else { return found }
        let error = found - next
        guard abs(error) > Self.gap else {
            gaps = 0
            return next + Self.share * error
        }
        // One late stamp is no gap.
        gaps += 1
        guard gaps >= 2 else { return next }
        gaps = 0
        return found
    }
}
