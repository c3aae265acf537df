public import Geometry

/// A person at a gamepad as a pure value: it takes the pad's states, the daemon's reports and the time, and returns what
/// to do.
///
/// Three rules hold whatever comes in. No velocity is sent without the held dead-man. Whatever ends the motion is followed
/// by a stop, unless another user has taken the dock over. After that, nothing moves until the dead-man was let go and the
/// sticks were in the middle during a new hold.
public struct PadDriver: Sendable {
    /// The pad that is plugged in.
    struct Pad: Sendable {
        var state: PadState
        var left: StickShape, right: StickShape
        var lastSign: Seconds
        /// Whether one of the buttons of the emergency chord has been used for it since both were up.
        var isChordUsed = false
    }

    let settings: PadSettings
    /// What the held button allows.
    public internal(set) var deadMan = DeadMan()
    var pad: Pad?
    var daemon: DaemonView?
    /// Whether the last velocity that was sent is not zero.
    var isTurning = false
    /// Whether the head may still move because of this hold: a velocity was sent, or a motion is in progress.
    var hasTurned = false
    var motionEnd = -Seconds.infinity
    var nextVelocity = -Seconds.infinity
    /// Until when the daemon's reports may still describe the time before our own stop, and before our own change of
    /// the mode. Another user's stop counts during the latter.
    var stopSettlesAt = -Seconds.infinity, modeSettlesAt = -Seconds.infinity
    var nextWord = -Seconds.infinity
    var lastPersonalStop = -Seconds.infinity
    var animation = 0

    /// How long a motion whose duration is not known yet may last, and what is added to a known duration, in seconds.
    static let unknownDuration: Seconds = 60, reserve: Seconds = 0.5
    /// How long the daemon's reports may lag, in seconds.
    static let lag: Seconds = 0.4
    /// The shortest time between two words of buttons, and between two stops by a button, in seconds.
    static let wordPause: Seconds = 0.2, stopPause: Seconds = 0.1

    /// Creates a driver without a pad and without a daemon.
    public init(_ settings: PadSettings = PadSettings()) { self.settings = settings }

    /// Whether a pad is plugged in.
    public var hasPad: Bool { pad != nil }

    /// When `tick` must be called, CLOCK_MONOTONIC, or nil if there is nothing to wait for.
    public var deadline: Seconds? {
        guard let pad, deadMan.isArmed, wanted != .zero else { return nil }
        return min(nextVelocity, pad.lastSign + settings.silence)
    }

    // MARK: the pad

    /// A pad was plugged in.
    /// - Parameters:
    ///   - state: what it reports now. Buttons that are pressed already do nothing.
    ///   - flats: its own dead zones, as shares.
    ///   - buttons: the buttons that it has.
    ///   - now: CLOCK_MONOTONIC.
    public mutating func arrived(
        _ state: PadState, flats: (left: Double, right: Double), buttons: [PadButton], now: Seconds
    ) -> [PadIntent] {
        let intents = pad == nil ? [] : lost(now: now)
        pad = Pad(
            state: state, left: StickShape(deadZone: max(settings.deadZone, flats.left), expo: settings.expo),
            right: StickShape(deadZone: max(settings.deadZone, flats.right), expo: settings.expo), lastSign: now)
        deadMan.begin(isHeld: state.buttons.contains(settings.deadMan))
        return intents + (buttons.contains(settings.deadMan) ? [] : [.note(.noDeadMan(settings.deadMan))])
    }

    /// The pad was unplugged, or cannot be read.
    public mutating func lost(now: Seconds) -> [PadIntent] {
        guard pad != nil else { return [] }
        pad = nil
        deadMan.begin(isHeld: false)
        return ended(now: now)
    }

    /// The program ends.
    public mutating func finish(now: Seconds) -> [PadIntent] { lost(now: now) }

    /// The pad has reported a state.
    public mutating func changed(_ state: PadState, now: Seconds) -> [PadIntent] {
        guard var pad else { return [] }
        let before = pad.state
        (pad.state, pad.lastSign) = (state, now)
        self.pad = pad
        let was = deadMan.state
        deadMan.update(isHeld: state.buttons.contains(settings.deadMan), isCentred: isCentred)
        var intents: [PadIntent] = []
        if was != .released, deadMan.state == .released { intents += ended(now: now) }
        if was == .released, deadMan.state == .waiting { intents.append(.note(.centreSticks)) }
        intents += pressed(state.buttons, before: before.buttons, now: now)
        return intents + turn(now: now)
    }

    // MARK: time

    /// Does what is due: velocities are repeated, and a pad that says nothing is not trusted.
    public mutating func tick(now: Seconds) -> [PadIntent] {
        guard let pad else { return [] }
        if deadMan.isArmed, wanted != .zero, now >= pad.lastSign + settings.silence {
            deadMan.waitForMiddle()
            return ended(now: now) + [.note(.silent(settings.silence))]
        }
        return turn(now: now)
    }

    // MARK: motion

    private var isCentred: Bool {
        pad.map { $0.left.isCentred($0.state.left) && $0.right.isCentred($0.state.right) } ?? true
    }

    /// The velocity that the sticks ask for, in rad/s.
    var wanted: PanTilt {
        guard let pad, let daemon else { return .zero }
        var sum = pad.left.speed(pad.state.left) + pad.right.speed(pad.state.right) * settings.fineSpeed
        let length = (sum.x * sum.x + sum.y * sum.y).squareRoot()
        if length > 1 { sum /= length }
        // A stick's y is positive toward the person, tilt is positive upward.
        let up = settings.invertsTilt ? sum.y : -sum.y
        let velocity = PanTilt(pan: sum.x * daemon.speed.pan, tilt: up * daemon.speed.tilt) * settings.speed
        return velocity.pan.isFinite && velocity.tilt.isFinite ? velocity : .zero
    }

    private mutating func turn(now: Seconds) -> [PadIntent] {
        let velocity = deadMan.isArmed ? wanted : .zero
        guard velocity != .zero else {
            guard isTurning else { return [] }
            isTurning = false
            return deadMan.isArmed ? [.velocity(.zero)] : []
        }
        guard now >= nextVelocity else { return [] }
        (isTurning, hasTurned, nextVelocity) = (true, true, now + PadSettings.period)
        return manual(now: now) + [.velocity(velocity)]
    }

    /// The word that selects mode `manual`, if another mode is selected.
    mutating func manual(now: Seconds) -> [PadIntent] {
        guard daemon?.isManual == false else { return [] }
        daemon?.isManual = true
        modeSettlesAt = now + Self.lag
        return [.word("mode manual", movesHead: false)]
    }

    /// Ends the motion of this hold with a stop, if there may be one.
    mutating func ended(now: Seconds) -> [PadIntent] {
        let mayMove = hasTurned || now < motionEnd
        (isTurning, hasTurned, motionEnd) = (false, false, -.infinity)
        guard mayMove, daemon != nil else { return [] }
        stopSettlesAt = now + Self.lag
        return [.stop(isPersonal: false)]
    }

    /// Ends this hold without a stop, because the head belongs to another user now.
    mutating func yield() {
        deadMan.lock()
        (isTurning, hasTurned, motionEnd) = (false, false, -.infinity)
    }
}
