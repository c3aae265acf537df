internal import Geometry

/// A thing in the room, as pictures from several poses have shown it.
struct Thing: Sendable, Equatable, Identifiable {
    /// Where it was in one picture.
    struct Box: Sendable, Equatable {
        var rect: Rect
        /// When the picture was taken, where the head looked, and the picture's number.
        var time: Seconds, pose: PanTilt, sequence: Int?
        /// Whether the edge of the picture may cut the thing.
        var isCut: Bool
    }

    /// Its number, which is never used again.
    let id: Int
    /// Where it is, and how far that may be wrong, in radians.
    var bearing: Bearing, spread: Double
    /// How large it looks, in radians.
    var width: Double, height: Double
    /// What detectors call it.
    var labels: LabelTally
    /// How many pictures have shown it.
    var support = 1
    /// How many pictures since then should have shown it, and have not.
    var misses = 0
    /// Where it was in the last picture that showed it; nil if it was not in the picture when it was last looked for. A
    /// thing without a place has no box. It never has an empty one.
    var box: Box?
    /// When a picture last showed it, CLOCK_MONOTONIC, from where one did first, and from where the last one did.
    var lastSeen: Seconds, seenFrom: PanTilt, lastFrom: PanTilt
    /// When something in front of it was last seen to hide it, since it was last seen.
    var hiddenAt: Seconds?
    /// Whether no picture has shown it as a whole.
    var isCut: Bool
    /// What verifiers have said of it.
    var verdicts = Verdicts()

    init(_ id: Int, _ sighting: Sighting, in view: FinderView, at pose: PanTilt) {
        self.id = id
        (bearing, width, height) = (sighting.bearing, sighting.width, sighting.height)
        (labels, isCut) = (LabelTally(sighting.labels, time: view.time, from: pose), sighting.isCut)
        spread = Self.startSpread
        (lastSeen, seenFrom, lastFrom) = (view.time, pose, pose)
        box = Box(
            rect: sighting.rect, time: view.time, pose: pose, sequence: view.sequence, isCut: sighting.isCut)
    }

    /// How far a bearing may be wrong after one picture, in radians: the report of the pose, and the box.
    private static let startSpread = Double.degrees(2)
    /// How long a box without a new picture is drawn, in seconds.
    static let coasting: Seconds = 0.4

    /// Adds a sighting.
    mutating func see(_ sighting: Sighting, in view: FinderView, at pose: PanTilt) {
        labels.add(sighting.labels, time: view.time, from: pose)
        (support, misses) = (support + 1, 0)
        (lastSeen, lastFrom, hiddenAt) = (view.time, pose, nil)
        box = Box(
            rect: sighting.rect, time: view.time, pose: pose, sequence: view.sequence, isCut: sighting.isCut)
        guard !sighting.isCut || isCut else { return }
        if isCut, !sighting.isCut {
            (bearing, width, height) = (sighting.bearing, sighting.width, sighting.height)
            isCut = false
        } else {
            // A thing that moves must not lag behind.
            let hasMoved = bearing.angle(to: sighting.bearing) > max(Self.startSpread, width / 3)
            let share = hasMoved ? 1 : 1 / Double(min(support, 4))
            bearing = bearing.blended(with: sighting.bearing, share: share)
            width += (sighting.width - width) * share
            height += (sighting.height - height) * share
            spread = max(Self.startSpread / Double(min(support, 16)).squareRoot(), .degrees(0.5))
        }
    }

    /// Whether it was seen at most so many seconds ago, and is still where it was seen.
    func isSeen(within time: Seconds, now: Seconds) -> Bool { box != nil && now - lastSeen <= time }

    /// Returns the box to draw, or nil if it is too old.
    func drawnBox(now: Seconds) -> Box? { box.flatMap { now - $0.time <= Self.coasting ? $0 : nil } }
}
