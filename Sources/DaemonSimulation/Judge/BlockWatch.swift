internal import Geometry

/// How long an axis that is blocked may be pressed.
struct BlockWatch {
    private var blocked: Set<Axis> = []
    private var pressed: [Axis: (sign: Double, time: Seconds, pause: Seconds)] = [:]

    /// Commands below this may be what a sticking motor leaves undone, rad/s.
    static let least = Double.degrees(2.6)
    /// At that speed the sum of the loop's watch is full after 1.7 s; then what it smooths, and one report, seconds.
    static let longest: Seconds = 3.2
    /// Who lets go for so long begins anew, seconds; shorter, and pushing goes on.
    static let pause: Seconds = 0.5

    /// Axes that are blocked.
    var count: Int { blocked.count }

    mutating func blocks(_ axis: Axis) { blocked.insert(axis) }
    mutating func frees(_ axis: Axis) {
        blocked.remove(axis)
        pressed[axis] = nil
    }

    /// Nothing is asked of anybody while the line is out of order.
    mutating func forgive() { pressed = [:] }

    /// So much time has passed with this set-point in force, rad/s; what is wrong, nil: nothing.
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
