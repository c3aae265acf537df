internal import Geometry
internal import Glibc

/// Models the position of an axis that reports nothing: the commanded path, delayed by a first-order lag, `lag * pose'
/// = input - pose`.
///
/// Between two inputs, the input is assumed to be linear, so that the pose does not depend on how often inputs arrive.
struct FirstOrderLag: Sendable, Equatable {
    /// The time constant, in seconds. If it is 0, the axis is at its input at once.
    let lag: Seconds
    /// The pose, in radians. It is nil if there has been no input.
    private(set) var pose: Double?
    /// The rate, in rad/s.
    private(set) var rate = 0.0
    /// The rate of the input, in rad/s.
    private(set) var inputRate = 0.0
    private var input = 0.0
    private var time: Seconds = 0

    init(lag: Seconds) { self.lag = max(0, lag) }

    /// Processes an input (rad) at `now`.
    mutating func update(_ place: Double, now: Seconds) {
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
        // Behind a linear input, the lag settles at `inputRate * lag`. Any deviation from that decays.
        let start = place - inputRate * elapsed
        let behind = place - inputRate * lag + (pose - start + inputRate * lag) * exp(-elapsed / lag)
        self.pose = behind
        rate = (place - behind) / lag
    }

    /// Records that the axis is at rest at this position (rad), whatever its input was.
    mutating func stand(at place: Double, now: Seconds) {
        (pose, rate, inputRate, input, time) = (place, 0, 0, place, now)
    }

    /// Forgets everything.
    mutating func forget() { (pose, rate, inputRate) = (nil, 0, 0) }
}
