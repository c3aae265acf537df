import Geometry

/// The tracker's knowledge about one subject, or about a candidate for one.
struct Track: Sendable {
    /// The ID; 0 while it is a candidate.
    var id = 0
    var kind: SubjectKind
    /// Its rectangle now: filtered, or predicted.
    private(set) var box: BoxFilter
    var born: Seconds
    var lastSeen: Seconds
    var isSeen = true
    /// The rectangle of its last detection.
    private(set) var measured: Rect
    private(set) var score: Double
    private(set) var attributes: FaceAttributes
    /// The distance that a depth camera measures, in metres, or nil if none does.
    var depth: Double?
    var salience = 0.0
    var isKept = false
    /// The number of detections that were matched to it.
    private(set) var hits = 1
    /// A past place, with which the present one is compared.
    private(set) var waypoint: Waypoint?

    /// The place and velocity of a track at a past frame. The stationary world may have moved since.
    struct Waypoint: Sendable {
        /// The exposure of that frame.
        var time: Seconds
        /// The filter of the place across the frame.
        var x: AxisFilter
    }

    var isConfirmed: Bool { id > 0 }
    /// The current rectangle: filtered, or predicted.
    var rect: Rect { box.rect }
    /// The known distance in metres: as a depth camera measures it, otherwise as the detector states it.
    var distance: Double? { depth ?? attributes.distance }

    init(_ detection: Detection, at time: Seconds, prior: MotionPrior, options: TrackerOptions) {
        kind = detection.kind
        box = BoxFilter(at: detection.rect, prior: prior, motion: options.motion)
        born = time
        lastSeen = time
        measured = detection.rect
        score = detection.score
        attributes = detection.attributes
    }

    /// Predicts to the next frame's exposure.
    mutating func predict(_ elapsed: Seconds, shift: PictureShift, prior: MotionPrior, options: TrackerOptions) {
        let isFading = !isSeen
        box.predict(elapsed, prior: prior, motion: options.motion, isFading: isFading)
        // A selected subject that has left the frame is expected to return near the position where it left.
        if isFading, isKept { box.waitOutside() }
        move(by: shift)
        isSeen = false
    }

    /// Moves with the stationary world.
    mutating func move(by shift: PictureShift) {
        box.move(by: shift)
        waypoint?.x.move(by: shift.dx, deviation: shift.uncertainty * shift.dx)
    }

    /// Remembers the present place.
    mutating func setWaypoint(at time: Seconds) { waypoint = Waypoint(time: time, x: box.x) }

    /// Whether a detection is probably this subject once more: it lies on it, or one of the two contains the other, as
    /// with the trunk of a body.
    func explains(_ detection: Detection) -> Bool {
        if measured.overlap(detection.rect) > 0.5 { return true }
        guard isConfirmed, kind == detection.kind else { return false }
        let common = measured.intersection(detection.rect)?.area ?? 0
        return common > 0.65 * min(measured.area, detection.rect.area)
    }

    /// Continues the lost track with which this candidate was identified.
    mutating func adopt(_ lost: Track) {
        id = lost.id
        born = lost.born
        salience = lost.salience
        isKept = lost.isKept
    }

    /// Updates with the detection that was matched to this subject.
    mutating func update(_ detection: Detection, at time: Seconds, options: TrackerOptions) {
        box.update(detection.rect, motion: options.motion)
        lastSeen = time
        isSeen = true
        hits += 1
        measured = detection.rect
        score = detection.score
        attributes = detection.attributes
    }
}
