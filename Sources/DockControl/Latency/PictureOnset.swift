public import Geometry

/// When the image moves because of the dock: the first exposure in which a face that stands still has moved against the motion.
///
/// A face stands still as long as its position in the room does not change, as the dock's pose at each exposure shows. A person
/// who walks yields no measurement.
public struct PictureOnset: Sendable, Equatable {
    /// A face stands still if its position in the room stays within this, rad.
    static let stillness = Double.degrees(0.6)
    /// A face has moved if its bearing has changed by this, rad: three times the noise of a good detector's rectangle centre.
    static let distance = Double.degrees(0.75)
    /// This many frames show where the face stood, none of them older than `memory` seconds.
    static let pictures = 3, memory: Seconds = 0.5
    /// A start is given up after this time, seconds.
    static let patience: Seconds = 0.6

    private var subject: Int?
    private var seen: [(exposure: Seconds, bearing: PanTilt, room: PanTilt)] = []
    private var watch: (axis: Axis, direction: Double, from: Seconds, bearing: Double, room: Double)?

    /// Nothing seen yet.
    public init() { seen.reserveCapacity(8) }

    /// A motion of an axis was commanded at a time; `direction` is -1 or 1.
    public mutating func begins(_ axis: Axis, direction: Double, at time: Seconds) {
        watch = nil
        let last = seen.suffix(Self.pictures)
        guard last.count == Self.pictures, let first = last.first, time - first.exposure < Self.memory else { return }
        let rooms = last.map { $0.room[axis] }
        guard let low = rooms.min(), let high = rooms.max(), high - low < Self.stillness else { return }
        let count = Double(last.count)
        watch = (
            axis, direction, time, last.reduce(0) { $0 + $1.bearing[axis] } / count, rooms.reduce(0, +) / count
        )
    }

    /// Takes where the camera saw the followed face and the dock's pose, rad. Returns the exposure in which the face has moved,
    /// once for each start.
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

    /// No face is seen any more, or nothing is known.
    public mutating func reset() { self = PictureOnset() }

    /// Whether both know the same.
    public static func == (a: PictureOnset, b: PictureOnset) -> Bool {
        a.subject == b.subject && a.seen.elementsEqual(b.seen) { $0 == $1 } && a.watch?.from == b.watch?.from
    }
}
