internal import Geometry

/// The nod with which the head greets the first face that it sees.
///
/// The nod is small, ends where it began, and is known in advance. The picture must move against it, so it shows whether
/// the signs of both axes are right before the head turns to follow a person.
struct GreetingNod: Sendable, Equatable {
    /// What the head does now.
    enum Act: Sendable, Equatable {
        /// It stays where it is, and looks.
        case hold
        /// It nods along this path.
        case nod(ScriptRun)
        /// There is nothing to greet.
        case none
    }

    /// What the greeting depends on.
    struct View: Sendable {
        /// Whether the last frame showed the face.
        var isSeen = true
        /// How fast the face moves through the room, in rad/s.
        var walk: Double = 0
        /// The usual time between frames, in seconds.
        var period: Seconds
        /// Whether both signs are proven, so that there is nothing to show.
        var isProven = false
        /// The pose of the head, in radians, and how long ago the rig reported it, in seconds.
        var pose: PanTilt
        var age: Seconds
        /// The fraction of the speed that arming and supply allow, 0...1.
        var share: Double

        /// Whether the head may look at the face and then nod.
        var mayBegin: Bool {
            isSeen && walk < GreetingNod.walking && share > 0 && period <= GreetingNod.longestPeriod
        }
    }

    private enum Phase: Equatable {
        case due
        case looking(since: Seconds)
        case nodding(ScriptRun)
        case watching(until: Seconds)
        case over
    }

    private var phase = Phase.due
    private var last: Seconds?
    private var walkedAt: Seconds = -.infinity

    /// The upper bound of the speed, in rad/s. The nod itself reaches 26 deg/s. An axis that is blocked, or whose pose is
    /// late, would otherwise hurry after it.
    static let fastest = Double.degrees(30)
    /// How long a face must be in view before the nod, in seconds. The noise of its rectangles is measured meanwhile.
    static let look: Seconds = 0.2
    /// How long the head waits for the pictures of the nod after its end, in seconds.
    static let delay: Seconds = 0.12
    /// The speed of a face above which it is followed at once, in rad/s. A person who walks on would be out of the image
    /// after a nod, and the nod would show little.
    static let walking = Double.degrees(16)
    /// How long such a face must be slower before the head looks at it, in seconds.
    static let standing: Seconds = 0.5
    /// The gap between two steps after which a greeting that was interrupted is not continued: seconds, and in frames.
    static let gap = (seconds: 0.2, frames: 2.5)
    /// The age above which a reported pose is too old, in seconds: to begin a nod, because a rig at rest may report less
    /// often, and to continue one after `settling`. A rig that reports four times a second says too little about a motion
    /// as quick as this.
    static let oldest = (first: Seconds(0.2), then: Seconds(0.1))
    static let settling: Seconds = 0.15
    /// The time between frames above which they show too little of a nod, and the duration above which a nod is too slow
    /// to show anything, in seconds.
    static let longestPeriod: Seconds = 0.13, longestNod: Seconds = 2
    /// The least fraction of the nod for which there must be room.
    static let leastRoom = 0.9

    /// Whether the head nods.
    var isNodding: Bool { if case .nodding = phase { true } else { false } }
    /// Whether the head nods, or waits for the pictures of the nod.
    var isUnderWay: Bool { if case .watching = phase { true } else { isNodding } }

    /// The nod: the head dips and rises, and sways a quarter of a turn later, so that neither axis copies the other. The
    /// times are the shortest for an acceleration of 450 deg/s²; slower rigs take longer.
    static let script = MotionScript(
        name: "greeting",
        keys: [
            (0, 0, 0), (0.19, 0.82, -2.7), (0.372, 2.7, 0.82), (0.498, 0.82, 2.7), (0.68, -2.7, 0.82), (0.87, 0, 0),
        ].map { MotionScript.Key(time: $0.0, pan: $0.1, tilt: $0.2) },
        path: .flowing)

    /// Ends the greeting, because something else moves the head. If the nod has not begun, it is still due.
    mutating func interrupt() {
        if case .looking = phase { phase = .due }
        if isUnderWay { phase = .over }
    }

    /// Returns what the head of a rig does at `now` instead of following a face.
    mutating func step(_ view: View, rig: RigProfile, now: Seconds) -> Act {
        let isLate = last.map { now - $0 > max(Self.gap.seconds, Self.gap.frames * view.period) } ?? false
        last = now
        if view.isSeen, view.walk >= Self.walking { walkedAt = now }
        switch phase {
        case .due: begin(view, now: now)
        case .looking(let since): look(view, since: since, isLate: isLate, rig: rig, now: now)
        case .nodding(let run):
            let time = now - run.start
            if time >= run.duration { phase = .watching(until: now + Self.delay) }
            if view.age > (time > Self.settling ? Self.oldest.then : Self.oldest.first) || isLate { phase = .over }
        case .watching(let end): if view.isProven || now >= end { phase = .over }
        case .over: break
        }
        switch phase {
        case .looking, .watching: return .hold
        case .nodding(let run): return .nod(run)
        case .due, .over: return .none
        }
    }

    private mutating func begin(_ view: View, now: Seconds) {
        if view.isProven { phase = .over }
        guard !view.isProven, view.mayBegin, now - walkedAt > Self.standing else { return }
        phase = .looking(since: now)
    }

    private mutating func look(_ view: View, since: Seconds, isLate: Bool, rig: RigProfile, now: Seconds) {
        guard view.mayBegin, !isLate else { return phase = .due }
        guard now - since >= Self.look else { return }
        let run = ScriptRun(Self.script, from: view.pose, profile: rig, speedShare: view.share, start: now)
        let fits = run.amplitude >= Self.leastRoom && run.duration <= Self.longestNod
        guard fits, view.age <= Self.oldest.first, abs(view.pose.tilt) < Pursuit.steep else { return phase = .over }
        phase = .nodding(run)
    }
}
