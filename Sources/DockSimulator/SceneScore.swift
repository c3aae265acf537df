internal import Glibc
public import Geometry

/// Judges a run by the truth of its scene: is the person that was chosen in the picture, and where it shall be?
public struct SceneScore: Sendable, Equatable {
    /// Frames that counted: from 1 s after a person was acquired until it is gone.
    public private(set) var counted = 0
    /// Of those, frames in which the person was in the picture with its aim point within 1/6 of the set-point.
    public private(set) var onTargetFrames = 0
    /// Times another person was taken while the one followed was still there.
    public private(set) var switches = 0
    /// Frames in which something was followed that is no person of the scene.
    public private(set) var falseFrames = 0
    /// Persons that were followed.
    public private(set) var acquired: Set<Int> = []

    private var person: Int?
    private var since: Seconds = 0
    private var isOther = false
    private var squares = 0.0

    /// How far the aim point may be from the set-point, in picture widths and heights.
    public static let tolerance = 1.0 / 6
    /// Time after acquisition that does not count, seconds.
    public static let grace: Seconds = 1

    /// Nothing judged yet.
    public init() {}

    /// Share of the counted frames that were on target, 0...1; nil if none counted.
    public var onTarget: Double? { counted == 0 ? nil : Double(onTargetFrames) / Double(counted) }

    /// Root mean square of the angle between where the camera should have pointed and where it did, radians.
    public var rmsError: Double? { counted == 0 ? nil : (squares / Double(counted)).squareRoot() }

    /// Judges one picture.
    /// - Parameters:
    ///   - followed: rectangle of the subject that the daemon follows, nil: nobody.
    ///   - setPoint: where it shall be.
    ///   - goal: the pose that would put a bearing onto the set-point.
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
        let error = goal(truth.bearing, setPoint) - picture.pose
        squares += error.pan * error.pan + error.tilt * error.tilt
    }

    /// Which person it is that is followed.
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
