package import DockControl
package import Geometry
internal import Glibc

/// A law as hobby builds have it: it looks at the picture alone. No pose, no prediction, no memory of who is followed.
package protocol ClassicLaw: Sendable {
    /// The velocity (rad/s) that holds until the next picture.
    /// - Parameters:
    ///   - faces: all rectangles of the picture, normalised.
    ///   - time: when it was taken, seconds.
    ///   - camera: what it was seen through.
    mutating func velocity(for faces: [Rect], at time: Seconds, through camera: CameraModel) -> PanTilt
}

/// What these laws see: the largest face, and how far from its place it is.
enum ClassicSight {
    /// Errors below this are none: 1 % of the picture's width, as an angle at its middle.
    static let deadBand = 0.01

    /// The angles (rad) from where the face is to be, + = to the right and up; nil: there is no face.
    static func error(of faces: [Rect], through camera: CameraModel) -> PanTilt? {
        guard let largest = faces.max(by: { $0.area < $1.area }) else { return nil }
        let aim = Framing.aimPoint(of: largest), place = Framing().setPoint(yaw: nil)
        let error = PanTilt(
            pan: atan((aim.x - place.x) / camera.focal.x), tilt: -atan((aim.y - place.y) / camera.focal.y))
        let band = atan(deadBand / camera.focal.x)
        return PanTilt(pan: abs(error.pan) < band ? 0 : error.pan, tilt: abs(error.tilt) < band ? 0 : error.tilt)
    }
}

/// "P on pixels": the velocity is the error in the picture times a gain, with a dead band. The most common law there is.
package struct ClassicP: ClassicLaw {
    /// 1/s. As in the comparison that the aims of `servo-trials` come from: as quick as it goes without swinging for long.
    package static let gain = 5.0

    /// Knows nothing.
    package init() {}

    /// The largest face decides; without one it stands.
    package mutating func velocity(for faces: [Rect], at time: Seconds, through camera: CameraModel) -> PanTilt {
        ClassicSight.error(of: faces, through: camera).map { $0 * Self.gain } ?? .zero
    }
}

/// A PID on pixels.
package struct ClassicPID: ClassicLaw {
    /// 1/s, 1/s² and a number: the milder P that the other two parts need.
    package static let gains = (proportional: 4.0, integral: 0.5, derivative: 0.15)
    /// The sum goes no farther, rad s: it is not to run away while the motor is as fast as it can.
    static let mostSum = Double.degrees(20)

    private var sum = PanTilt.zero
    private var last: (error: PanTilt, time: Seconds)?

    /// Knows nothing.
    package init() {}

    /// The largest face decides; without one it stands, and forgets.
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
