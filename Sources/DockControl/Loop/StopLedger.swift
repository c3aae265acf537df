internal import Geometry

/// The stops that the loop still has to send to the dock.
///
/// A single stop may be truncated or lost on a bad line, and not every dock has a deadman timer. So the stop that ends
/// a motion is written twice, a stop that was written at once is repeated twice, and a truncated message makes it due
/// again. The ledger only decides: the loop encodes and writes.
struct StopLedger: Sendable, Equatable {
    /// The kinds of messages among the bytes of this turn.
    struct Frames: OptionSet, Sendable {
        let rawValue: UInt8
        static let setpoint = Frames(rawValue: 1), stop = Frames(rawValue: 2)
    }

    /// The number of further stops when a motion ends, or after a stop that was written at once.
    static let repeats = 2
    /// The interval between stops to a dock that has no deadman timer and is not ready yet, in seconds.
    static let interval: Seconds = 0.5

    /// Whether the last set-point turned an axis, or a stop is still due. If so, the loop must continue to write.
    private(set) var isMoving = false
    /// The number of stops still to write.
    private(set) var repeatsLeft = 0
    /// Whether the stop that precedes the first motion after `ready` was truncated.
    private(set) var isFirstStopPending = false
    /// Whether the last message was truncated, so that the next one starts with a resync.
    private(set) var needsResync = false
    /// The last written velocity, in rad/s; zero after a stop.
    private(set) var lastVelocity = PanTilt.zero
    /// Whether the last set-point that was written whole turned an axis. The slow start counts from the first one.
    private(set) var isTurning = false
    /// The number of bytes in the kernel's output queue after the last write.
    var queuedBytes = 0

    private var frames: Frames = []
    private var nextWhileGreeting: Seconds = 0

    /// Whether the last set-point was a stop and no stop is due.
    var isSettled: Bool { !isMoving && repeatsLeft == 0 }

    /// Makes a stop due, with its repeats.
    mutating func schedule() { (isMoving, repeatsLeft) = (true, Self.repeats) }

    /// Makes a stop due for a dock that is not ready, once per `interval`.
    mutating func scheduleDuringHandshake(now: Seconds) {
        guard now >= nextWhileGreeting else { return }
        nextWhileGreeting = now + Self.interval
        (isMoving, repeatsLeft) = (true, max(repeatsLeft, 1))
    }

    // MARK: What was decided and encoded

    /// Records the decision whether the dock moves.
    /// - Returns: whether a set-point must be written; false at rest.
    mutating func decide(moves: Bool) -> Bool {
        if moves {
            repeatsLeft = Self.repeats
        } else if isMoving || repeatsLeft > 0 {
            repeatsLeft -= 1
        } else {
            return false
        }
        return true
    }

    /// Records that the line was full and the set-point was dropped. A dropped stop remains due.
    mutating func dropped(moves: Bool) { if !moves { repeatsLeft = Self.repeats } }

    /// Records that the bytes of this turn contain a set-point.
    mutating func encodedSetpoint() { frames.insert(.setpoint) }

    /// Records the turn's set-point, whether it was encoded or dropped.
    mutating func sent(_ velocity: PanTilt, moves: Bool) {
        lastVelocity = moves ? velocity : .zero
        isMoving = moves || repeatsLeft > 0
    }

    /// Records that the bytes of this turn contain a stop to a dock that is not ready.
    mutating func encodedStop() {
        needsResync = false
        frames.insert(.stop)
        repeatsLeft = max(0, repeatsLeft - 1)
        isMoving = repeatsLeft > 0
    }

    /// Returns, once, whether a resync must come first.
    mutating func takeResync() -> Bool {
        defer { needsResync = false }
        return needsResync
    }

    // MARK: The result

    /// Records that the bytes of this turn were written.
    /// - Parameter isWhole: false if the port accepted only a part of them, possibly of a stop.
    /// - Returns: whether they contained a set-point.
    mutating func wrote(isWhole: Bool) -> Bool {
        defer { frames = [] }
        if !isWhole {
            needsResync = true
            if !frames.isEmpty, repeatsLeft < Self.repeats, !SafetyMutant.cutStopForgotten.isOn { schedule() }
        } else {
            if frames.contains(.stop) { isFirstStopPending = false }
            if frames.contains(.setpoint) { isTurning = lastVelocity != .zero }
        }
        return frames.contains(.setpoint)
    }

    /// Records that the stop before the first motion was written.
    mutating func wroteFirstStop(isWhole: Bool) {
        if !isWhole { (needsResync, isFirstStopPending) = (true, true) }
    }

    /// Records that all motion ended and a stop was written at once.
    /// - Parameter isWhole: nil if no stop was written.
    mutating func halted(isWhole: Bool?) {
        needsResync = isWhole == false
        isMoving = isWhole != nil && !SafetyMutant.stopsOnce.isOn
        repeatsLeft = isMoving ? Self.repeats : 0
        (lastVelocity, isTurning) = (.zero, false)
    }

    /// Records that an emergency stop was written. Its own repeats follow until the dock reports the latch.
    mutating func emergencyStopped() {
        (isMoving, repeatsLeft, lastVelocity, isTurning) = (false, 0, .zero, false)
    }

    /// Records that a greeting begins.
    mutating func greets(now: Seconds) { (nextWhileGreeting, isFirstStopPending, isTurning) = (now, false, false) }

    /// Records that the port was closed.
    mutating func closed() { (isMoving, repeatsLeft, isTurning) = (false, 0, false) }
}
