internal import Geometry

/// What tracking may do when no person is in the frames: fade, stand, search with pan for 2 s at 20 deg/s, go home at
/// 30 deg/s. Each step is delayed by the frames that may be missing and by the ramp that an axis needs.
struct LostWatch {
    /// Time from the last face to the end of the fading, and to the end of the search, seconds.
    private let held: Seconds, searched: Seconds
    private let home: PanTilt
    private let stale: Seconds
    private var lastFace: Seconds = -.infinity
    private var lastPicture: Seconds = -.infinity
    /// Least reduction of speed from one set-point to the next while an axis brakes, rad/s.
    private static let braking = Double.degrees(3)
    /// Where the axes were when the last face was seen, rad. A slow rig swings around that place at first, and a nod to
    /// that face is completed there.
    private var left = PanTilt.zero
    /// Largest speed of a correction toward that place, rad/s.
    private static let settling = Double.degrees(5)
    /// How far from that place a nod may turn, rad, and how long after the last face, seconds. A rig whose speed is
    /// limited takes longer than the nod's own 0.87 s, and an axis that was blocked hurries after its path.
    private static let nod = (reach: Double.degrees(4), time: 2.0)
    /// Whether a face was ever seen. Before that, nothing is required.
    private var hasSeen = false
    /// Until then the daemon may believe wrong rates of the axes, seconds.
    private var misledUntil: Seconds = -.infinity
    /// A face that was seen so long ago is in the frames, seconds.
    private static let fresh: Seconds = 0.2
    /// Until then the head may turn toward a person who is expected, seconds.
    private var expectedUntil: Seconds = -.infinity
    /// The program that expects the person, or nil.
    private var expectedBy: Int?
    /// Time that an axis needs to take another direction, seconds.
    private let ramp: Seconds
    /// Time until rates that contradict the poses are no longer used, seconds: 5 degrees at 60 deg/s, and a set-point.
    private static let misled: Seconds = 0.15

    init(frameRate: Double, home: PanTilt, ramp: Seconds) {
        held = 0.6 + 2.5 / frameRate + 0.15 + ramp
        searched = held + 2.2
        stale = max(0.12, 2 / frameRate)
        self.ramp = ramp
        self.home = home
    }

    /// A frame is on its way. After a silence of the detector, a subject that is not in it counts as lost only now.
    mutating func pictured(faces: Int, at time: Seconds) {
        if faces > 0 { hasSeen = true }
        if faces > 0 || time - lastPicture > stale { lastFace = max(lastFace, time) }
        lastPicture = time
    }

    /// The loop was held, or a program names the subject. What the loop sees next is new to it.
    mutating func held(until time: Seconds) { lastFace = max(lastFace, time) }

    /// A person is expected until `time`. The last frame before it and the ramp of an axis come after it.
    mutating func expected(until time: Seconds, by program: Int?) {
        (expectedUntil, expectedBy) = (time + stale + 0.15 + ramp, program)
    }

    /// A program has lost its lease, and expects no person any more.
    mutating func leaseEnded(of program: Int, at time: Seconds) {
        if expectedBy == program { expectedUntil = min(expectedUntil, time + stale + 0.15 + ramp) }
    }

    /// The dock begins to report wrong rates.
    mutating func misled(at time: Seconds) { misledUntil = time + Self.misled }

    /// Takes a velocity of the tracking (rad/s) at a pose (rad); `before` is the velocity of the last set-point.
    /// Returns what is wrong, or nil.
    mutating func tracks(
        _ velocity: PanTilt, after before: PanTilt, from pose: PanTilt, at time: Seconds
    ) -> String? {
        let gone = time - lastFace
        if gone <= Self.fresh { left = pose }
        guard hasSeen, gone > held, time > misledUntil else { return nil }
        let said = "\((gone * 10).rounded() / 10) s after the last face"
        for axis in Axis.allCases where abs(velocity[axis]) > .degrees(2) {
            let speed = abs(velocity[axis])
            // The axis slows down from the motion before.
            if velocity[axis] * before[axis] > 0, abs(before[axis]) - speed > Self.braking { continue }
            if speed > .degrees(30.1) { return "\(axis.rawValue) at \(speed.inDegrees) deg/s, \(said)" }
            if time < expectedUntil, speed < .degrees(20.1) { continue }
            let way = home[axis] - pose[axis]
            if velocity[axis] * way > 0 || abs(way) < .degrees(5) { continue }
            if gone < Self.nod.time, abs(left[axis] - pose[axis]) < Self.nod.reach { continue }
            // The axis returns to where it stood.
            if speed < Self.settling, velocity[axis] * (left[axis] - pose[axis]) > 0 { continue }
            if axis == .pan, gone < searched {
                if speed > .degrees(20.1) { return "searches at \(speed.inDegrees) deg/s, \(said)" }
                continue
            }
            return "\(axis.rawValue) turns away from home at \(speed.inDegrees) deg/s, \(said)"
        }
        return nil
    }
}
