internal import Geometry

/// The looks of one source around a picture: those at or before it, and those at or after it, nearest first. A look at
/// this very picture is the first one of both.
struct LookEnclosure: Sendable {
    let befores: [FaceLook], afters: [FaceLook]
    /// How the view changed between the nearest two.
    let motion: ViewMotion

    /// The maximum number of looks on each side. It limits the work for a detector that answers without end.
    static let most = 8

    /// Returns why these looks do not show the faces of a picture, or nil if they do.
    func objection(_ frame: FrameStamp, _ policy: FacePolicy) -> CoverReason? {
        guard let before = befores.first, frame.exposure - before.exposure <= policy.reach else { return .noLookBefore }
        guard let after = afters.first, after.exposure - frame.exposure <= policy.reach else { return .noLookAfter }
        guard !before.isOfSameFrame(as: after) else { return nil }
        guard !motion.isZooming else { return .zooming }
        guard policy.mount == .head else { return nil }
        guard let turn = motion.turn else { return .noPose }
        return turn <= policy.fastTurn ? nil : .turning
    }

    /// Returns the areas in which the faces can have been at the time of a picture, beside those where the looks show
    /// them.
    func paths(in frame: FrameStamp, _ policy: FacePolicy) -> [FaceArea] {
        let speed = FaceSpeed(policy, motion, frame)
        return speed.paths(from: befores, to: afters) + speed.paths(from: afters, to: befores)
            + strays(from: befores, to: afters, speed) + strays(from: afters, to: befores, speed)
    }

    /// Returns where the faces can be that only one side shows: they came into view, or left it, or nearer looks have
    /// missed them.
    private func strays(from starts: [FaceLook], to ends: [FaceLook], _ speed: FaceSpeed) -> [FaceArea] {
        let reach = speed.policy.reach
        guard let end = ends.first, speed.age(end) <= reach else { return [] }
        return starts.prefix { speed.age($0) <= reach }.enumerated().flatMap { index, start in
            start.faces.filter { face in
                let nearer = starts.prefix(index).reversed() + speed.near(ends, start, isNearest: index == 0)
                return speed.path(from: face, of: start, to: nearer).isEmpty
            }
            .map { speed.around($0, of: start, isNearest: index == 0) }
        }
    }
}

/// How fast faces can move in a picture, and the areas that follow from it.
struct FaceSpeed: Sendable {
    let policy: FacePolicy
    /// When the picture was taken, CLOCK_MONOTONIC.
    let time: Seconds
    /// How fast a turning head moves the picture, in picture widths a second.
    let turning: Double
    /// The width of the picture divided by its height.
    let aspect: Double

    init(_ policy: FacePolicy, _ motion: ViewMotion, _ frame: FrameStamp) {
        (self.policy, time, aspect) = (policy, frame.exposure, frame.aspect)
        turning = policy.mount == .head ? (motion.turn ?? policy.fastTurn) / policy.pictureAngle : 0
    }

    /// Returns the time between a look and the picture, in seconds.
    func age(_ look: FaceLook) -> Seconds { abs(look.exposure - time) }

    /// Returns the areas through which faces moved: from each face on one side to its next sight on the other side, so
    /// that a look that missed a face in motion leaves no hole. Where two people are closer to each other than a face
    /// can move, the space between them is covered, too.
    func paths(from starts: [FaceLook], to ends: [FaceLook]) -> [FaceArea] {
        starts.enumerated().flatMap { index, start in
            let near = self.near(ends, start, isNearest: index == 0)
            return start.faces.flatMap { path(from: $0, of: start, to: near) }
        }
    }

    /// Returns the looks on the other side in which the faces of a look may be the same: the nearest one for the
    /// nearest, and those close in time. Others would join different people.
    func near(_ ends: [FaceLook], _ start: FaceLook, isNearest: Bool) -> [FaceLook] {
        let close = ends.prefix { abs($0.exposure - start.exposure) <= policy.reach }
        return Array(isNearest && close.isEmpty ? ends.prefix(1) : close)
    }

    /// Returns the hulls of a face and its sights in the first look that shows it.
    func path(from face: Rect, of start: FaceLook, to ends: [FaceLook]) -> [FaceArea] {
        for end in ends {
            let (dx, dy) = distance(face, abs(end.exposure - start.exposure))
            let sights = end.faces.filter { other in
                abs(face.center.x - other.center.x) <= max(dx, dx * other.width / face.width)
                    && abs(face.center.y - other.center.y) <= max(dy, dy * other.height / face.height)
            }
            guard sights.isEmpty else {
                let drift = policy.drift * min(age(start), age(end)), from = FaceArea(face, growth: policy.growth)
                return sights.map { other in
                    let hull = from.hull(FaceArea(other, growth: policy.growth))
                    return hull.extended(dx: drift * hull.faceWidth, dy: drift * hull.faceHeight)
                }
            }
        }
        return []
    }

    /// Returns where a face of a look can be at the time of the picture.
    func around(_ face: Rect, of look: FaceLook, isNearest: Bool) -> FaceArea {
        let share = isNearest ? 1 : policy.missedPerSecond / policy.facesPerSecond
        let (dx, dy) = distance(face, age(look) * share)
        return FaceArea(face, growth: policy.growth).extended(dx: dx, dy: dy)
    }

    /// Returns how far a face can move in a time: by its own motion and by that of the head, in picture widths and
    /// heights.
    private func distance(_ face: Rect, _ time: Seconds) -> (dx: Double, dy: Double) {
        let sizes = policy.facesPerSecond * time
        return (face.width * sizes + turning * time, face.height * sizes + turning * time * aspect)
    }
}
