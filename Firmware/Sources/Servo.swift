/// The relation of pulse width and angle of a servo.
struct ServoShape {
    /// Pulse at 0 degrees, microseconds.
    var centre: Int32
    /// Microseconds for 90 degrees, signed.
    var perQuarter: Int32
    /// Range of the pulses. None outside is ever given.
    var shortest: Int32
    var longest: Int32

    /// The pulse for a position in milli-degrees.
    func pulse(_ place: Int32) -> UInt32 {
        let place = min(max(place, -360_000), 360_000)
        // Rounded to the nearest: 90 milli-degrees are a microsecond.
        let product = place * perQuarter, half: Int32 = product < 0 ? -45_000 : 45_000
        return UInt32(min(max(centre + (product + half) / 90_000, shortest), longest))
    }
}

/// One servo output. It follows its target, but never faster than a servo should turn.
struct ServoOutput {
    let shape: ServoShape
    /// Largest change, milli-degrees per millisecond.
    let slew: Int32
    /// The commanded position, milli-degrees. It is not measured.
    private(set) var place: Int32

    /// The assumed position of the servo, micro-degrees. It follows the pulse with a first-order lag, as in a servo
    /// whose error drives its motor.
    private var reached: Int32
    private var speed: Int32 = 0
    /// Time constant of the lag, milliseconds.
    private let lag: Int32

    /// Starts at the position from before a reset. `lag` is at least a millisecond.
    init(_ shape: ServoShape, slew: Int32, lag: Int32, place: Int32) {
        self.shape = shape
        self.slew = slew
        self.lag = max(lag, 1)
        // Clamp an invalid position to a servo's range.
        self.place = min(max(place, -360_000), 360_000)
        reached = self.place * 1000
    }

    /// The assumed position of the servo, milli-degrees.
    var position: Int32 { reached / 1000 }

    /// The assumed speed, milli-degrees per second. It lags like the position and never exceeds the commanded speed.
    var rate: Int32 { speed / 1000 }

    /// Moves one millisecond toward the target, which moves with `velocity` (milli-degrees per second). Returns the
    /// pulse; 0 while the servo is off.
    mutating func follow(_ target: Int32, velocity: Int32 = 0, isOn: Bool) -> UInt32 {
        defer {
            reached += (place * 1000 - reached) / lag
            speed += ((isOn ? velocity : 0) * 1000 - speed) / lag
        }
        guard isOn else { return 0 }
        place += min(max(target - place, -slew), slew)
        return shape.pulse(place)
    }
}
