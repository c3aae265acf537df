internal import Geometry
internal import Glibc

/// The followed face as it was last seen.
struct FollowedFace: Sendable {
    /// The last sighting; nil: none.
    private(set) var sighting: Sighting?
    /// Smoothed direction in which the face looks, rad; nil: not known.
    private(set) var yaw: Double?
    /// The angular width of the face, radians.
    private(set) var width = 0.0

    /// Time constant of the yaw: a glance aside for less than this hardly counts, seconds.
    static let glance: Seconds = 0.5

    /// Records a sighting through a camera.
    mutating func saw(_ seen: Sighting, camera: CameraModel) {
        let isNew = seen.subject != sighting?.subject
        turned(to: seen.yaw, isNew: isNew, after: seen.exposure - (sighting?.exposure ?? 0))
        let left = camera.bearing(of: Point(x: seen.rect.x, y: seen.rect.center.y)).pan
        width = camera.bearing(of: Point(x: seen.rect.maxX, y: seen.rect.center.y)).pan - left
        sighting = seen
    }

    /// The face is gone. Its yaw still frames the place where it was.
    mutating func lost() { sighting = nil }

    /// Detectors' yaws are noisy, and a person who glances aside is still here: the room before a face follows slowly.
    private mutating func turned(to new: Double?, isNew: Bool, after elapsed: Seconds) {
        guard let new, let old = yaw, !isNew else { return yaw = new }
        yaw = old + (new - old) * (1 - exp(-max(0, elapsed) / Self.glance))
    }
}
