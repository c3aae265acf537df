public import Geometry

/// Measures the faces that the daemon tracks in the depth pictures that belong to its frames. A pure value: pictures and
/// frames are handed in with their times.
public struct FaceMeasure: Sendable {
    /// A face in one of the daemon's frames.
    public struct Face: Sendable, Equatable {
        /// The number of the subject, which is never used again.
        public var id: Int
        /// Its rectangle in the upright frame, normalised.
        public var rect: Rect

        /// Creates a face.
        public init(id: Int, rect: Rect) { (self.id, self.rect) = (id, rect) }
    }

    /// The most depth pictures that wait for their frame, and the most faces that are measured.
    public static let mostPictures = 8, mostFaces = 32
    /// How far the times of a frame and of its picture may be apart, in seconds. They differ by rounding only, and those of
    /// another camera differ by more.
    public static let rounding: Seconds = 0.003

    private struct Picture: Sendable {
        var map: DepthMap, exposure: Seconds
    }

    private var pictures: [Picture] = []
    private var ranges: [Int: FaceRange] = [:]
    private var lastExposure: Seconds?
    private var focal: Double?

    /// Creates a value that has seen nothing.
    public init() {}

    /// Takes a depth picture. `exposure` is that of the picture that came with it, `skew` how much later the depth was
    /// exposed: depth that is more than half a picture apart shows another place of a moving face, and is not used.
    public mutating func add(_ map: DepthMap, exposure: Seconds, skew: Seconds? = nil) {
        let period = lastExposure.map { exposure - $0 }
        if let last = lastExposure, exposure <= last { pictures.removeAll() }
        lastExposure = exposure
        if let skew, let period, period > 0, abs(skew) > period / 2 { return }
        pictures.append(Picture(map: map, exposure: exposure))
        if pictures.count > Self.mostPictures { pictures.removeFirst() }
    }

    /// Returns the distances of the faces of a frame, by the number of the subject. It is empty if the frame belongs to no
    /// depth picture.
    /// - Parameters:
    ///   - faces: the faces that the detector has found in the frame.
    ///   - time: the exposure of the frame.
    ///   - focal: the focal length of the lens in widths of the frame, or nil if it is not known.
    ///   - view: how the frame shows the depth picture.
    public mutating func measure(
        _ faces: [Face], at time: Seconds, focal: Double?, view: DepthView = DepthView()
    ) -> [Int: SubjectDistance] {
        guard let picture = pictures.last(where: { abs($0.exposure - time) <= Self.rounding }) else { return [:] }
        if let focal, let old = self.focal, abs(focal / old - 1) > 0.01 {
            // What a person's product of distance and width was, it is not any more.
            ranges = [:]
        }
        self.focal = focal ?? self.focal
        ranges = ranges.filter { entry in faces.contains { $0.id == entry.key } || !entry.value.isForgotten(now: time) }
        var found: [Int: SubjectDistance] = [:]
        for face in faces.prefix(Self.mostFaces) {
            var range = ranges[face.id] ?? FaceRange(focal: focal)
            let metres = FaceDistance(in: picture.map, box: view.inDepth(face.rect)).metres
            let estimate = range.update(metres, width: face.rect.width, now: time)
            ranges[face.id] = range
            found[face.id] = estimate.flatMap {
                SubjectDistance(metres: $0.metres, error: $0.deviation, source: .depth)
            }
        }
        return found
    }

    /// How far the nearest thing in the newest picture is, in metres, or nil if there is no picture of the last moment.
    public func nearest(now: Seconds) -> Double? {
        guard let newest = pictures.last, now - newest.exposure <= 0.5 else { return nil }
        return NearestThing.metres(in: newest.map)
    }
}
