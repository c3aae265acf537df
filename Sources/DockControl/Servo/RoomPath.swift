internal import Geometry

/// The path of a face in the room along one axis, under certain assumptions about rig and camera: a position and a
/// constant velocity (a constant-velocity Kalman filter). If the assumptions are wrong, the face jumps when the head
/// does.
struct RoomPath: Sendable, Equatable {
    /// The position (rad) and velocity (rad/s) of the face, and their covariance.
    private var place: Double
    private var velocity = 0.0
    private var pp: Double
    private var pv = 0.0
    private var vv: Double

    /// The speed of an unknown face, and the change of people's speed in a second while they walk about and while they
    /// stand, all in rad/s (standard deviations).
    static let unknown = Double.degrees(20), restless = Double.degrees(30), calm = Double.degrees(4)

    /// Begins at a position (rad) that is known with a variance (rad²).
    init(_ place: Double, noise: Double) {
        self.place = place
        pp = noise
        vv = Self.unknown * Self.unknown
    }

    /// Advances by `t` seconds and processes the next look with its variance. Returns the misfit: half the square of
    /// the error, in standard deviations.
    mutating func look(_ seen: Double, after t: Seconds, noise: Double, stands: Bool = false) -> Double {
        let change = stands ? Self.calm : Self.restless, q = change * change
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
