internal import Geometry

/// Which sound a chunk has: from its first frame to the end of its last one, to the sample. Pure.
///
/// Pictures never wait for sound. What is not there a second later is silent.
struct SoundTrack: Sendable, Equatable {
    /// Sound of the chunk, in one piece.
    struct Block: Sendable, Equatable {
        /// Since the beginning of the chunk, in seconds.
        var time: Seconds
        /// Samples of 16 bits, little-endian.
        var bytes: [UInt8]
    }

    /// The samples for which it waits (1 s), the most in a block (1 s), and the least (20 ms).
    static let patience = SoundSource.rate, most = SoundSource.rate, least = SoundSource.rate / 50

    /// The number of the sample at the first frame.
    private let start: Int
    /// The number of the sample that follows.
    private var next: Int

    /// Creates the track of a chunk whose first frame has this exposure, CLOCK_MONOTONIC.
    init(from exposure: Seconds) {
        start = SoundRing.index(exposure)
        next = start
    }

    /// Takes sound that can be written now; nil if there is none.
    /// - Parameters:
    ///   - time: the exposure of the chunk's last frame so far, or the end of the chunk; CLOCK_MONOTONIC.
    ///   - isEnd: the chunk ends at this time. Nothing is waited for.
    mutating func take(until time: Seconds, isEnd: Bool = false, from ring: SoundRing) -> Block? {
        let goal = SoundRing.index(time)
        let known = min(ring.end ?? start, goal), forced = isEnd ? goal : goal - Self.patience
        let end = min(max(known, forced), next + Self.most)
        guard end > next, isEnd || end - next >= Self.least else { return nil }
        defer { next = end }
        return Block(time: Seconds(next - start) / Seconds(SoundSource.rate), bytes: ring.bytes(next..<end))
    }
}
