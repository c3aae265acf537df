internal import Geometry

/// Limits how far an axis may turn while its encoder is dead and no person intervenes.
struct DeadEncoderWatch {
    private struct Walk {
        /// Where the axis was, rad, and its highest speed since then, rad/s.
        var place: Double, fastest = 0.0
        /// How long set-points have turned it without a pause, and the longest such time, seconds.
        var run: Seconds = 0, longest: Seconds = 0
        /// How far the last set-point turned it while the daemon was held up, at most, rad.
        var held = 0.0
    }

    private var from: [Axis: Walk] = [:]

    /// Motion that may be commanded before it is missed, plus motion under way at that time, plus the way back, rad.
    static let most = Double.degrees(35)
    /// If an axis turns fast for longer than a tap, the daemon misses the motion after half a second and must brake the
    /// axis; this is the time at its highest speed, seconds.
    static let time: Seconds = 0.9, tap: Seconds = 0.6
    /// No tap in a story is faster, rad/s.
    static let fast = Double.degrees(55)
    /// The time after which the dock stops without set-points, seconds.
    static let deadman: Seconds = 0.25

    mutating func dies(_ axis: Axis, at pose: PanTilt) { from[axis] = Walk(place: pose[axis]) }
    mutating func heals(_ axis: Axis) { from[axis] = nil }

    /// Measures from the current pose: a person intervened, or nothing can be required.
    mutating func forgive(at pose: PanTilt) { for axis in from.keys { from[axis] = Walk(place: pose[axis]) } }

    /// The daemon is held up for this time. Until its deadman stops it, the dock keeps turning as the set-point in force
    /// says (`moving`, rad/s).
    mutating func held(for duration: Seconds, moving: PanTilt?) {
        for axis in from.keys { from[axis]?.held += min(duration, Self.deadman) * abs(moving?[axis] ?? 0) }
    }

    /// Takes the true axes and the set-point in force (`moving`, rad/s). Returns what is wrong, or nil.
    mutating func passed(_ elapsed: Seconds, pose: PanTilt, rate: PanTilt, moving: PanTilt?) -> String? {
        for axis in Array(from.keys) {
            guard var walk = from[axis] else { continue }
            walk.fastest = max(walk.fastest, abs(rate[axis]))
            walk.run = abs(moving?[axis] ?? 0) > .degrees(1) ? walk.run + elapsed : 0
            walk.longest = max(walk.longest, walk.run)
            from[axis] = walk
            let way = abs(pose[axis] - walk.place)
            let isTapped = walk.longest <= Self.tap && walk.fastest < Self.fast
            if way > Self.most + (isTapped ? 0 : Self.time) * walk.fastest + walk.held {
                return "\(axis.rawValue) was turned by \(Int(way.inDegrees)) deg while its encoder stood still"
            }
        }
        return nil
    }
}
