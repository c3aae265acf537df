internal import Geometry
internal import Glibc

/// Where an axis stands that is told its place and tells nothing back: the way that it was told, behind it as a first-order
/// lag has it, `lag * pose' = input - pose`.
///
/// Between two inputs the input is taken to have gone straight, so that the pose does not depend on how often it was told.
struct FirstOrderLag: Sendable, Equatable {
    /// Time constant, seconds; 0: it stands where it is told at once.
    let lag: Seconds
    /// rad; nil: it was never told anything.
    private(set) var pose: Double?
    /// rad/s.
    private(set) var rate = 0.0
    /// How fast the input goes, rad/s.
    private(set) var inputRate = 0.0
    private var input = 0.0
    private var time: Seconds = 0

    init(lag: Seconds) { self.lag = max(0, lag) }

    /// At `now` the input was `place` (rad).
    mutating func told(_ place: Double, now: Seconds) {
        guard let pose, now > time else {
            if pose == nil { stand(at: place, now: now) }
            return
        }
        let elapsed = now - time
        inputRate = (place - input) / elapsed
        (input, time) = (place, now)
        guard lag > 0 else {
            (self.pose, rate) = (place, inputRate)
            return
        }
        // Behind a straight way the lag settles `inputRate * lag` behind; what differs from that dies away.
        let start = place - inputRate * elapsed
        let behind = place - inputRate * lag + (pose - start + inputRate * lag) * exp(-elapsed / lag)
        self.pose = behind
        rate = (place - behind) / lag
    }

    /// It stands here (rad), whatever it was told.
    mutating func stand(at place: Double, now: Seconds) {
        (pose, rate, inputRate, input, time) = (place, 0, 0, place, now)
    }

    /// Nothing is known.
    mutating func forget() { (pose, rate, inputRate) = (nil, 0, 0) }
}
