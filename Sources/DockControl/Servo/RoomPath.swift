internal import Geometry

/// The path of a face in the room along one axis, as somebody tells it who supposes something of rig and camera: a place and a
/// velocity that goes on (a Kalman filter of constant velocity). Who supposes wrongly sees the face jump when the head does.
struct RoomPath: Sendable, Equatable {
    /// Where the face is (rad) and how fast it goes (rad/s), and their covariance.
    private var place: Double
    private var velocity = 0.0
    private var pp: Double
    private var pv = 0.0
    private var vv: Double

    /// How fast a face may move of which nothing is known, rad/s; how much people change it in a second, rad/s.
    static let unknown = Double.degrees(20), restless = Double.degrees(30)

    /// Begins at a place (rad) that is known with a variance (rad²).
    init(_ place: Double, noise: Double) {
        self.place = place
        pp = noise
        vv = Self.unknown * Self.unknown
    }

    /// Goes on by `t` seconds and takes the next look with its variance; how badly it fits: half the square of what it is off by, in
    /// standard deviations.
    mutating func look(_ seen: Double, after t: Seconds, noise: Double) -> Double {
        let q = Self.restless * Self.restless
        place += velocity * t
        pp += t * (2 * pv + t * vv) + q * t * t * t / 3
        pv += t * vv + q * t * t / 2
        vv += q * t
        let s = pp + noise, off = seen - place, (kp, kv) = (pp / s, pv / s)
        place += kp * off
        velocity += kv * off
        vv -= kv * pv
        pv *= 1 - kp
        pp *= 1 - kp
        return off * off / (2 * s)
    }
}
