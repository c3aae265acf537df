internal import DockTypes
public import Geometry

/// Passes the input's events to tracking: nothing else passes frames to the pursuit.
extension MotionDirector {
    /// Returns the information that the input needs to find its next event.
    public func context(poses: PoseHistory, now: Seconds) -> SteeringContext {
        // The lag of a detector's frames is estimated from them. While a program steers, nothing is estimated from
        // them.
        SteeringContext(
            now: now, mode: mode, framing: pursuit.framing, lag: mode == .custom ? 0 : pursuit.lag, poses: poses)
    }

    /// Steers by an event of the input.
    public mutating func steer(by event: SteeringEvent, poses: borrowing PoseHistory, now: Seconds) {
        switch event {
        case .newStream:
            // A program's observations do not depend on the detector's stream.
            if mode != .custom { pursuit.reset() }
            pursuit.forgetLatency()
        case .frame(let frame):
            if let shift = frame.shift { pursuit.framing.shift = shift }
            guard (frame.source == .program) == (mode == .custom) else { return }
            pursuit.follow(frame, poses: poses, arrival: now)
        }
    }

    /// Discards the verdicts on the signs of the axes.
    mutating func forgetSigns() { pursuit.signs.reset() }
}
