public import Geometry

/// Where the tracked subject is and how fast it moves, in world angles: `MotionModels` per axis, with a gate against single wild
/// measurements.
public struct TargetEstimator: Sendable, Equatable {
    /// World angles at `time`, radians.
    public private(set) var position = PanTilt.zero
    /// rad/s.
    public private(set) var velocity = PanTilt.zero
    /// rad/s².
    public private(set) var acceleration = PanTilt.zero
    /// Exposure of the last measurement used, CLOCK_MONOTONIC; nil: nothing is known.
    public private(set) var time: Seconds?
    /// Identity of the subject measured; another identity starts anew.
    public private(set) var subject: Int?
    /// How far each axis goes on as it goes, 0...1 (`MotionModels`).
    public var steadiness: PanTilt { PanTilt(pan: pan?.steadiness ?? 1, tilt: tilt?.steadiness ?? 1) }
    private var suspect: PanTilt?
    private var pan: MotionModels?
    private var tilt: MotionModels?

    /// How far off a measurement is to begin with: a share of the face's width, and an angle where that is not known, rad.
    static let noiseShare = 0.06, noise = Double.degrees(0.5)
    /// A measurement further off than this is ignored once, and believed when the next one confirms it.
    static let gate = Double.degrees(4)
    /// People do not circle a dock faster than this.
    static let maximumVelocity = Double.degrees(90)
    /// An acceleration is believed for so long, seconds.
    static let bendTime: Seconds = 0.25
    /// A gap this long says nothing about the velocity any more.
    static let staleAfter: Seconds = 0.5

    /// Knows nothing.
    public init() {}

    /// Forgets everything.
    public mutating func reset() { self = TargetEstimator() }

    /// Takes a measurement: world angles of `subject` at the exposure `time`, and how wide its face is, radians; 0: not known.
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
        // Something that moves fast, or was not seen for long, may be further off without being wild.
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

    /// Where the subject will be at `when`; its velocity is believed for `horizon` seconds after the last measurement
    /// and fades to nothing over `fade` more.
    public func predict(at when: Seconds, horizon: Seconds = 0.25, fade: Seconds = 0.35) -> (
        position: PanTilt, velocity: PanTilt, acceleration: PanTilt
    )? {
        guard let time else { return nil }
        let age = max(0, when - time)
        // Nobody speeds up or slows down for long: what is known of it counts for the first moment.
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
