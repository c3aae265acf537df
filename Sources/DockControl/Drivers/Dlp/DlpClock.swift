internal import DockWire
internal import Geometry

/// Maps the dock's microseconds to CLOCK_MONOTONIC and back, and schedules the clock comparisons.
struct DlpClock: Sendable {
    private static let burst = 8, burstInterval: Seconds = 0.05, interval: Seconds = 1

    private var unwrapping = DeviceClock()
    private var sync = ClockSync()
    private var asked = 0
    /// When the next comparison is due.
    private(set) var nextRequest: Seconds = 0

    /// Forgets everything. The next comparisons come in a burst.
    mutating func reset() {
        unwrapping.reset()
        sync.reset()
        asked = 0
        nextRequest = 0
    }

    /// Starts a comparison and returns its timestamp.
    mutating func begin(now: Seconds) -> UInt32 {
        asked += 1
        nextRequest = now + (asked < Self.burst ? Self.burstInterval : Self.interval)
        return UInt32(truncatingIfNeeded: Self.microseconds(now))
    }

    /// Processes an answer. Returns true if the dock's clock restarted.
    mutating func answer(host: UInt32, dock: UInt32, now: Seconds) -> Bool {
        let sample = unwrapping.unwrap(dock, hostMicroseconds: Self.microseconds(now))
        if sample.isNewEpoch, sync.count > 0 { return true }
        sync.record(echo: host, dock: sample.microseconds, hostMicroseconds: Self.microseconds(now))
        return false
    }

    /// Returns the CLOCK_MONOTONIC time for a dock time that arrived at `now`. Until the clocks have been compared, it
    /// is 5 ms before `now`.
    mutating func time(of dock: UInt32, now: Seconds) -> (time: Seconds, isNewEpoch: Bool) {
        let sample = unwrapping.unwrap(dock, hostMicroseconds: Self.microseconds(now))
        guard let offset = sync.offset, !sample.isNewEpoch else {
            return (now - 0.005, sync.count > 0 && sample.isNewEpoch)
        }
        // A report is never from the future. If one seems more than a second old, the clock is wrong.
        return ((Double(sample.microseconds &- offset) * 1e-6).clamped(to: now - 1...now), false)
    }

    /// Returns the CLOCK_MONOTONIC time of an event that the dock reports at `now`, perhaps long after it happened.
    func time(ofEarlier dock: UInt32, now: Seconds) -> Seconds {
        guard let offset = sync.offset, let place = unwrapping.place(dock) else { return now }
        return min(Double(place &- offset) * 1e-6, now)
    }

    /// Returns the dock's time at `now` for a set-point; 0 means unknown.
    func stamp(at now: Seconds) -> UInt32 { sync.sentMicroseconds(atHost: Self.microseconds(now)) }

    private static func microseconds(_ now: Seconds) -> Int64 { Int64((now * 1e6).clamped(to: 0...9e15)) }
}
