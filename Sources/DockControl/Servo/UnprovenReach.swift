internal import Geometry

/// How far tracking may turn an axis that has proven nothing, whatever the pictures are like: to and fro as long as it takes, but not
/// away. What a wrong camera does is run away.
struct UnprovenReach: Sendable, Equatable {
    /// Where tracking has turned the axis, radians; nil: nowhere yet.
    private(set) var places: ClosedRange<Double>?
    private var pose = 0.0
    private var since: Seconds?
    /// When tracking last turned it; it runs on for a while.
    private var tracked: Seconds?

    /// From end to end no farther than this, radians; and the ends follow the axis no faster than this, rad/s.
    static let most = Double.degrees(24), slow = Double.degrees(0.25)

    /// What tracking had under way has ended after this, seconds.
    static let ramp: Seconds = 0.5
    /// Turned so far by something else since then (rad), it begins again from there.
    static let elsewhere = Double.degrees(12)
    private var carried = 0.0

    /// The axis stands there; tracking turns it, or something else does, which takes the reach along and, if it turns the axis far,
    /// ends it.
    mutating func stands(at pose: Double, tracked: Bool, now: Seconds) {
        let moved = pose - self.pose, elapsed = since.map { (now - $0).clamped(to: 0...0.25) } ?? 0
        defer { (self.pose, since) = (pose, now) }
        if tracked { (self.tracked, carried) = (now, 0) }
        guard let places else {
            if tracked { self.places = pose...pose }
            return
        }
        guard let last = self.tracked, now - last < Self.ramp else {
            carried += moved
            self.places = abs(carried) > Self.elsewhere ? nil : places.lowerBound + moved...places.upperBound + moved
            return
        }
        let back = Self.slow * elapsed
        self.places = min(pose, places.lowerBound + back)...max(pose, places.upperBound - back)
    }

    /// It may turn on that way (the sign counts).
    func allows(_ way: Double) -> Bool {
        guard let places else { return true }
        let gone = way > 0 ? pose - places.lowerBound : places.upperBound - pose
        return gone <= Self.most
    }
}
