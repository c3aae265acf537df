internal import Geometry

/// A time as it is written in a message: Unix seconds with at most six decimals. What is signed must be the same text
/// as what is sent, so the text is made once.
public struct WireTime: Sendable, Equatable {
    /// The time in microseconds since 1970, UTC.
    public let microseconds: Int

    /// Rounds Unix seconds to a microsecond. Times before 1970, and those beyond the year 10000, become the nearest one.
    public init(unix: Double) {
        let limited = unix.isFinite ? min(max(unix, 0), 253_402_300_800) : 0
        microseconds = Int((limited * 1e6).rounded())
    }

    /// The time in Unix seconds.
    public var unix: Double { Double(microseconds) / 1e6 }

    /// The text: `1704067200.123`, or `1704067200` for a whole second.
    public var text: String {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        guard rest > 0 else { return String(seconds) }
        let digits = String(rest)
        var decimals = String(repeating: "0", count: 6 - digits.utf8.count) + digits
        while decimals.last == "0" { decimals.removeLast() }
        return "\(seconds).\(decimals)"
    }
}
