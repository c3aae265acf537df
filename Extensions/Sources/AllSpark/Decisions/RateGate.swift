internal import Geometry

/// Bounds how often a server gets its will: at most 120 requests in any minute. Others are refused.
struct RateGate: Sendable, Equatable {
    static let period: Seconds = 60, most = 120

    /// When requests were admitted, oldest first; at most `most`.
    private var times: [Seconds] = []

    /// Whether a request may be followed now.
    mutating func admits(now: Seconds) -> Bool {
        times.removeAll { now - $0 >= Self.period }
        guard times.count < Self.most else { return false }
        times.append(now)
        return true
    }
}
