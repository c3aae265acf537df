import Companion
import Glibc

/// Replaces a camera on the dock. The recording's camera was fixed, so its faces are moved to the positions that a
/// turning camera would see. An app with a real camera does not need this.
struct TurningCamera {
    let information: CameraInformation
    private let focal: (x: Double, y: Double)

    init(horizontalFieldOfView: Double, picture: PictureSize) {
        information = CameraInformation(
            horizontalFieldOfView: horizontalFieldOfView, referenceDimensions: picture)
        let x = 0.5 / tan(horizontalFieldOfView / 2)
        focal = (x, x * picture.aspect)
    }

    /// The observations for a pose of the dock. Faces outside the frame are dropped.
    func view(_ seen: [Observation], from pose: PanTilt) -> [Observation] {
        seen.compactMap { observation in
            guard let center = place(of: observation.rect.center, from: pose) else { return nil }
            guard (0...1).contains(center.x), (0...1).contains(center.y) else { return nil }
            var moved = observation
            moved.rect = Rect(center: center, width: observation.rect.width, height: observation.rect.height)
            return moved
        }
    }

    /// Converts a point of the fixed camera's frame to the turned one's; nil if it is behind the camera.
    private func place(of point: Point, from pose: PanTilt) -> Point? {
        // A ray: to the right, up, forward.
        let (x, y) = ((point.x - 0.5) / focal.x, (0.5 - point.y) / focal.y)
        let right = x * cos(pose.pan) - sin(pose.pan)
        let level = x * sin(pose.pan) + cos(pose.pan)
        let up = y * cos(pose.tilt) - level * sin(pose.tilt)
        let ahead = y * sin(pose.tilt) + level * cos(pose.tilt)
        guard ahead > 0.01 else { return nil }
        return Point(x: 0.5 + focal.x * right / ahead, y: 0.5 - focal.y * up / ahead)
    }
}
