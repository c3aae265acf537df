internal import Geometry

/// The limiters of both axes, which step together.
struct AxisLimiters: Sendable {
    private var pan: AxisLimiter
    private var tilt: AxisLimiter
    private var last: Seconds?
    /// The usual time between steps, in seconds.
    private let tick: Seconds

    init(profile: RigProfile) {
        tick = 1 / profile.refreshRate
        pan = AxisLimiter(axis: profile.pan, commandLatency: profile.commandLatency, tick: tick)
        tilt = AxisLimiter(axis: profile.tilt, commandLatency: profile.commandLatency, tick: tick)
    }

    /// Whether a limit blocks an axis.
    var isBlocking: Bool { pan.blocked != 0 || tilt.blocked != 0 }
    /// Returns whether a limit blocks this axis.
    func isBlocking(_ axis: Axis) -> Bool { (axis == .pan ? pan : tilt).blocked != 0 }

    /// Adopts the range and speed of a rig.
    mutating func adopt(_ rig: RigProfile) {
        (pan.range, pan.maxSpeed) = (rig.pan.softRange, rig.pan.maxSpeed)
        (tilt.range, tilt.maxSpeed) = (rig.tilt.softRange, rig.tilt.maxSpeed)
    }

    /// Assumes standstill from now on, without a ramp.
    mutating func reset() {
        pan.reset()
        tilt.reset()
        last = nil
    }

    /// Returns the velocity that may be commanded now, in rad/s. The parameters are those of `AxisLimiter.step`.
    mutating func step(
        toward demand: PanTilt, motion: MotionSample?, reported: PanTilt?, speedShare: Double, tracks: Bool,
        now: Seconds
    ) -> PanTilt {
        let elapsed = last.map { (now - $0).clamped(to: 0...0.1) } ?? tick, age = motion.map { now - $0.time } ?? 0
        last = now
        return PanTilt(
            pan: pan.step(
                toward: demand.pan, position: motion?.pose.pan, reported: reported?.pan, rate: motion?.rate.pan ?? 0,
                age: age, speedShare: speedShare, elapsed: elapsed, tracks: tracks),
            tilt: tilt.step(
                toward: demand.tilt, position: motion?.pose.tilt, reported: reported?.tilt,
                rate: motion?.rate.tilt ?? 0,
                age: age, speedShare: speedShare, elapsed: elapsed, tracks: tracks))
    }
}
