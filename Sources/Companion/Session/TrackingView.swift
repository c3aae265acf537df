internal import DockTypes
internal import FaceTracker
internal import Geometry

/// The known state of the detections: the newest frame, its rate, the people counted so far, and the source.
struct TrackingView: Sendable {
    /// The last tracked frame, or nil if there is none yet.
    private(set) var frame: TrackedFrame?
    /// The number of distinct subjects. IDs only increase and are never reused.
    private(set) var subjects = 0
    /// The size of the detector's image, in pixels, or nil if unknown.
    var pictureSize: PictureSize?
    /// The state of camera and detectors, or nil if the session does not run them.
    private(set) var vision: VisionHealth?
    /// What programs with a depth camera have measured.
    private(set) var depth = DistanceBoard()
    /// Whether a face or a hand is near the head.
    var near = NearWatch()
    /// How many programs saw the camera's pictures, and until when the screen says so.
    private var seen = (by: 0, until: -Seconds.infinity)

    /// How long the screen says that programs see the pictures, in seconds, however short the look was.
    static let shown: Seconds = 2
    private var frameRate = FrameRate()
    private var highestID = -1
    private var lastFrame: Seconds = -.infinity

    /// How old a frame may be whose distances count as present, in seconds.
    static let fresh: Seconds = 0.3

    /// The time without frames after which no subject counts as in view, in seconds.
    static let silence: Seconds = 1

    /// Records the health of camera and detectors.
    mutating func record(_ health: VisionHealth, now: Seconds) {
        let readers = max(health.readers, vision?.readers ?? 0)
        if readers > 0 { seen = (readers, now + Self.shown) }
        vision = health
    }

    /// Returns how many programs see the camera's pictures, or have just seen them.
    func viewers(now: Seconds) -> Int {
        let readers = vision?.readers ?? 0
        return readers == 0 && now < seen.until ? seen.by : readers
    }

    mutating func record(_ new: TrackedFrame, now: Seconds) {
        frameRate.frame(now: now)
        (frame, lastFrame) = (new, now)
        frame?.measured = depth.distances(now: now)
        for subject in new.subjects where subject.id > highestID {
            highestID = subject.id
            subjects += 1
        }
    }

    /// Records what a program has measured. Returns the number of its subjects that are in view.
    mutating func measured(_ report: DistanceReport, client: Int, now: Seconds, until: Seconds) -> Int {
        depth.set(report, client: client, now: now, until: until)
        frame?.measured = depth.distances(now: now)
        return frame?.subjects.count { report.distances[$0.id] != nil } ?? 0
    }

    /// The least distance that is known now, less its error, in metres: of a face, or of the nearest thing that a depth
    /// camera sees. The result is nil if there is none.
    func leastDistance(now: Seconds) -> Double? {
        let nearest = depth.nearest(now: now)
        guard let frame, now - lastFrame < Self.fresh else { return nearest }
        let faces = frame.subjects.filter { !$0.coasting }.compactMap { frame.nearestDistance(of: $0) }
        return (faces + (nearest.map { [$0] } ?? [])).min()
    }

    /// Forgets what a program has measured, because its connection has ended.
    mutating func left(client: Int, now: Seconds) {
        depth.remove(client: client)
        frame?.measured = depth.distances(now: now)
    }

    /// Forgets the subjects of a detector that has fallen silent. Returns whether there were any.
    mutating func forgetSilent(now: Seconds) -> Bool {
        // What was measured ends by its own time, also without a new frame.
        if frame?.measured.isEmpty == false { frame?.measured = depth.distances(now: now) }
        guard now - lastFrame > Self.silence, var last = frame, !last.subjects.isEmpty || last.followed != nil else {
            return false
        }
        last.subjects = []
        (last.followed, last.bearing, last.world, last.width) = (nil, nil, nil, nil)
        frame = last
        return true
    }

    /// Returns the number of frames per second, or nil if none arrive or the rate is not yet known.
    func rate(now: Seconds) -> Double? { frameRate.rate(now: now) }

    /// The followed person's ID and distance for the status, as " #4 at ~1.3 m"; empty if no person is followed.
    var followedWords: String {
        guard let frame, let followed = frame.followed else { return "" }
        let place = frame.distance(of: followed).map { " at " + SessionState.words($0) } ?? ""
        return " #\(followed.id)" + place
    }
}

/// The number of frames per second, measured from their arrival.
struct FrameRate: Sendable, Equatable {
    private var last: Seconds?
    private var period: Seconds?

    mutating func frame(now: Seconds) {
        if let last {
            let gap = now - last
            period = gap > 1 ? nil : period.map { $0 + 0.1 * (gap - $0) } ?? gap
        }
        last = now
    }

    /// Returns the rate, or nil if no frames arrive or the rate is not yet known.
    func rate(now: Seconds) -> Double? {
        guard let last, let period, now - last < 2, period > 0 else { return nil }
        return 1 / period
    }
}
