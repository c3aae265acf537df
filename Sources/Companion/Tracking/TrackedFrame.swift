public import DockControl
public import FaceTracker
public import Geometry
internal import SpatialModel

/// One frame of detections after tracking, for the rest of the program. Published streams are derived from this value.
public struct TrackedFrame: Sendable, Equatable {
    /// The detector's own number of the frame, or nil if it gives none.
    public var sequence: Int?
    /// When the frame was taken, CLOCK_MONOTONIC.
    public var exposure: Seconds
    /// The clock of the detector's time, or nil if unknown, as for a program's own observations.
    public var clock: StreamClock?
    /// The camera model, with the detector's own lens if it reports one, or nil if unknown.
    public var camera: CameraModel?
    /// Whether a program observed it (custom tracking), not the detector.
    public var isCustom = false
    /// All subjects, by id.
    public var subjects: [TrackedSubject]
    /// The followed subject, or nil if there is none at the moment.
    public var followed: TrackedSubject?
    /// The IDs that were selected explicitly; empty if the selection is automatic.
    public var selected: [Int]
    /// The intended position of the followed subject in the frame, normalised.
    public var setPoint: Point
    /// The dock's pose at the exposure, in radians, or nil if unknown.
    public var pose: PanTilt?
    /// The bearing of the followed face from the camera's axis, in radians, positive to the right and above.
    public var bearing: PanTilt?
    /// The direction of the followed face in the world (dock angles), in radians, or nil if the pose is unknown.
    public var world: PanTilt?
    /// The angular width of the followed face, in radians.
    public var width: Double?
    /// The distances that programs have measured with a depth camera, by the number of the subject.
    public var measured: [Int: SubjectDistance] = [:]
}

extension TrackedFrame {
    /// Returns how far a subject is: as measured in a depth picture, else as the detector says, else from the size of the
    /// face. The result is nil if none of these is known. An object has no usual size.
    public func distance(of subject: TrackedSubject) -> SubjectDistance? {
        if let measured = measured[subject.id] { return measured }
        return .stated(by: subject.attributes)
            ?? (subject.kind == .person
                ? camera.flatMap {
                    FaceRuler.distance(of: subject.rect, yaw: subject.attributes.yaw, through: PictureLens($0))
                } : nil)
    }
}

extension TrackedFrame {
    /// Returns how near a subject may be, in metres: the least of what each source says, less its error. A measurement of
    /// the wall behind a face must not hide the face. The result is nil if nothing is known.
    func nearestDistance(of subject: TrackedSubject) -> Double? {
        var other = self
        other.measured = [:]
        var unstated = subject
        unstated.attributes.distance = nil
        return [distance(of: subject), other.distance(of: subject), other.distance(of: unstated)].compactMap { known in
            known.map { $0.metres - ($0.error ?? 0) }
        }.min()
    }
}

extension SubjectDistance {
    /// Returns the distance that a detector states with a face, or nil if it states none.
    static func stated(by attributes: FaceAttributes) -> SubjectDistance? {
        attributes.distance.flatMap { SubjectDistance(metres: $0, error: nil, source: .detector) }
    }
}

extension PictureLens {
    /// Creates the lens of a camera.
    init(_ camera: CameraModel) {
        self.init(focal: camera.focal, principal: camera.principal)
        distortion = camera.distortion
    }
}

/// An event of tracking for the session, besides frames.
public enum TrackingEvent: Sendable, Equatable {
    /// A line that is not a detection: command words or a call.
    case command(String)
    /// The size of the frames, in pixels, is known.
    case pictureSize(PictureSize)
    /// A problem with the stream: what, where and what to do.
    case problem(String)
    /// The explicitly selected subject was absent for too long.
    case selectionLost
    /// A status message from the detector.
    case status(level: String, text: String)
    /// The stream ended.
    case ended
}
