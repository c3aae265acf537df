internal import DockControl
internal import Geometry
internal import RobotFace

/// Turns arrow keys into pulses: a press turns the dock for 0.25 s, and a held key continues until 150 ms pass without
/// a repeat.
struct ChevronKeys: Sendable, Equatable {
    private var direction = PanTilt.zero
    private var last: Seconds?
    private var began: Seconds = 0
    private var until: Seconds = 0

    /// The time for which a press turns the dock, as the words do, in seconds.
    static let pulse: Seconds = CommandWords.chevronTime
    /// The time within which a second press of the same arrow counts as a repeat of a held key, in seconds. The first
    /// repeat is late.
    static let repeatWindow: Seconds = 0.7
    /// The interval below which presses count as repeats of a held key, in seconds. Single presses are further apart.
    static let held: Seconds = 0.12
    static let afterRepeat: Seconds = 0.15
    /// The speed in rad/s; with shift, it is three times as high.
    static let speed = CommandWords.chevronSpeed

    static func direction(of key: Key) -> PanTilt? {
        switch key {
        case .up: PanTilt(pan: 0, tilt: 1)
        case .down: PanTilt(pan: 0, tilt: -1)
        case .left: PanTilt(pan: -1, tilt: 0)
        case .right: PanTilt(pan: 1, tilt: 0)
        default: nil
        }
    }

    /// Returns the meaning of an arrow key now, or nil if nothing changes.
    mutating func key(_ new: PanTilt, phase: KeyPhase, fast: Bool, now: Seconds) -> MotionCommand? {
        if phase == .release {
            // A tap shorter than the pulse still turns for the whole pulse. A held key stops at once when it is
            // released.
            guard new == direction, now - began > Self.pulse, isRunning(now: now) else { return nil }
            return stop()
        }
        let gap = last.map { now - $0 } ?? .infinity
        let isRepeat = phase == .repeat || (new == direction && gap < Self.repeatWindow)
        if !isRepeat { began = now }
        let duration = phase == .repeat || (isRepeat && gap < Self.held) ? Self.afterRepeat : Self.pulse
        direction = new
        last = now
        until = now + duration
        return .chevron(new * (fast ? 3 * Self.speed : Self.speed), duration: duration)
    }

    func isRunning(now: Seconds) -> Bool { now < until }

    /// Ends the pulse.
    mutating func stop() -> MotionCommand {
        until = 0
        last = nil
        return .chevron(.zero, duration: 0)
    }
}
