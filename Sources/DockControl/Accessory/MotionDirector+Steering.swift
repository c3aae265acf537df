internal import DockTypes
public import Geometry

/// How the input's events reach tracking: nothing else passes frames to the pursuit.
extension MotionDirector {
    /// Returns what the input must know to find its next event.
    public func context(poses: PoseHistory, now: Seconds) -> SteeringContext {
        // The lag of a detector's frames is learned. While a program steers, nothing is learned from them.
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

    /// Judges the signs of the axes from the beginning.
    mutating func forgetSigns() { pursuit.signs.reset() }
}
