internal import Geometry

/// The path of a face in the room along one axis, as somebody tells it who supposes something of rig and camera, where people turn
/// and stop as they like (the agile one of `MotionModels`). Who supposes wrongly sees the face jerk when the head does, and no
/// person is as quick as a motor.
struct AgilePath: Sendable, Equatable {
    private var opinion: MotionModels.Opinion

    /// Begins at a place (rad) that is known with a variance (rad²).
    init(_ place: Double, noise: Double) {
        opinion = MotionModels.Opinion(x: place, xx: noise, vv: MotionModels.unknown * MotionModels.unknown, weight: 1)
        opinion.aa = MotionModels.agile * MotionModels.agile
    }

    /// Goes on by `t` seconds and takes the next look with its variance; how badly it fits: half the square of what it is off by, in
    /// standard deviations.
    mutating func look(_ seen: Double, after t: Seconds, noise: Double) -> Double {
        opinion.predict(t, as: 2)
        let s = opinion.xx + noise, off = seen - opinion.x
        opinion.update(off, s: s)
        return off * off / (2 * s)
    }
}
