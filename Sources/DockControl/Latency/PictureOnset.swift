public import Geometry

/// When the picture moves because the dock does: the first exposure in which a face that stood still has moved against it.
public struct PictureOnset: Sendable, Equatable {
    /// A face stood still where it moved by no more than this before the start, rad.
    static let stillness = Double.degrees(0.4)
    /// It has moved when it has by this, rad: three times the noise of a good detector's middle.
    static let distance = Double.degrees(0.75)
    /// So many pictures tell where it stood, none older than `memory` seconds.
    static let pictures = 3, memory: Seconds = 0.5
    /// A start is given up after so long, seconds.
    static let patience: Seconds = 0.6

    private var subject: Int?
    private var seen: [(exposure: Seconds, bearing: PanTilt)] = []
    private var watch: (axis: Axis, direction: Double, from: Seconds, bearing: Double)?

    /// Nothing seen yet.
    public init() { seen.reserveCapacity(8) }

    /// A motion of an axis was commanded at a time; `direction` -1 or 1.
    public mutating func begins(_ axis: Axis, direction: Double, at time: Seconds) {
        watch = nil
        let last = seen.suffix(Self.pictures)
        guard last.count == Self.pictures, let first = last.first, time - first.exposure < Self.memory else { return }
        let bearings = last.map { $0.bearing[axis] }
        guard let low = bearings.min(), let high = bearings.max(), high - low < Self.stillness else { return }
        watch = (axis, direction, time, bearings.reduce(0, +) / Double(bearings.count))
    }

    /// Where the camera saw the followed face, rad. The exposure in which it has moved, once for a start.
    public mutating func saw(_ bearing: PanTilt, of subject: Int, exposure: Seconds) -> Seconds? {
        if subject != self.subject {
            self.subject = subject
            seen.removeAll(keepingCapacity: true)
            watch = nil
        }
        if seen.count == 8 { seen.removeFirst() }
        seen.append((exposure, bearing))
        guard let watched = watch, exposure > watched.from else { return nil }
        guard exposure - watched.from < Self.patience else {
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
