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

    /// Where the servo is taken to be meanwhile, micro-degrees: behind its pulse by a lag of first order, as a motor is whose error
    /// drives it.
    private var reached: Int32
    private var speed: Int32 = 0
    /// Milliseconds.
    private let lag: Int32

    /// At a place that it was last told, before a reset. `lag` is at least a millisecond.
    init(_ shape: ServoShape, slew: Int32, lag: Int32, place: Int32) {
        self.shape = shape
        self.slew = slew
        self.lag = max(lag, 1)
        // Whatever it was told, it is no place outside of what a servo can turn to.
        self.place = min(max(place, -360_000), 360_000)
        reached = self.place * 1000
    }

    /// Where the servo is taken to be, milli-degrees.
    var position: Int32 { reached / 1000 }

    /// How fast it is taken to turn, milli-degrees per second: as late as its place, and never faster than it was told.
    var rate: Int32 { speed / 1000 }

    /// One millisecond toward the target, which moves with `velocity` (milli-degrees per second); the pulse, 0 while the servo is off.
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
