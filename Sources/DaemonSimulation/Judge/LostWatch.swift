internal import Geometry

/// What tracking may do when nobody is in the pictures any more: fade, stand, look for 2 s at 20 deg/s with pan, go home at
/// 30 deg/s; all of it later by the pictures that are out, and with the ramp that an axis needs.
struct LostWatch {
    /// From the last face to the end of the fading, and to the end of the search, seconds.
    private let held: Seconds, searched: Seconds
    private let home: PanTilt
    private let stale: Seconds
    private var lastFace: Seconds = -.infinity
    private var lastPicture: Seconds = -.infinity
    /// How much slower a braking axis becomes from one set-point to the next, rad/s.
    private static let braking = Double.degrees(5)
    /// Nobody has been seen yet: nothing is said about that.
    private var hasSeen = false

    init(frameRate: Double, home: PanTilt, ramp: Seconds) {
        held = 0.6 + 2.5 / frameRate + 0.15 + ramp
        searched = held + 2.2
        stale = max(0.12, 2 / frameRate)
        self.home = home
    }

    /// A picture is on its way. After a silence of the detector whoever is not in it has just been lost.
    mutating func pictured(faces: Int, at time: Seconds) {
        if faces > 0 { hasSeen = true }
        if faces > 0 || time - lastPicture > stale { lastFace = max(lastFace, time) }
        lastPicture = time
    }

    /// The loop was held, or a program says where somebody is: what it sees next is new to it.
    mutating func held(until time: Seconds) { lastFace = max(lastFace, time) }

    /// Tracking wants a velocity (rad/s) at a pose (rad); `before` is the velocity of the last set-point. Returns what is wrong, or nil.
    func tracks(_ velocity: PanTilt, after before: PanTilt, from pose: PanTilt, at time: Seconds) -> String? {
        let gone = time - lastFace
        guard hasSeen, gone > held else { return nil }
        let said = "\((gone * 10).rounded() / 10) s after the last face"
        for axis in Axis.allCases where abs(velocity[axis]) > .degrees(2) {
            let speed = abs(velocity[axis])
            // It slows down from the motion that it took over.
            if velocity[axis] * before[axis] > 0, abs(before[axis]) - speed > Self.braking { continue }
            if speed > .degrees(30.1) { return "\(axis.rawValue) at \(speed.inDegrees) deg/s, \(said)" }
            let way = home[axis] - pose[axis]
            if velocity[axis] * way > 0 || abs(way) < .degrees(5) { continue }
            if axis == .pan, gone < searched {
                if speed > .degrees(20.1) { return "searches at \(speed.inDegrees) deg/s, \(said)" }
                continue
            }
            return "\(axis.rawValue) turns away from home at \(speed.inDegrees) deg/s, \(said)"
        }
        return nil
    }
}
