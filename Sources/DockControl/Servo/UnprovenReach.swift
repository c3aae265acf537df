internal import Geometry

/// Limits how far tracking may turn an axis without proof, however poor the frames are. It may turn back and forth
/// without limit, but not away. With a wrong camera, the head would run away.
struct UnprovenReach: Sendable, Equatable {
    /// The range in which tracking has turned the axis, in radians, or nil if it has not turned it yet.
    private(set) var places: ClosedRange<Double>?
    /// The position of the axis, in radians.
    private(set) var pose = 0.0
    private var since: Seconds?
    /// When tracking last turned the axis. The motion continues for a while.
    private var tracked: Seconds?

    /// The maximum length of the range, in radians, and the speed at which its ends follow the axis, in rad/s.
    static let most = Double.degrees(24), slow = Double.degrees(0.25)

    /// The time after which motion that tracking started has ended, in seconds.
    static let ramp: Seconds = 0.5
    /// The longest gap in which only reports are lost, in seconds. After a longer one the dock was away, and a hand may
    /// have turned it.
    static let longestLoss: Seconds = 3
    /// The angle (rad) after which the range begins again if something else has turned the axis.
    static let elsewhere = Double.degrees(12)
    private var carried = 0.0

    /// Creates a reach without a range, for an axis at this position.
    init(at pose: Double = 0) { self.pose = pose }

    /// Records the position of the axis. If something other than tracking turns the axis, the range moves with it, and
    /// ends if the motion is large.
    mutating func recordPose(_ pose: Double, isTracked tracked: Bool, now: Seconds) {
        let moved = pose - self.pose, elapsed = since.map { (now - $0).clamped(to: 0...0.25) } ?? 0
        defer { (self.pose, since) = (pose, now) }
        if tracked { (self.tracked, carried) = (now, 0) }
        guard let places else {
            if tracked { self.places = pose...pose }
            return
        }
        // Motion over a gap of lost reports belongs to tracking if tracking turned the axis when the gap began.
        let began = since.map { now - $0 < Self.longestLoss ? $0 : now } ?? now
        guard let last = self.tracked, began - last < Self.ramp else {
            carried += moved
            self.places = abs(carried) > Self.elsewhere ? nil : places.lowerBound + moved...places.upperBound + moved
            return
        }
        let back = Self.slow * elapsed
        self.places = min(pose, places.lowerBound + back)...max(pose, places.upperBound - back)
    }

    /// Returns the range around another position, with as much room on each side as before.
    func moved(to pose: Double) -> UnprovenReach {
        var new = self
        let moved = pose - self.pose
        new.places = places.map { $0.lowerBound + moved...$0.upperBound + moved }
        (new.pose, new.since, new.tracked, new.carried) = (pose, nil, nil, 0)
        return new
    }

    /// Returns whether the axis may continue in the direction of `way` (only its sign matters).
    func allows(_ way: Double) -> Bool {
        guard let places else { return true }
        let gone = way > 0 ? pose - places.lowerBound : places.upperBound - pose
        return gone <= Self.most
    }
}
