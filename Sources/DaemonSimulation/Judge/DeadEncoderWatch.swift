internal import Geometry

/// How far an axis may be turned while its encoder stands still, before somebody looks after it.
struct DeadEncoderWatch {
    private struct Walk {
        /// Where it stood, and how fast it turned since then at most; rad, rad/s.
        var place: Double, fastest = 0.0
        /// For how long set-points have turned it without a pause, and for how long at most; seconds.
        var run: Seconds = 0, longest: Seconds = 0
    }

    private var from: [Axis: Walk] = [:]

    /// What commands may come to before they are missed, what is on its way then, and the way back; rad.
    static let most = Double.degrees(35)
    /// One that is turned fast for longer than a tap is missed after half a second, and has to be slowed down; seconds of its speed.
    static let time: Seconds = 0.9, tap: Seconds = 0.6
    /// No tap of a story is faster, rad/s.
    static let fast = Double.degrees(55)

    mutating func dies(_ axis: Axis, at pose: PanTilt) { from[axis] = Walk(place: pose[axis]) }
    mutating func heals(_ axis: Axis) { from[axis] = nil }

    /// Somebody has seen to it, or nothing can be asked of anybody: it is counted from here.
    mutating func forgive(at pose: PanTilt) { for axis in from.keys { from[axis] = Walk(place: pose[axis]) } }

    /// The true axes were looked at; `moving`: the set-point in force, rad/s. What is wrong, nil: nothing.
    mutating func passed(_ elapsed: Seconds, pose: PanTilt, rate: PanTilt, moving: PanTilt?) -> String? {
        for axis in Array(from.keys) {
            guard var walk = from[axis] else { continue }
            walk.fastest = max(walk.fastest, abs(rate[axis]))
            walk.run = abs(moving?[axis] ?? 0) > .degrees(1) ? walk.run + elapsed : 0
            walk.longest = max(walk.longest, walk.run)
            from[axis] = walk
            let way = abs(pose[axis] - walk.place)
            let isTapped = walk.longest <= Self.tap && walk.fastest < Self.fast
            if way > Self.most + (isTapped ? 0 : Self.time * walk.fastest) {
                return "\(axis.rawValue) was turned by \(Int(way.inDegrees)) deg while its encoder stood still"
            }
        }
        return nil
    }
}
