public import Geometry

/// Bounds the number of lines, as a pure value: at most 200 in any second. Others are counted.
public struct FloodGate: Sendable, Equatable {
    /// The maximum number of lines in a second.
    public static let most = 200
    /// How many of them are only for grave records, so that a flood of events hides no fault.
    public static let reserve = 20

    /// When the last lines passed, CLOCK_MONOTONIC, oldest first; at most `most`.
    private var times: [Seconds] = []
    private var held = 0
    private var heldSince: Seconds?

    /// Creates a gate through which no line has passed.
    public init() {}

    /// Whether a record of this kind may pass. If not, it is counted.
    public mutating func admits(_ kind: LogKind, now: Seconds) -> Bool {
        times.removeAll { now - $0 >= 1 }
        guard times.count < (kind.weight == .grave ? Self.most : Self.most - Self.reserve) else {
            hold(1, now: now)
            return false
        }
        times.append(now)
        return true
    }

    /// Counts records that were lost elsewhere.
    public mutating func hold(_ count: Int, now: Seconds) {
        guard count > 0 else { return }
        // The number may come from elsewhere.
        let (sum, isTooMuch) = held.addingReportingOverflow(count)
        held = isTooMuch ? .max : sum
        heldSince = heldSince ?? now
    }

    /// Returns how many lines were held back in the last second or more, or nil if there is none to report yet.
    public mutating func due(now: Seconds) -> Int? {
        guard let since = heldSince, now - since >= 1 else { return nil }
        return end()
    }

    /// Returns how many lines were held back, or nil if none was.
    public mutating func end() -> Int? {
        defer { (held, heldSince) = (0, nil) }
        return held > 0 ? held : nil
    }
}
