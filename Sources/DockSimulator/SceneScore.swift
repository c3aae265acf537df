internal import Glibc
public import Geometry

/// Scores a run against the ground truth of its scene: whether the selected person is in the frame and at the
/// set-point.
public struct SceneScore: Sendable, Equatable {
    /// Number of frames that count: from 1 s after a person was acquired until the person is gone.
    public private(set) var counted = 0
    /// Number of these frames with the person in the frame and the aim point within 1/6 of the set-point.
    public private(set) var onTargetFrames = 0
    /// Number of times that another person was taken while the followed one was still there.
    public private(set) var switches = 0
    /// Number of frames in which the followed subject is not a person of the scene.
    public private(set) var falseFrames = 0
    /// The people who were followed.
    public private(set) var acquired: Set<Int> = []

    private var person: Int?
    private var since: Seconds = 0
    private var isOther = false
    private var squares = 0.0

    /// Largest distance of the aim point from the set-point, in frame widths and heights.
    public static let tolerance = 1.0 / 6
    /// Time after acquisition that does not count, seconds.
    public static let grace: Seconds = 1

    /// A score without frames.
    public init() {}

    /// Fraction of the counted frames that were on target, 0...1; nil without counted frames.
    public var onTarget: Double? { counted == 0 ? nil : Double(onTargetFrames) / Double(counted) }

    /// Root mean square of the angle between the wanted and the actual direction of the camera, radians.
    public var rmsError: Double? { counted == 0 ? nil : (squares / Double(counted)).squareRoot() }

    /// Scores one frame.
    /// - Parameters:
    ///   - followed: rectangle of the followed subject; nil: none.
    ///   - setPoint: its wanted position.
    ///   - goal: returns the pose that puts a bearing at the set-point.
    public mutating func judge(
        _ picture: ScenePicture, followed: Rect?, setPoint: Point, goal: (PanTilt, Point) -> PanTilt
    ) {
        if let followed { notice(followed, in: picture) }
        guard let person else { return }
        guard let truth = picture.subjects.first(where: { $0.person == person }) else {
            self.person = nil
            return
        }
        guard picture.exposure - since >= Self.grace else { return }
        counted += 1
        let aim = truth.rect.center
        let isInside = Rect.full.contains(aim)
        if isInside, abs(aim.x - setPoint.x) <= Self.tolerance, abs(aim.y - setPoint.y) <= Self.tolerance {
            onTargetFrames += 1
        }
        let error = goal(truth.bearing, setPoint) - picture.view.pose
        squares += error.pan * error.pan + error.tilt * error.tilt
    }

    /// Determines which person is followed.
    private mutating func notice(_ followed: Rect, in picture: ScenePicture) {
        let nearest = picture.subjects.min { gap($0.rect, followed) < gap($1.rect, followed) }
        guard let nearest, gap(nearest.rect, followed) < 1 else {
            falseFrames += 1
            return
        }
        guard let person, picture.subjects.contains(where: { $0.person == person }) else {
            self.person = nearest.person
            since = picture.exposure
            acquired.insert(nearest.person)
            isOther = false
            return
        }
        if nearest.person != person, !isOther { switches += 1 }
        isOther = nearest.person != person
    }

    private func gap(_ a: Rect, _ b: Rect) -> Double {
        let dx = (a.center.x - b.center.x) / max(a.width, b.width)
        let dy = (a.center.y - b.center.y) / max(a.height, b.height)
        return (dx * dx + dy * dy).squareRoot()
    }
}
