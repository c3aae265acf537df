public import Geometry

/// The position and velocity of the tracked subject in world angles: one `MotionModels` per axis, with a gate against
/// single wild measurements.
public struct TargetEstimator: Sendable, Equatable {
    /// The world angles at `time`, in radians.
    public private(set) var position = PanTilt.zero
    /// The velocity, in rad/s.
    public private(set) var velocity = PanTilt.zero
    /// The acceleration, in rad/s².
    public private(set) var acceleration = PanTilt.zero
    /// Exposure of the last measurement used, CLOCK_MONOTONIC, or nil if nothing is known.
    public private(set) var time: Seconds?
    /// The number of the measured subject. Another number restarts the estimate.
    public private(set) var subject: Int?
    /// How likely each axis is to continue its motion, 0...1 (`MotionModels`).
    public var steadiness: PanTilt { PanTilt(pan: pan?.steadiness ?? 1, tilt: tilt?.steadiness ?? 1) }
    private var suspect: PanTilt?
    private var pan: MotionModels?
    private var tilt: MotionModels?

    /// The initial noise of a measurement: a fraction of the face's width, or an angle if the width is not known, in
    /// radians.
    static let noiseShare = 0.06, noise = Double.degrees(0.5)
    /// The error above which a measurement is ignored once, and accepted only when the next one confirms it.
    static let gate = Double.degrees(4)
    /// The upper limit of the velocity: people do not circle a dock faster.
    static let maximumVelocity = Double.degrees(90)
    /// The time for which an acceleration is extrapolated, in seconds.
    static let bendTime: Seconds = 0.25
    /// The length of a gap after which the old velocity reveals nothing.
    static let staleAfter: Seconds = 0.5

    /// Creates an estimator without measurements.
    public init() {}

    /// Discards everything.
    public mutating func reset() { self = TargetEstimator() }

    /// Processes a measurement: the world angles of `subject` at the exposure `time`, and the width of its face, in
    /// radians; 0 if unknown.
    public mutating func measure(
        _ measured: PanTilt, at newTime: Seconds, subject newSubject: Int, width: Double = 0
    ) {
        guard measured.pan.isFinite, measured.tilt.isFinite else { return }
        if pan == nil || tilt == nil {
            let deviation = width > 0 ? Self.noiseShare * width : Self.noise
            pan = MotionModels(at: measured.pan, deviation: deviation)
            tilt = MotionModels(at: measured.tilt, deviation: deviation)
        }
        guard let time, subject == newSubject, newTime - time < Self.staleAfter else {
            return seed(measured, at: newTime, subject: newSubject)
        }
        let step = newTime - time
        guard step > 0 else { return }  // out of order or repeated
        let predicted = position + velocity * step
        let residual = measured - predicted
        // A subject that moves fast, or has not been seen for long, may be farther off without being wild.
        let allowed = Self.gate + velocity.magnitude * step * 0.5 + Double.degrees(120) * step * step
        if residual.magnitude > allowed {
            if let suspect, (measured - suspect).magnitude <= allowed {
                return seed(measured, at: newTime, subject: newSubject)
            }
            suspect = measured
            return
        }
        suspect = nil
        pan?.measure(measured.pan, after: step)
        tilt?.measure(measured.tilt, after: step)
        if let pan, let tilt {
            let limit = Self.maximumVelocity
            position = PanTilt(pan: pan.position, tilt: tilt.position)
            acceleration = PanTilt(pan: pan.acceleration, tilt: tilt.acceleration)
            velocity = PanTilt(
                pan: pan.velocity.clamped(to: -limit...limit), tilt: tilt.velocity.clamped(to: -limit...limit))
        }
        self.time = newTime
    }

    /// Returns where the subject will be at `when`. Its velocity holds for `horizon` seconds after the last measurement
    /// and fades to zero over `fade` more.
    public func predict(at when: Seconds, horizon: Seconds = 0.25, fade: Seconds = 0.35) -> (
        position: PanTilt, velocity: PanTilt, acceleration: PanTilt
    )? {
        guard let time else { return nil }
        let age = max(0, when - time)
        // People do not accelerate or decelerate for long, so the acceleration counts only at first.
        let bend = min(age, Self.bendTime)
        let position = position + acceleration * (bend * bend / 2 + bend * (age - bend))
        let velocity = self.velocity + acceleration * bend
        if age <= horizon || SafetyMutant.coastsOn.isOn {
            return (position + self.velocity * age, velocity, age < Self.bendTime ? acceleration : .zero)
        }
        let past = min(age - horizon, fade)
        let travelled = horizon + past - past * past / (2 * fade)
        return (position + self.velocity * travelled, velocity * (1 - past / fade), .zero)
    }

    private mutating func seed(_ measured: PanTilt, at newTime: Seconds, subject newSubject: Int) {
        pan?.seed(at: measured.pan)
        tilt?.seed(at: measured.tilt)
        position = measured
        velocity = .zero
        acceleration = .zero
        time = newTime
        subject = newSubject
        suspect = nil
    }
}
