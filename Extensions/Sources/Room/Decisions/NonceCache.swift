internal import Geometry

/// The numbers that clients have signed, each of which counts once. Only numbers with a right signature get here, so an
/// attacker cannot fill it.
struct NonceCache: Sendable, Equatable {
    /// How long a number is remembered, in seconds: longer than a signature is valid.
    static let lifetime: Seconds = 150
    /// The most numbers. When they are full, no one is accepted until some are forgotten.
    static let most = 4_096

    private var used: [String: Seconds] = [:]

    /// Whether a number may be used now. It is used up then.
    mutating func use(_ nonce: String, now: Seconds) -> Bool {
        if used.count >= Self.most { used = used.filter { now - $0.value < Self.lifetime } }
        if let time = used[nonce], now - time < Self.lifetime { return false }
        guard used.count < Self.most else { return false }
        used[nonce] = now
        return true
    }
}
