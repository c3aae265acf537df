internal import Geometry

/// Bounds how often one machine may be refused: after that, its connections are closed at once for a while.
struct FailureGate: Sendable, Equatable {
    static let period: Seconds = 60, most = 20
    /// The most machines that are remembered; the ones that were refused longest ago go first.
    static let mostAddresses = 256

    private var failures: [String: [Seconds]] = [:]

    /// Records a refusal.
    mutating func failed(_ address: String, now: Seconds) {
        if failures[address] == nil, failures.count >= Self.mostAddresses,
            let oldest = failures.min(by: { ($0.value.last ?? 0) < ($1.value.last ?? 0) })?.key
        {
            failures[oldest] = nil
        }
        failures[address] = (failures[address] ?? []).filter { now - $0 < Self.period } + [now]
    }

    /// Whether a machine may try.
    func admits(_ address: String, now: Seconds) -> Bool {
        (failures[address] ?? []).count { now - $0 < Self.period } < Self.most
    }
}
