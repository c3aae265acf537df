internal import Geometry

/// The stops that the loop still owes the dock.
///
/// A single stop frame may be cut off, or lost on a bad line, and not every dock has a deadman. So a stop is written once and repeated
/// twice, and a frame that was cut off makes the stop due again. The ledger only decides: the loop encodes and writes.
struct StopLedger: Sendable, Equatable {
    /// What the bytes of this turn hold.
    struct Frames: OptionSet, Sendable {
        let rawValue: UInt8
        static let setpoint = Frames(rawValue: 1), stop = Frames(rawValue: 2)
    }

    /// How often a stop is repeated.
    static let repeats = 2
    /// Interval between stops to a dock that has no deadman and is not ready yet, seconds.
    static let interval: Seconds = 0.5

    /// The last set-point turned an axis, or a stop is still owed. Silence is not enough then: the loop goes on writing.
    private(set) var isMoving = false
    /// How many more times the stop is written.
    private(set) var repeatsLeft = 0
    /// The stop that precedes the first motion after `ready` was cut off.
    private(set) var owesFirst = false
    /// The last frame was cut off: the next one starts with a resync.
    private(set) var needsResync = false
    /// The velocity last written, rad/s; zero after a stop.
    private(set) var lastVelocity = PanTilt.zero
    /// Bytes in the kernel's output queue after the last write.
    var queuedBytes = 0

    private var frames: Frames = []
    private var nextWhileGreeting: Seconds = 0

    /// No motion was written, and no stop is owed.
    var isSettled: Bool { !isMoving && repeatsLeft == 0 }

    /// A stop is due, with its repeats.
    mutating func owe() { (isMoving, repeatsLeft) = (true, Self.repeats) }

    /// A dock that is not ready gets one stop per `interval`.
    mutating func oweWhileGreeting(now: Seconds) {
        guard now >= nextWhileGreeting else { return }
        nextWhileGreeting = now + Self.interval
        (isMoving, repeatsLeft) = (true, max(repeatsLeft, 1))
    }

    // MARK: What was decided and encoded

    /// The loop has decided whether the dock moves.
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

    /// The line is full and the set-point was dropped: a dropped stop stays owed.
    mutating func dropped(moves: Bool) { if !moves { repeatsLeft = Self.repeats } }

    /// The bytes of this turn hold a set-point.
    mutating func encodedSetpoint() { frames.insert(.setpoint) }

    /// The turn's set-point is settled, whether it was encoded or dropped.
    mutating func sent(_ velocity: PanTilt, moves: Bool) {
        lastVelocity = moves ? velocity : .zero
        isMoving = moves || repeatsLeft > 0
    }

    /// The bytes of this turn hold a stop to a dock that is not ready.
    mutating func encodedStop() {
        needsResync = false
        frames.insert(.stop)
        repeatsLeft = max(0, repeatsLeft - 1)
        isMoving = repeatsLeft > 0
    }

    /// Whether a resync goes first; it is asked for once.
    mutating func takeResync() -> Bool {
        defer { needsResync = false }
        return needsResync
    }

    // MARK: What became of it

    /// The bytes of this turn were written.
    /// - Parameter isWhole: false if the port took only a part of them, perhaps of a stop.
    /// - Returns: whether they held a set-point.
    mutating func wrote(isWhole: Bool) -> Bool {
        defer { frames = [] }
        if !isWhole {
            needsResync = true
            if !frames.isEmpty, repeatsLeft < Self.repeats, !SafetyMutant.cutStopForgotten.isOn { owe() }
        } else if frames.contains(.stop) {
            owesFirst = false
        }
        return frames.contains(.setpoint)
    }

    /// The stop in front of the first motion was written.
    mutating func wroteFirstStop(isWhole: Bool) {
        if !isWhole { (needsResync, owesFirst) = (true, true) }
    }

    /// Everything ended, and a stop was written at once.
    /// - Parameter isWhole: nil if no stop was written.
    mutating func halted(isWhole: Bool?) {
        needsResync = isWhole == false
        isMoving = isWhole != nil && !SafetyMutant.stopsOnce.isOn
        repeatsLeft = isMoving ? Self.repeats : 0
        lastVelocity = .zero
    }

    /// An emergency stop was written. Its own repeats follow until the dock reports the latch.
    mutating func emergencyStopped() { (isMoving, repeatsLeft, lastVelocity) = (false, 0, .zero) }

    /// A greeting begins.
    mutating func greets(now: Seconds) { (nextWhileGreeting, owesFirst) = (now, false) }

    /// The port was closed.
    mutating func closed() { (isMoving, repeatsLeft) = (false, 0) }
}
