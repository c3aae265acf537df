internal import Geometry

/// Limits how long a blocked axis may be pressed.
struct BlockWatch {
    private var blocked: Set<Axis> = []
    private var pressed: [Axis: (sign: Double, time: Seconds, pause: Seconds)] = [:]

    /// A sticking motor may not execute commands below this, rad/s.
    static let least = Double.degrees(2.6)
    /// At that speed the loop's stall detection takes 1.7 s. Its smoothing and one report come on top, seconds.
    static let longest: Seconds = 3.2
    /// A pause of this length ends the pressing. After a shorter one the time counts on, seconds.
    static let pause: Seconds = 0.5

    /// Number of blocked axes.
    var count: Int { blocked.count }

    mutating func blocks(_ axis: Axis) { blocked.insert(axis) }
    mutating func frees(_ axis: Axis) {
        blocked.remove(axis)
        pressed[axis] = nil
    }

    /// Forgets the times. While the line is faulty, nothing is required.
    mutating func forgive() { pressed = [:] }

    /// Advances the time with this set-point in force, rad/s. Returns what is wrong, or nil.
    mutating func passed(_ elapsed: Seconds, moving: PanTilt?) -> String? {
        for axis in blocked {
            let speed = moving?[axis] ?? 0
            guard abs(speed) > Self.least else {
                pressed[axis]?.pause += elapsed
                if let pause = pressed[axis]?.pause, pause > Self.pause { pressed[axis] = nil }
                continue
            }
            let sign = speed < 0 ? -1.0 : 1
            let before = pressed[axis].map { $0.sign == sign ? $0.time : 0 } ?? 0
            pressed[axis] = (sign, before + elapsed, 0)
            if before + elapsed > Self.longest {
                return "\(axis.rawValue) is blocked and has been pressed for \(Int(1000 * (before + elapsed))) ms"
            }
        }
        return nil
    }
}
