/// Makes a time that never wraps out of the dock's microseconds modulo 2^32; for the host.
///
/// The signed 32-bit difference to the last sample is what has passed. After more than 30 minutes of silence, or if
/// the dock's time goes more than one second backward, nothing is known any more: a new epoch, to be treated as a boot.
public struct DeviceClock: Sendable {
    /// A sample, unwrapped.
    public struct Sample: Sendable, Equatable {
        /// Microseconds since the epoch's first sample modulo 2^32; goes on over every wrap.
        public var microseconds: Int64
        /// Whether times before it do not compare with it.
        public var isNewEpoch: Bool
    }

    /// Longest silence over which the difference is still trusted, microseconds: 30 min of the 35.8 that it can tell.
    public static let longestSilence: Int64 = 1_800_000_000

    private var last: UInt32?
    private var lastHost: Int64 = 0
    private var total: Int64 = 0

    /// A clock that has seen nothing.
    public init() {}

    /// Forgets everything, as after a reconnect.
    public mutating func reset() { last = nil }

    /// Unwraps a sample of the dock that arrived at `hostMicroseconds` of the host's own monotonic clock.
    public mutating func unwrap(_ sample: UInt32, hostMicroseconds: Int64) -> Sample {
        defer {
            last = sample
            lastHost = hostMicroseconds
        }
        guard let last, hostMicroseconds &- lastHost <= Self.longestSilence else { return begin(sample) }
        let passed = Int32(bitPattern: sample &- last)
        guard passed >= -1_000_000 else { return begin(sample) }
        total &+= Int64(passed)
        return Sample(microseconds: total, isNewEpoch: false)
    }

    /// Where a moment lies that the dock tells of later, as it does of events until they are acknowledged; it is not taken for
    /// the present. nil: the clock has seen nothing.
    public func place(_ sample: UInt32) -> Int64? {
        last.map { total &+ Int64(Int32(bitPattern: sample &- $0)) }
    }

    private mutating func begin(_ sample: UInt32) -> Sample {
        total = Int64(sample)
        return Sample(microseconds: total, isNewEpoch: true)
    }
}
