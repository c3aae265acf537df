internal import DockWire
internal import Geometry

/// Maps the dock's microseconds to CLOCK_MONOTONIC: of the last 16 questions and answers the one with the shortest round
/// trip tells the offset, since it waited least in queues.
struct DlpClock: Sendable {
    private struct Exchange {
        var roundTrip: Seconds
        var offset: Seconds  // dock time - host time
    }

    private static let kept = 16
    private static let burst = 8, burstInterval: Seconds = 0.05, interval: Seconds = 1

    private var unwrapping = DeviceClock()
    private var exchanges: [Exchange] = []
    private var asked = 0
    private var offset: Seconds?
    /// When the next question is due.
    private(set) var nextRequest: Seconds = 0

    init() { exchanges.reserveCapacity(Self.kept) }

    /// Forgets everything; the next questions come as a burst.
    mutating func reset() {
        unwrapping.reset()
        exchanges.removeAll(keepingCapacity: true)
        asked = 0
        offset = nil
        nextRequest = 0
    }

    /// Shortest round trip of the last exchanges, seconds.
    var roundTrip: Seconds? { exchanges.min { $0.roundTrip < $1.roundTrip }?.roundTrip }

    /// A question goes out now; its stamp.
    mutating func begin(now: Seconds) -> UInt32 {
        asked += 1
        nextRequest = now + (asked < Self.burst ? Self.burstInterval : Self.interval)
        return Self.stamp(now)
    }

    /// An answer came. True: the dock's clock started anew.
    mutating func answer(host: UInt32, dock: UInt32, now: Seconds) -> Bool {
        let roundTrip = Double(Self.stamp(now) &- host) * 1e-6
        guard roundTrip < 1 else { return false }  // an answer to somebody else's question
        let sample = unwrapping.unwrap(dock, hostMicroseconds: Self.microseconds(now))
        if sample.isNewEpoch, offset != nil { return true }
        if exchanges.count == Self.kept { exchanges.removeFirst() }
        exchanges.append(
            Exchange(roundTrip: roundTrip, offset: Double(sample.microseconds) * 1e-6 - (now - roundTrip / 2)))
        offset = exchanges.min { $0.roundTrip < $1.roundTrip }?.offset
        return false
    }

    /// CLOCK_MONOTONIC of a dock time that arrived at `now`; before the clocks are compared: 5 ms ago.
    mutating func time(of dock: UInt32, now: Seconds) -> (time: Seconds, isNewEpoch: Bool) {
        let known = offset != nil
        let sample = unwrapping.unwrap(dock, hostMicroseconds: Self.microseconds(now))
        guard let offset, !sample.isNewEpoch else { return (now - 0.005, known && sample.isNewEpoch) }
        // A report is never from the future, and one from long ago is a clock gone wrong.
        return ((Double(sample.microseconds) * 1e-6 - offset).clamped(to: now - 1...now), false)
    }

    /// The dock's time at `now`; nil before the clocks are compared. 0 means "unknown" on the wire and is avoided.
    func dockMicroseconds(at now: Seconds) -> UInt32? {
        guard let offset else { return nil }
        return max(1, UInt32(truncatingIfNeeded: Int64(((now + offset) * 1e6).clamped(to: 0...9e15))))
    }

    private static func microseconds(_ now: Seconds) -> Int64 { Int64((now * 1e6).clamped(to: 0...9e15)) }
    private static func stamp(_ now: Seconds) -> UInt32 { UInt32(truncatingIfNeeded: microseconds(now)) }
}
