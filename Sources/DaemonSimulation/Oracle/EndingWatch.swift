internal import DockControl
internal import Geometry

/// Observations since the story's quiet end began.
struct EndingWatch {
    /// The pose when the head was commanded to turn to a pose, and whether the command was admitted.
    private(set) var ordered: (from: PanTilt, isAdmitted: Bool)?
    private var pictures = 0, withFace = 0
    private var nearest = Double.infinity
    /// The pose when tracking began, and the largest angle turned since then, rad.
    private var from: PanTilt?
    private var turned = 0.0

    /// The head was commanded to turn to a pose.
    mutating func ordered(from pose: PanTilt, isAdmitted: Bool) { ordered = (pose, isAdmitted) }

    /// Tracking begins now.
    mutating func tracks() { (pictures, withFace, nearest, from, turned) = (0, 0, .infinity, nil, 0) }

    /// Records a frame with `faces` faces. `angle` is the angle between the view and the nearest person, rad.
    mutating func pictured(faces: Int, nearest angle: Double?, pose: PanTilt, at time: Seconds) {
        pictures += 1
        let begin = from ?? pose
        from = begin
        turned = max(turned, (pose - begin).magnitude)
        guard faces > 0, let angle else { return }
        withFace += 1
        nearest = min(nearest, angle)
    }

    /// Whether a person was in nearly all frames and the head never looked at them. A head that has not proven its
    /// signs turns in bursts of 9 degrees and may not catch up with a person who walks, but it must turn.
    var hasIgnored: Bool {
        pictures > 15 && withFace * 10 > pictures * 9 && nearest > .degrees(10) && turned < Self.leastTurn
    }

    /// Two bursts, less the inaccuracy of a cheap rig, rad.
    private static let leastTurn = Double.degrees(16)
}

/// All faults have ended: the dock must be back and must obey.
extension SafetyOracle {
    /// Half a second for the handshake, five of the longest pauses between attempts to open the port, and a turn.
    private static let comeback: Seconds = 7
    /// A longer motion begins so slowly that the end of the story comes first, seconds.
    private static let longest: Seconds = 30

    func check(_ ending: Ending, at time: Seconds) {
        guard isSound(for: Self.comeback, at: time) else { return }
        // An encoder that lied has left evidence against a rig that was not proven, and a person has to clear that.
        if case .faulted(let fault)? = loop?.state, fault == .signSuspect || fault == .pictureDoesNotFollow,
            onAxes.accusations.allow(fault)
        {
            return
        }
        // A rig that tracks with a wrong camera may be latched again.
        guard let loop, loop.state == .ready || ending == .looks else {
            return fail(
                .comesBack, time, "every fault has ended, and the dock is \(loop.map { "\($0.state)" } ?? "not there")")
        }
        switch ending {
        case .obeys(let goal):
            guard let (from, isAdmitted) = onSession.endings.ordered else {
                return fail(.comesBack, time, "the last command did not arrive")
            }
            let left = (axes.pose - goal).magnitude
            if isAdmitted, let motion = loop.motion, motion.duration > Self.longest { return }
            if !isAdmitted || (left > .degrees(2.5) && left > (from - goal).magnitude - .degrees(0.2)) {
                fail(
                    .comesBack, time,
                    "commanded to turn to \(degrees(goal.pan)) \(degrees(goal.tilt)), it points to \(degrees(axes.pose.pan)) \(degrees(axes.pose.tilt))"
                )
            }
        // Whether the head stands still at the end is a matter of chance. How it turns until then is not.
        case .looks: break
        case .follows:
            if onSession.endings.hasIgnored {
                fail(.followsAgain, time, "a person stood in front of the head, and it did not turn to them")
            }
        }
    }
}
