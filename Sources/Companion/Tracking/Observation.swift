public import FaceTracker
public import Geometry

/// One subject in one picture, as a program sees it (DockKit's `Observation`).
public struct Observation: Sendable, Equatable {
    /// The program's own number of the subject; the same from picture to picture.
    public var identifier: Int
    /// Person or object.
    public var kind: SubjectKind
    /// Where it is: normalised, origin top-left, upright, unmirrored.
    public var rect: Rect
    /// Where the face turns, radians, + = to the picture's right; nil: not computed.
    public var faceYawAngle: Double?
    /// How sure it is, 0...1.
    public var score: Double
    /// How sure it is that the person speaks, 0...1; nil: not computed.
    public var speaking: Double?
    /// How sure it is that the person looks into the camera, 0...1; nil: not computed.
    public var looking: Double?

    /// A subject, its kind and rectangle; the rest is not computed.
    public init(
        identifier: Int, kind: SubjectKind = .person, rect: Rect, faceYawAngle: Double? = nil, score: Double = 1,
        speaking: Double? = nil, looking: Double? = nil
    ) {
        self.identifier = identifier
        self.kind = kind
        self.rect = rect
        self.faceYawAngle = faceYawAngle
        self.score = score
        self.speaking = speaking
        self.looking = looking
    }
}

/// The camera that observations come from (DockKit's `CameraInformation`); nil: as the profile says.
public struct CameraInformation: Sendable, Equatable {
    /// Horizontal field of view, radians.
    public var horizontalFieldOfView: Double?
    /// Size of the picture, pixels.
    public var referenceDimensions: PictureSize?
    /// The pinhole camera's numbers, pixels of that picture; they win over the field of view.
    public var intrinsics: CameraIntrinsics?
    /// Degrees (0, 90, 180, 270) by which the picture must be turned clockwise to stand upright.
    public var rotate: Int
    /// Whether the picture is mirrored.
    public var mirrored: Bool

    /// As the profile says, unless given.
    public init(
        horizontalFieldOfView: Double? = nil, referenceDimensions: PictureSize? = nil,
        intrinsics: CameraIntrinsics? = nil, rotate: Int = 0, mirrored: Bool = false
    ) {
        self.horizontalFieldOfView = horizontalFieldOfView
        self.referenceDimensions = referenceDimensions
        self.intrinsics = intrinsics
        self.rotate = rotate
        self.mirrored = mirrored
    }
}

/// What a program saw in one picture.
public struct ObservationFrame: Sendable, Equatable {
    /// Longest list, observations.
    public static let capacity = 100

    /// The subjects; none is a sign of life too.
    public var observations: [Observation]
    /// The camera; nil: the profile's.
    public var camera: CameraInformation?
    /// When the picture was taken, CLOCK_MONOTONIC; nil: when it arrives, less the profile's camera latency.
    public var exposure: Seconds?

    /// Observations of one picture.
    public init(_ observations: [Observation], camera: CameraInformation? = nil, exposure: Seconds? = nil) {
        self.observations = observations
        self.camera = camera
        self.exposure = exposure
    }

    /// What is wrong with it; nil: nothing.
    var problem: String? {
        if observations.count > Self.capacity { return "more than \(Self.capacity) observations" }
        if Set(observations.map(\.identifier)).count < observations.count {
            return "an observation's number comes twice"
        }
        for seen in observations {
            let rect = seen.rect, sides = [rect.x, rect.y, rect.width, rect.height]
            guard sides.allSatisfy({ $0.isFinite && abs($0) <= 2 }), rect.width > 0, rect.height > 0 else {
                return "observation \(seen.identifier) has no rectangle in or about the picture"
            }
        }
        return nil
    }
}
