import Companion
import Glibc

/// Stands in for a camera on the dock: the recording's camera stood still, so its faces are moved to where a camera that
/// turns would see them. An app with a real camera has no such thing.
struct TurningCamera {
    let information: CameraInformation
    private let focal: (x: Double, y: Double)

    init(horizontalFieldOfView: Double, picture: PictureSize) {
        information = CameraInformation(
            horizontalFieldOfView: horizontalFieldOfView, referenceDimensions: picture)
        let x = 0.5 / tan(horizontalFieldOfView / 2)
        focal = (x, x * picture.aspect)
    }

    /// What it sees while the dock looks there; what has left the picture is gone.
    func view(_ seen: [Observation], from pose: PanTilt) -> [Observation] {
        seen.compactMap { observation in
            guard let center = place(of: observation.rect.center, from: pose) else { return nil }
            guard (0...1).contains(center.x), (0...1).contains(center.y) else { return nil }
            var moved = observation
            moved.rect = Rect(center: center, width: observation.rect.width, height: observation.rect.height)
            return moved
        }
    }

    /// Where a point of the standing camera's picture is in the turned one's; nil: behind it.
    private func place(of point: Point, from pose: PanTilt) -> Point? {
        // A ray: to the right, up, ahead.
        let (x, y) = ((point.x - 0.5) / focal.x, (0.5 - point.y) / focal.y)
        let right = x * cos(pose.pan) - sin(pose.pan)
        let level = x * sin(pose.pan) + cos(pose.pan)
        let up = y * cos(pose.tilt) - level * sin(pose.tilt)
        let ahead = y * sin(pose.tilt) + level * cos(pose.tilt)
        guard ahead > 0.01 else { return nil }
        return Point(x: 0.5 + focal.x * right / ahead, y: 0.5 - focal.y * up / ahead)
    }
}
