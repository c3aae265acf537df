package import DockControl
package import Geometry
internal import Glibc

/// A law as in hobby projects: it uses the image alone. No pose, no prediction, no memory of the followed person.
package protocol ClassicLaw: Sendable {
    /// Returns the velocity (rad/s) that holds until the next frame.
    /// - Parameters:
    ///   - faces: all rectangles of the frame, normalised.
    ///   - time: when it was taken, seconds.
    ///   - camera: the camera that took it.
    mutating func velocity(for faces: [Rect], at time: Seconds, through camera: CameraModel) -> PanTilt
}

/// What these laws see: the largest face, and its distance from the set-point.
enum ClassicSight {
    /// Errors below this count as zero: 1 % of the image's width, as an angle at its middle.
    static let deadBand = 0.01

    /// Returns the angles (rad) from the set-point to the face, + = to the right and up; nil: there is no face.
    static func error(of faces: [Rect], through camera: CameraModel) -> PanTilt? {
        guard let largest = faces.max(by: { $0.area < $1.area }) else { return nil }
        let aim = Framing.aimPoint(of: largest), place = Framing().setPoint(yaw: nil)
        let error = PanTilt(
            pan: atan((aim.x - place.x) / camera.focal.x), tilt: -atan((aim.y - place.y) / camera.focal.y))
        let band = atan(deadBand / camera.focal.x)
        return PanTilt(pan: abs(error.pan) < band ? 0 : error.pan, tilt: abs(error.tilt) < band ? 0 : error.tilt)
    }
}

/// "P on pixels": the velocity is the error in the image times a gain, with a dead band. The most common law.
package struct ClassicP: ClassicLaw {
    /// 1/s. From the comparison on which the targets of `servo-trials` are based: as quick as possible without long
    /// oscillation.
    package static let gain = 5.0

    /// Creates the law.
    package init() {}

    /// Follows the largest face; stands still without one.
    package mutating func velocity(for faces: [Rect], at time: Seconds, through camera: CameraModel) -> PanTilt {
        ClassicSight.error(of: faces, through: camera).map { $0 * Self.gain } ?? .zero
    }
}

/// A PID on pixels.
package struct ClassicPID: ClassicLaw {
    /// 1/s, 1/s² and a number: the smaller P gain that the other two parts need.
    package static let gains = (proportional: 4.0, integral: 0.5, derivative: 0.15)
    /// Upper limit of the sum, rad s: it must not wind up while the motor is at full speed.
    static let mostSum = Double.degrees(20)

    private var sum = PanTilt.zero
    private var last: (error: PanTilt, time: Seconds)?

    /// Creates the law.
    package init() {}

    /// Follows the largest face; without one it stands still and resets.
    package mutating func velocity(for faces: [Rect], at time: Seconds, through camera: CameraModel) -> PanTilt {
        guard let error = ClassicSight.error(of: faces, through: camera) else {
            (sum, last) = (.zero, nil)
            return .zero
        }
        var slope = PanTilt.zero
        if let last, time > last.time {
            sum = sum + error * (time - last.time)
            slope = (error - last.error) * (1 / (time - last.time))
        }
        for axis in Axis.allCases { sum[axis] = sum[axis].clamped(to: -Self.mostSum...Self.mostSum) }
        last = (error, time)
        return error * Self.gains.proportional + sum * Self.gains.integral + slope * Self.gains.derivative
    }
}
