/// Converts the dock's microseconds modulo 2^32 to a time that never wraps; for the host.
///
/// The signed 32-bit difference to the last sample is the time that has passed. After more than 30 minutes of silence,
/// or if the dock's time goes back by more than one second, the difference is meaningless. A new epoch starts, to be
/// treated as a boot.
public struct DeviceClock: Sendable {
    /// An unwrapped sample.
    public struct Sample: Sendable, Equatable {
        /// Microseconds since the epoch's first sample modulo 2^32. It continues over every wrap.
        public var microseconds: Int64
        /// Whether earlier times cannot be compared with it.
        public var isNewEpoch: Bool
    }

    /// Longest silence over which the difference is valid, microseconds: 30 of the 35.8 min that it can represent.
    public static let longestSilence: Int64 = 1_800_000_000

    private var last: UInt32?
    private var lastHost: Int64 = 0
    private var total: Int64 = 0

    /// A clock without samples.
    public init() {}

    /// Discards all samples, as after a reconnect.
    public mutating func reset() { last = nil }

    /// Unwraps a sample of the dock that arrived at `hostMicroseconds` of the host's monotonic clock.
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

    /// Unwraps the time of an earlier moment, as events report it until they are acknowledged, without advancing the
    /// clock. nil before the first sample.
    public func place(_ sample: UInt32) -> Int64? {
        last.map { total &+ Int64(Int32(bitPattern: sample &- $0)) }
    }

    private mutating func begin(_ sample: UInt32) -> Sample {
        total = Int64(sample)
        return Sample(microseconds: total, isNewEpoch: true)
    }
}
