internal import DockControl
internal import Geometry

/// What was seen since the end in peace began.
struct EndingWatch {
    /// Where the head looked when it was told to turn to a pose, and whether that was admitted.
    private(set) var ordered: (from: PanTilt, isAdmitted: Bool)?
    private var pictures = 0, withFace = 0
    private var nearest = Double.infinity
    /// Where the head looked when it began to track, and the furthest that it has turned from there, rad.
    private var from: PanTilt?
    private var turned = 0.0

    /// Somebody has told it to turn to a pose.
    mutating func ordered(from pose: PanTilt, isAdmitted: Bool) { ordered = (pose, isAdmitted) }

    /// It tracks from now on.
    mutating func tracks() { (pictures, withFace, nearest, from, turned) = (0, 0, .infinity, nil, 0) }

    /// A picture with so many faces; how far the head looks past the nearest person, rad.
    mutating func pictured(faces: Int, nearest angle: Double?, pose: PanTilt, at time: Seconds) {
        pictures += 1
        let begin = from ?? pose
        from = begin
        turned = max(turned, (pose - begin).magnitude)
        guard faces > 0, let angle else { return }
        withFace += 1
        nearest = min(nearest, angle)
    }

    /// Somebody was in nearly all pictures, and the head never looked at them. One that has not proven its signs turns in bursts, and may
    /// not catch up with a person who walks; but it turns.
    var hasIgnored: Bool {
        pictures > 15 && withFace * 10 > pictures * 9 && nearest > .degrees(10) && turned < .degrees(20)
    }
}

/// Everything is over: it must be there again and do what it is told.
extension Judge {
    /// Half a second to greet, five of the longest pause between attempts to open the port, and a turn.
    private static let comeback: Seconds = 7
    /// A motion this long begins more slowly than a cheap rig can turn at all, seconds.
    private static let longest: Seconds = 30

    func check(_ ending: Ending, at time: Seconds) {
        guard isSound(for: Self.comeback, at: time) else { return }
        // Whoever tracks by a wrong camera may be latched once more.
        guard let loop, loop.state == .ready || ending == .looks else {
            return fail(.comesBack, time, "all is well, and the dock is \(loop.map { "\($0.state)" } ?? "not there")")
        }
        switch ending {
        case .obeys(let goal):
            guard let (from, isAdmitted) = endings.ordered else {
                return fail(.comesBack, time, "nobody heard the last words")
            }
            let left = (pose - goal).magnitude
            if isAdmitted, story.isCheap, let motion = loop.motion, motion.duration > Self.longest { return }
            if !isAdmitted || (left > .degrees(2.5) && left > (from - goal).magnitude - .degrees(0.2)) {
                fail(
                    .comesBack, time,
                    "told to turn to \(degrees(goal.pan)) \(degrees(goal.tilt)), it looks to \(degrees(pose.pan)) \(degrees(pose.tilt))"
                )
            }
        // That it stands in the end is a matter of chance; how it turns until then is not.
        case .looks: break
        case .follows:
            if endings.hasIgnored { fail(.followsAgain, time, "somebody stood before it, and it did not turn to them") }
        }
    }
}
