internal import DockTypes
public import Geometry

/// Passes the input's events to tracking: nothing else passes frames to the pursuit.
extension MotionDirector {
    /// Returns the information that the input needs to find its next event.
    public func context(poses: PoseHistory, now: Seconds) -> SteeringContext {
        // The lag of a detector's frames and the correction of its view are estimated from them. While a program steers,
        // nothing is estimated from them.
        let isOwn = mode == .custom, isOnHead = pursuit.camera.mount == .head
        return SteeringContext(
            now: now, mode: mode, framing: pursuit.framing, lag: isOwn ? 0 : pursuit.lag, poses: poses,
            magnification: isOwn || isOnHead ? pursuit.lens.magnification : 1,
            correction: !isOwn && isOnHead ? pursuit.lens.correction : 1)
    }

    /// Records a report about the lens of the rig's camera. Returns the width of its picture, in radians, if the lens
    /// has just come to rest.
    mutating func handle(_ report: LensReport) -> Double? {
        let before = pursuit.lens
        pursuit.lens.handle(report)
        guard !report.isMoving, before.isMoving || before.magnification != report.magnification else { return nil }
        guard pursuit.camera.mount == .head else { return nil }
        // Sightings from before the zoom are outdated. The next frame starts tracking again.
        if pursuit.phase != .homing { pursuit.reset() }
        return CameraModel(camera: rig.camera).magnified(by: pursuit.lens.factor).horizontalFieldOfView
    }

    /// Steers by an event of the input.
    public mutating func steer(by event: SteeringEvent, poses: borrowing PoseHistory, now: Seconds) {
        switch event {
        case .newStream:
            // A program's observations do not depend on the detector's stream.
            if mode != .custom { pursuit.reset() }
            pursuit.forgetStream()
        case .newView(let camera):
            let isOtherCamera = camera != signPlaces.seen
            signPlaces.seen = camera
            // Sightings from before are outdated. The next frame starts tracking again.
            if mode != .custom, isOtherCamera || pursuit.phase != .homing { pursuit.reset() }
            if isOtherCamera { pursuit.forgetStream() }
        case .frame(let frame):
            if let shift = frame.shift { pursuit.framing.shift = shift }
            guard (frame.source == .program) == (mode == .custom), pursuit.lens.shows(frame.time) else { return }
            if frame.source == .detector { signPlaces.settle(&pursuit.signs, &greetingNod) }
            pursuit.follow(frame, poses: poses, arrival: now)
        }
    }

    /// Discards the verdicts on the signs of the axes. The next face is greeted.
    mutating func forgetSigns() {
        pursuit.signs.reset()
        greetingNod = GreetingNod()
        signPlaces.forget()
    }
}
