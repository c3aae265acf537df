public import Geometry

/// When the picture moves because the dock does: the first exposure in which a face that stands still has moved against it.
///
/// It stands still as long as it stays where it is in the room, which the dock's pose at each exposure tells: of somebody who
/// walks, nothing is learnt here.
public struct PictureOnset: Sendable, Equatable {
    /// A face stands still where it stays within this in the room, rad.
    static let stillness = Double.degrees(0.6)
    /// It has moved when it has by this, rad: three times the noise of a good detector's middle.
    static let distance = Double.degrees(0.75)
    /// So many pictures tell where it stood, none older than `memory` seconds.
    static let pictures = 3, memory: Seconds = 0.5
    /// A start is given up after so long, seconds.
    static let patience: Seconds = 0.6

    private var subject: Int?
    private var seen: [(exposure: Seconds, bearing: PanTilt, room: PanTilt)] = []
    private var watch: (axis: Axis, direction: Double, from: Seconds, bearing: Double, room: Double)?

    /// Nothing seen yet.
    public init() { seen.reserveCapacity(8) }

    /// A motion of an axis was commanded at a time; `direction` -1 or 1.
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

    /// Where the camera saw the followed face, from which pose, rad. The exposure in which it has moved, once for a start.
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

    /// Nobody is seen any more, or nothing is known.
    public mutating func reset() { self = PictureOnset() }

    /// Two that know the same.
    public static func == (a: PictureOnset, b: PictureOnset) -> Bool {
        a.subject == b.subject && a.seen.elementsEqual(b.seen) { $0 == $1 } && a.watch?.from == b.watch?.from
    }
}
