public import ControlProtocol
public import Geometry

/// What one answer of a detector says about one frame.
public struct FaceLook: Sendable, Equatable {
    /// The name of the detector's source.
    public var source: String
    /// The number of the camera's frame.
    public var sequence: Int
    /// When the frame was taken, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// When the answer was read, CLOCK_MONOTONIC.
    public var arrival: Seconds
    /// The width of the frame divided by its height, or nil if the detector does not name its size.
    public var aspect: Double?
    /// Which camera took the frame, and how much it was magnified.
    public var optics: FrameOptics
    /// The faces, normalised; at most `mostFaces`.
    public var faces: [Rect]

    /// The maximum number of faces in a look.
    public static let mostFaces = 64
    /// By this share, the aspect of a detector's frame may differ from the picture's: sizes are rounded to pixels.
    public static let aspectTolerance = 0.01

    /// Creates a look with rectangles that are known to be valid.
    public init(
        source: String, sequence: Int, exposure: Seconds, arrival: Seconds, aspect: Double? = nil,
        optics: FrameOptics = .usual, faces: [Rect]
    ) {
        (self.source, self.sequence, self.exposure, self.arrival) = (source, sequence, exposure, arrival)
        (self.aspect, self.optics, self.faces) = (aspect, optics, faces)
    }

    /// Reads an answer of topic `detections`.
    /// - Throws: why the answer shows no frame, or not all of its faces.
    public init(
        _ reading: DetectionsReading, leastScore: Double = FacePolicy().leastScore
    ) throws(LookProblem) {
        guard let sequence = reading.sequence else { throw .noSequence }
        guard let exposure = reading.time, exposure.isFinite, reading.arrival.isFinite else { throw .noTime }
        // The daemon could not read them in the detector's line, or the client in the daemon's.
        guard reading.unread == 0, reading.misread == 0 else { throw .garbage }
        var aspect: Double?
        if let size = reading.size {
            let ratio = size.width / size.height
            guard ratio.isFinite, ratio > 0, size.width > 0 else { throw .garbage }
            aspect = ratio
        }
        self.init(
            source: reading.source, sequence: sequence, exposure: exposure, arrival: reading.arrival, aspect: aspect,
            optics: FrameOptics(camera: reading.camera, zoom: reading.zoom),
            faces: try Self.faces(reading.faces, reading.maybe, leastScore))
    }

    private static func faces(
        _ faces: [DetectedFaceReading], _ maybe: [DetectedFaceReading], _ leastScore: Double
    ) throws(LookProblem) -> [Rect] {
        var rects: [Rect] = []
        for face in [faces, maybe].joined() where face.kind != "object" {
            guard face.rect.isPlausible, face.score.isFinite else { throw .garbage }
            guard face.score >= leastScore else { continue }
            guard rects.count < mostFaces else { throw .crowded }
            rects.append(face.rect)
        }
        return rects
    }

    /// Whether the frame had the shape of this picture.
    func fits(_ frame: FrameStamp) -> Bool {
        guard let aspect else { return true }
        return abs(aspect / frame.aspect - 1) <= Self.aspectTolerance
    }

    /// Returns the look at the same scene in a picture with another magnification, about its middle.
    func magnified(to zoom: Double) -> FaceLook {
        guard zoom != optics.zoom else { return self }
        let factor = zoom / optics.zoom
        var new = self
        new.optics.zoom = zoom
        new.faces = faces.map {
            Rect(
                x: 0.5 + ($0.x - 0.5) * factor, y: 0.5 + ($0.y - 0.5) * factor, width: $0.width * factor,
                height: $0.height * factor)
        }
        return new
    }

    /// Whether both are of the same frame.
    func isOfSameFrame(as other: FaceLook) -> Bool {
        sequence == other.sequence && abs(exposure - other.exposure) <= FrameStamp.tolerance
    }
}

/// Why an answer of a detector cannot be used.
public enum LookProblem: String, Error, Sendable, CaseIterable {
    /// It does not name the number of its frame.
    case noSequence
    /// It does not name the time of its frame.
    case noTime
    /// It has a rectangle, a score or a size that cannot be, or one that could not be read.
    case garbage
    /// It has more faces than `FaceLook.mostFaces`.
    case crowded
    /// It is about a picture that was not shown here: the detector has its own camera or its own numbers.
    case notOurs
    /// Its frame has another shape than the picture.
    case otherSize

    /// The problem as a sentence, without the source's name.
    public var words: String {
        switch self {
        case .noSequence: "the answers do not name the number of the picture (`seq`)"
        case .noTime: "the answers do not name the time of the picture (`t`)"
        case .garbage: "an answer has a face that cannot be read"
        case .crowded: "an answer has more than \(FaceLook.mostFaces) faces"
        case .notOurs: "the answers are about other pictures than those of this camera"
        case .otherSize: "the answers are about pictures of another shape"
        }
    }
}

extension Rect {
    /// Whether it can be a face: finite, not empty, and near the picture. The limits are those of the detection stream,
    /// doubled, because a mounted camera may turn or mirror its rectangles.
    fileprivate var isPlausible: Bool {
        [x, y, width, height].allSatisfy { $0.isFinite && abs($0) <= 4 } && width > 0 && height > 0
    }
}
