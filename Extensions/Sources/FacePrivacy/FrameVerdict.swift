/// What has to be covered in one picture.
public enum FrameVerdict: Sendable, Equatable {
    /// Nothing: detectors looked before and after it, and found no face nearby.
    case clear
    /// These areas, at least one: detectors looked before and after it, and found faces.
    case faces([FaceArea])
    /// The whole picture.
    case whole(CoverReason)
    /// Nothing, because the owner wants it so.
    case open
}

/// Why a whole picture is covered. The later ones are closer to a picture whose faces are known; of several sources,
/// the closest one counts.
public enum CoverReason: Int, Sendable, CaseIterable, Comparable {
    /// No detector looks at the pictures.
    case noDetector
    /// The answers cannot be used, or one about a picture nearby: no number or time, or a face that cannot be read.
    case garbage
    /// The answers are about other pictures than these.
    case notOurs
    /// The answers are about pictures of another shape.
    case otherSize
    /// No look at a picture shortly before this one: the detector has just started, or was silent.
    case noLookBefore
    /// No look at a picture shortly after this one, in time: the detector is late, or has ended.
    case noLookAfter
    /// The detector has never reported a face, and is not known to look for any.
    case unproven
    /// The head's turn is unknown, and no look is at this very picture.
    case noPose
    /// The picture's magnification changes, and no look is at this very picture.
    case zooming
    /// The head turns fast, and no look is at this very picture.
    case turning
    /// The picture has more faces than can be kept apart.
    case crowded
    /// The picture's number or time does not continue the earlier ones.
    case gap
    /// The owner wants every picture to be covered.
    case setting

    /// The reason in words, as in "covered as a whole: the detector is late".
    public var words: String {
        switch self {
        case .noDetector: "no detector looks at the pictures"
        case .garbage: "the detector's answers cannot be used"
        case .notOurs: "the detector looks at other pictures"
        case .otherSize: "the detector's pictures have another shape"
        case .noLookBefore: "no look shortly before"
        case .noLookAfter: "the detector is late"
        case .unproven: "it is not known whether the detector looks for faces"
        case .noPose: "the head's turn is unknown"
        case .zooming: "the camera zooms"
        case .turning: "the head turns fast"
        case .crowded: "too many faces"
        case .gap: "the camera began again"
        case .setting: "setting `privacy`"
        }
    }

    /// By distance from a picture whose faces are known.
    public static func < (a: CoverReason, b: CoverReason) -> Bool { a.rawValue < b.rawValue }
}

extension LookProblem {
    var reason: CoverReason {
        switch self {
        case .noSequence, .noTime, .garbage, .crowded: .garbage
        case .notOurs: .notOurs
        case .otherSize: .otherSize
        }
    }
}
