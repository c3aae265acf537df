public import Geometry
internal import Glibc

/// Decides what a hand does to the head. The hand is a clutch: where it begins, nothing moves; from there on, the head
/// turns by as much as the camera sees the hand turn.
///
/// It holds whenever it is unsure: after silence, after a jump, after a refusal. It has no clock and no dock: its owner
/// hands in the time and the head's pose, and carries out the intents.
public struct TeleopDrive: Sendable {
    /// A hand that has the head.
    private struct Grip: Sendable {
        /// Where the hand and the head were at the beginning, in radians.
        let hand: PanTilt, head: PanTilt
        /// The hand's last pose, its smoothed bearing, and their time.
        var pose: HandPose, bearing: PanTilt, at: Seconds
        /// The usual time between two commands, in seconds, and whether the head waits for the next one.
        var rhythm: Seconds = TeleopDrive.pause, isWaiting = false

        /// When the head waits, because the next command is late.
        func waitsAt(within silence: Seconds) -> Seconds {
            at + min(max(TeleopDrive.pause, 1.5 * rhythm), silence)
        }
    }

    private let settings: TeleopSettings
    private var grip: Grip?
    /// When the last command with a pose came.
    private var heardAt: Seconds = -.infinity
    /// Whether the daemon has refused a motion since the hand began.
    private var isRefused = false
    /// When `<Gripper>` and `<Reset>` count again.
    private var signAt: Seconds = -.infinity

    /// A hand that moves farther or turns more between two commands is not followed: metres, and radians.
    static let jump = 0.25, turn = 30 * Double.pi / 180
    /// The same sign does not count again for this long, in seconds: a recogniser repeats it.
    static let signPause: Seconds = 2
    /// A command that is later than this, or later than one and a half times as usual, stops the head, in seconds. The
    /// hand keeps it.
    static let pause: Seconds = 0.1
    /// After a refusal, only a new beginning counts: `<Start>`, or a pause of this length, in seconds.
    static let refusalPause: Seconds = 1

    /// Creates a drive whose head no hand has.
    public init(_ settings: TeleopSettings = TeleopSettings()) { self.settings = settings }

    /// Whether a hand has the head.
    public var isEngaged: Bool { grip != nil }

    /// The time for the next `tick`, or nil if no hand has the head.
    public var deadline: Seconds? {
        grip.map { $0.isWaiting ? $0.at + settings.silence : $0.waitsAt(within: settings.silence) }
    }

    /// Applies a command, and returns what to do. `head`: the present pose in radians, or nil if it is not known;
    /// without it no hand can begin.
    public mutating func apply(_ command: HandCommand, head: PanTilt?, now: Seconds) -> [TeleopIntent] {
        let late = tick(now: now)
        switch command {
        case .start(let pose):
            defer { heardAt = now }
            isRefused = false
            return late + begin(pose, head, now: now)
        case .track(let pose):
            defer { heardAt = now }
            return late + follow(pose, head, now: now)
        case .end: return late + release(.end)
        case .gripper:
            guard let sign = settings.gripper, now >= signAt else { return late }
            signAt = now + Self.signPause
            // A program's own stop does not bind it, so the hand must let go of the head, too.
            return late + (sign.isStop ? refused() : []) + [.sign(sign)]
        case .reset:
            guard settings.allowsReset, now >= signAt else { return late }
            signAt = now + Self.signPause
            return late + release(.end) + [.home]
        }
    }

    /// Stops the head if a command is late, and lets go if nothing has come for too long.
    public mutating func tick(now: Seconds) -> [TeleopIntent] {
        guard let deadline, now >= deadline, let grip else { return [] }
        if now >= grip.at + settings.silence { return release(.silence) }
        self.grip?.isWaiting = true
        return [.wait]
    }

    /// Lets go because the sender's connection has ended.
    public mutating func disconnected() -> [TeleopIntent] { release(.disconnection) }

    /// Lets go because the daemon refused a motion, or because another client or a person ended one. The same hand does not get the
    /// head back by going on.
    public mutating func refused() -> [TeleopIntent] {
        isRefused = true
        return release(.refusal)
    }

    private mutating func release(_ reason: HoldReason) -> [TeleopIntent] {
        guard grip != nil else { return [] }
        grip = nil
        return [.hold(reason)]
    }

    private mutating func begin(_ pose: HandPose, _ head: PanTilt?, now: Seconds) -> [TeleopIntent] {
        let wasEngaged = grip != nil
        grip = head.map { Grip(hand: pose.bearing, head: $0, pose: pose, bearing: pose.bearing, at: now) }
        guard grip != nil else { return wasEngaged ? [.hold(.refusal)] : [] }
        return wasEngaged ? [] : [.engage]
    }

    private mutating func follow(_ pose: HandPose, _ head: PanTilt?, now: Seconds) -> [TeleopIntent] {
        if isRefused {
            guard now - heardAt >= Self.refusalPause else { return [] }
            isRefused = false
        }
        // Some senders begin without `<Start>`.
        guard var grip else { return begin(pose, head, now: now) }
        guard pose.distance(to: grip.pose) <= Self.jump, pose.angle(to: grip.pose) <= Self.turn else {
            // The head must not stay on its way to where the old hand was.
            return release(.jump) + begin(pose, head, now: now)
        }
        let share = settings.smoothing > 0 ? 1 - exp(-max(0, now - grip.at) / settings.smoothing) : 1
        grip.bearing.pan += share * (pose.bearing.pan - grip.bearing.pan)
        grip.bearing.tilt += share * (pose.bearing.tilt - grip.bearing.tilt)
        grip.rhythm += 0.2 * (now - grip.at - grip.rhythm)
        (grip.pose, grip.at, grip.isWaiting) = (pose, now, false)
        self.grip = grip
        let side = settings.isMirrored ? -settings.gain : settings.gain
        return [
            .aim(
                PanTilt(
                    pan: grip.head.pan + side * (grip.bearing.pan - grip.hand.pan),
                    tilt: grip.head.tilt + settings.gain * (grip.bearing.tilt - grip.hand.tilt)))
        ]
    }
}
