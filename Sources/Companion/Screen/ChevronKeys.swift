internal import DockControl
internal import Geometry
internal import RobotFace

/// Turns arrow keys into pulses: a press turns the dock for 0.25 s; a held key continues until 150 ms pass without a repeat.
struct ChevronKeys: Sendable, Equatable {
    private var direction = PanTilt.zero
    private var last: Seconds?
    private var began: Seconds = 0
    private var until: Seconds = 0

    /// A press turns for this time, as the words do, seconds.
    static let pulse: Seconds = CommandWords.chevronTime
    /// A second press of the same arrow within this time is a repeat of a held key, seconds (the first repeat is late).
    static let repeatWindow: Seconds = 0.7
    /// Repeats of a held key follow each other faster than single presses, seconds.
    static let held: Seconds = 0.12
    static let afterRepeat: Seconds = 0.15
    /// rad/s; three times as much with shift.
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

    /// What an arrow key means now; nil: no change.
    mutating func key(_ new: PanTilt, phase: KeyPhase, fast: Bool, now: Seconds) -> MotionCommand? {
        if phase == .release {
            // A tap shorter than the pulse still turns for the whole pulse; a held key stops at once.
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
