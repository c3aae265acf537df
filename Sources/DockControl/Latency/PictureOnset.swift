public import Geometry

/// Determines when the image moves because of the dock: at the first exposure in which the face of a stationary person
/// has moved against the motion.
///
/// A face counts as stationary as long as its position in the room does not change, as the dock's pose at each exposure
/// shows. A person who walks yields no measurement.
public struct PictureOnset: Sendable, Equatable {
    /// The distance within which the position of a stationary face in the room stays, in radians.
    static let stillness = Double.degrees(0.6)
    /// The change of its bearing at which a face has moved, in radians: three times the noise of a good detector's
    /// rectangle centre.
    static let distance = Double.degrees(0.75)
    /// The number of frames that show where the face was, none of them older than `maxAge` seconds.
    static let pictures = 3, maxAge: Seconds = 0.5
    /// The time after which a start is given up, in seconds.
    static let patience: Seconds = 0.6

    private var subject: Int?
    private var seen: [(exposure: Seconds, bearing: PanTilt, room: PanTilt)] = []
    private var watch: (axis: Axis, direction: Double, from: Seconds, bearing: Double, room: Double)?

    /// Creates a measurement in which nothing has been seen.
    public init() { seen.reserveCapacity(8) }

    /// Records that a motion of an axis was commanded at a time. `direction` is -1 or 1.
    public mutating func begins(_ axis: Axis, direction: Double, at time: Seconds) {
        watch = nil
        let last = seen.suffix(Self.pictures)
        guard last.count == Self.pictures, let first = last.first, time - first.exposure < Self.maxAge else { return }
        let rooms = last.map { $0.room[axis] }
        guard let low = rooms.min(), let high = rooms.max(), high - low < Self.stillness else { return }
        let count = Double(last.count)
        watch = (
            axis, direction, time, last.reduce(0) { $0 + $1.bearing[axis] } / count, rooms.reduce(0, +) / count
        )
    }

    /// Records the bearing of the followed face and the dock's pose, in radians. Returns the exposure in which the face
    /// has moved, once for each start.
    public mutating func saw(_ bearing: PanTilt, of subject: Int, from pose: PanTilt, exposure: Seconds) -> Seconds? {
        if subject != self.subject {
            self.subject = subject
            seen.removeAll(keepingCapacity: true)
            watch = nil
        }
        if seen.count == 8 { seen.removeFirst() }
        let room = bearing + pose
        seen.append((exposure, bearing, room))
        guard let watched = watch, exposure > watched.from else { return nil }
        guard exposure - watched.from < Self.patience, abs(room[watched.axis] - watched.room) < Self.stillness else {
            watch = nil
            return nil
        }
        guard (watched.bearing - bearing[watched.axis]) * watched.direction > Self.distance else { return nil }
        watch = nil
        return exposure
    }

    /// Discards everything, because the face is no longer seen or nothing is known.
    public mutating func reset() { self = PictureOnset() }

    /// Returns whether both have the same state.
    public static func == (a: PictureOnset, b: PictureOnset) -> Bool {
        a.subject == b.subject && a.seen.elementsEqual(b.seen) { $0 == $1 } && a.watch?.from == b.watch?.from
    }
}
