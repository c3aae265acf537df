internal import Geometry

/// How far an axis may be turned while its encoder stands still, before somebody looks after it.
struct DeadEncoderWatch {
    private var from: [Axis: (place: Double, fastest: Double)] = [:]

    /// What commands may come to before they are missed, what is on its way then, and the way back; rad.
    static let most = Double.degrees(35)
    /// One that turns fast is missed after half a second, and has to be slowed down; seconds of its speed.
    static let time: Seconds = 0.9

    mutating func dies(_ axis: Axis, at pose: PanTilt) { from[axis] = (pose[axis], 0) }
    mutating func heals(_ axis: Axis) { from[axis] = nil }

    /// Somebody has seen to it, or nothing can be asked of anybody: it is counted from here.
    mutating func forgive(at pose: PanTilt) { for axis in from.keys { from[axis] = (pose[axis], 0) } }

    /// The true axes were looked at; what is wrong, nil: nothing.
    mutating func passed(pose: PanTilt, rate: PanTilt) -> String? {
        for (axis, start) in from {
            let fastest = max(start.fastest, abs(rate[axis]))
            from[axis]?.fastest = fastest
            let way = abs(pose[axis] - start.place)
            if way > Self.most + Self.time * fastest {
                return "\(axis.rawValue) was turned by \(Int(way.inDegrees)) deg while its encoder stood still"
            }
        }
        return nil
    }
}
