internal import Geometry

/// `torque off` is answered when the dock itself says that it has let go: whoever frees a finger believes the answer.
extension LoopCore {
    /// For so long it is waited for, seconds. The driver goes on repeating it all the same.
    static let releasePatience: Seconds = 1

    func beginRelease(now: Seconds, reply: (@Sendable (MotionAnswer) -> Void)?) {
        let answer = torque(false, now: now)
        guard case .success = answer, owesRelease, !SafetyMutant.tellsReleaseAtOnce.isOn else {
            reply?(answer)
            return
        }
        guard abilities.canLetGo else {
            reply?(.failure(Self.holds))
            return
        }
        releasing = (reply, answer, now + Self.releasePatience)
    }

    /// The dock says that its torque is off.
    func released(now: Seconds) {
        owesRelease = false
        if let releasing { endRelease(releasing.answer) }
        markDirty(now: now)
    }

    /// Whoever waits gets to know it; nobody does twice.
    func endRelease(_ answer: MotionAnswer) {
        guard let waiting = releasing else { return }
        releasing = nil
        waiting.reply?(answer)
    }

    /// Of a rig that has no way to let go.
    static let holds = DockError(
        .notSupportedByDevice,
        "this rig cannot let go of its motors: it holds where it stands, and is not moved until `torque on`",
        hint: "take its supply away to turn it by hand")

    /// What to believe, and to do, where the dock has not confirmed it.
    static func unreleased(_ what: String, repeated: Bool = true) -> MotionAnswer {
        .failure(
            DockError(
                .timeout,
                "\(what) that its torque is off: it may still hold" + (repeated ? ", and goes on being told" : ""),
                hint: "hold the axis off by hand, or take the dock's supply away"))
    }
}
