internal import FaceTracker
internal import Geometry

/// What is known of the detections: the newest frame, its rate, the people counted so far, and the source.
struct TrackingView: Sendable {
    /// The last tracked frame; nil: none yet.
    private(set) var frame: TrackedFrame?
    /// Number of distinct subjects; ids only grow and are never reused.
    private(set) var subjects = 0
    /// The size of the detector's image, pixels; nil: not known.
    var pictureSize: PictureSize?
    /// State of camera and detectors; nil: the session does not run them.
    var vision: VisionHealth?
    private var frameRate = FrameRate()
    private var highestID = -1

    mutating func record(_ new: TrackedFrame, now: Seconds) {
        frameRate.frame(now: now)
        frame = new
        for subject in new.subjects where subject.id > highestID {
            highestID = subject.id
            subjects += 1
        }
    }

    /// Frames per second; nil: none arrive, or the rate is not known yet.
    func rate(now: Seconds) -> Double? { frameRate.rate(now: now) }

    /// The followed person's id for the status, as " #4"; empty: no person is followed.
    var followedWords: String { frame?.followed.map { " #\($0.id)" } ?? "" }
}

/// Frames per second, measured from their arrival.
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

    /// Nil: no frames arrive, or the rate is not known yet.
    func rate(now: Seconds) -> Double? {
        guard let last, let period, now - last < 2, period > 0 else { return nil }
        return 1 / period
    }
}
