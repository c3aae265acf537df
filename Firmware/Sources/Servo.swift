/// How a servo turns a pulse's width into an angle.
struct ServoShape {
    /// Pulse at 0 degrees, microseconds.
    var centre: Int32
    /// Microseconds for 90 degrees, signed.
    var perQuarter: Int32
    /// Pulses outside are never given, whatever is asked.
    var shortest: Int32
    var longest: Int32

    /// The pulse for a place in milli-degrees.
    func pulse(_ place: Int32) -> UInt32 {
        let place = min(max(place, -360_000), 360_000)
        // Rounded to the nearest: 90 milli-degrees are a microsecond.
        let product = place * perQuarter, half: Int32 = product < 0 ? -45_000 : 45_000
        return UInt32(min(max(centre + (product + half) / 90_000, shortest), longest))
    }
}

/// One servo output: follows its target, and never faster than a servo should turn, whatever the target does.
struct ServoOutput {
    let shape: ServoShape
    /// Milli-degrees in a millisecond.
    let slew: Int32
    /// Where the pulse tells the servo to be, milli-degrees: commanded, nothing measures it.
    private(set) var place: Int32

    /// At a place that it was last told, before a reset.
    init(_ shape: ServoShape, slew: Int32, place: Int32) {
        self.shape = shape
        self.slew = slew
        self.place = place
    }

    /// One millisecond toward the target; the pulse, 0 while the servo is off.
    mutating func follow(_ target: Int32, isOn: Bool) -> UInt32 {
        guard isOn else { return 0 }
        place += min(max(target - place, -slew), slew)
        return shape.pulse(place)
    }
}
