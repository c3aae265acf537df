internal import Geometry
internal import Glibc

/// Models the position of an axis that reports nothing: the commanded path, delayed by a first-order lag, `lag * pose' = input -
/// pose`.
///
/// Between two inputs the input is assumed to be a straight line, so that the pose does not depend on how often inputs come.
struct FirstOrderLag: Sendable, Equatable {
    /// Time constant, seconds; 0: the axis is at its input at once.
    let lag: Seconds
    /// rad; nil: no input yet.
    private(set) var pose: Double?
    /// rad/s.
    private(set) var rate = 0.0
    /// Rate of the input, rad/s.
    private(set) var inputRate = 0.0
    private var input = 0.0
    private var time: Seconds = 0

    init(lag: Seconds) { self.lag = max(0, lag) }

    /// Takes an input (rad) at `now`.
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
        // Behind a straight input, the lag settles at `inputRate * lag`; any difference from that dies away.
        let start = place - inputRate * elapsed
        let behind = place - inputRate * lag + (pose - start + inputRate * lag) * exp(-elapsed / lag)
        self.pose = behind
        rate = (place - behind) / lag
    }

    /// The axis stands here (rad), whatever its input was.
    mutating func stand(at place: Double, now: Seconds) {
        (pose, rate, inputRate, input, time) = (place, 0, 0, place, now)
    }

    /// Forgets everything.
    mutating func forget() { (pose, rate, inputRate) = (nil, 0, 0) }
}
