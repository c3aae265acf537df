public import Geometry

/// Where the tracked subject is and how fast it moves, in world angles: `MotionModels` per axis, with a gate against
/// single wild measurements.
public struct TargetEstimator: Sendable, Equatable {
    /// World angles at `time`, radians.
    public private(set) var position = PanTilt.zero
    /// rad/s.
    public private(set) var velocity = PanTilt.zero
    /// rad/s².
    public private(set) var acceleration = PanTilt.zero
    /// Exposure of the last measurement used, CLOCK_MONOTONIC; nil: nothing is known.
    public private(set) var time: Seconds?
    /// Number of the measured subject; another number restarts the estimate.
    public private(set) var subject: Int?
    /// How likely each axis continues its motion, 0...1 (`MotionModels`).
    public var steadiness: PanTilt { PanTilt(pan: pan?.steadiness ?? 1, tilt: tilt?.steadiness ?? 1) }
    private var suspect: PanTilt?
    private var pan: MotionModels?
    private var tilt: MotionModels?

    /// Initial noise of a measurement: a fraction of the face's width, or an angle if the width is not known, rad.
    static let noiseShare = 0.06, noise = Double.degrees(0.5)
    /// A measurement that is off by more than this is ignored once, and accepted when the next one confirms it.
    static let gate = Double.degrees(4)
    /// Upper limit of the velocity: people do not circle a dock faster.
    static let maximumVelocity = Double.degrees(90)
    /// How long an acceleration is extrapolated, seconds.
    static let bendTime: Seconds = 0.25
    /// After a gap this long the old velocity reveals nothing.
    static let staleAfter: Seconds = 0.5

    /// Creates an estimator that knows nothing.
    public init() {}

    /// Discards everything.
    public mutating func reset() { self = TargetEstimator() }

    /// Takes a measurement: world angles of `subject` at the exposure `time`, and the width of its face, radians; 0:
    /// not known.
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
        // A subject that moves fast, or was not seen for long, may be farther off without being wild.
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
        // People do not speed up or slow down for long: the acceleration counts only at first.
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
