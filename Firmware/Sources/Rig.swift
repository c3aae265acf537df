internal import DockWire

/// Settings for a builder: the dock around the board. Milli-degrees and microseconds.
enum Rig {
    /// The widest limits of the head. No message can widen them.
    static let pan = AxisLimits(
        minimumPosition: -85_000, maximumPosition: 85_000, velocity: 120_000, acceleration: 400_000, jerk: 12_000_000)
    static let tilt = AxisLimits(
        minimumPosition: -30_000, maximumPosition: 60_000, velocity: 90_000, acceleration: 400_000, jerk: 12_000_000)

    /// Pan to the dock's right, tilt up. `perQuarter` is negative for a servo that is mounted the other way round.
    static let panServo = ServoShape(centre: 1500, perQuarter: 1000, shortest: 500, longest: 2500)
    static let tiltServo = ServoShape(centre: 1500, perQuarter: 1000, shortest: 500, longest: 2500)

    /// Lag of a servo behind its pulse, milliseconds: an estimate for standard servos that take 0.2 s for 60 degrees.
    static let lag: Int32 = 60

    /// Two lithium cells. A voltage below `none` means no battery.
    static let battery = Battery(divider: 4, empty: 6400, full: 8200, none: 3000)
}
