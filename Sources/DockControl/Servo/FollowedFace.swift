internal import Geometry
internal import Glibc

/// The followed face as it was last seen.
struct FollowedFace: Sendable {
    /// The last sighting, or nil if there is none.
    private(set) var sighting: Sighting?
    /// The smoothed direction in which the face looks, in radians, or nil if unknown.
    private(set) var yaw: Double?
    /// The angular width of the face, in radians.
    private(set) var width = 0.0

    /// The time constant of the yaw, in seconds: a shorter glance aside hardly counts.
    static let glance: Seconds = 0.5

    /// Records a sighting through a camera.
    mutating func saw(_ seen: Sighting, camera: CameraModel) {
        let isNew = seen.subject != sighting?.subject
        turned(to: seen.yaw, isNew: isNew, after: seen.exposure - (sighting?.exposure ?? 0))
        let left = camera.bearing(of: Point(x: seen.rect.x, y: seen.rect.center.y)).pan
        width = camera.bearing(of: Point(x: seen.rect.maxX, y: seen.rect.center.y)).pan - left
        sighting = seen
    }

    /// Records that the face is gone. Its yaw still frames the position where it was.
    mutating func lost() { sighting = nil }

    /// Updates the smoothed yaw. Detectors' yaws are noisy, and a person who glances aside is still present, so the
    /// room in front of a face follows slowly.
    private mutating func turned(to new: Double?, isNew: Bool, after elapsed: Seconds) {
        guard let new, let old = yaw, !isNew else { return yaw = new }
        yaw = old + (new - old) * (1 - exp(-max(0, elapsed) / Self.glance))
    }
}
