internal import DockTypes
internal import Geometry

/// `torque off` is answered when the dock itself reports that its torque is off, because a person who frees a finger
/// relies on the answer.
extension LoopCore {
    func beginRelease(now: Seconds, reply: (@Sendable (MotionAnswer) -> Void)?) {
        let answer = torque(false, now: now)
        guard case .success = answer, torqueRelease.isPending, !SafetyMutant.reportsTorqueOffAtOnce.isOn else {
            reply?(answer)
            return
        }
        guard abilities.canLetGo else {
            reply?(.failure(Self.holds))
            return
        }
        torqueRelease.wait(now: now, answer: answer, reply: reply)
    }

    /// Handles the dock's report that its torque is off.
    func released(now: Seconds) {
        if let over = torqueRelease.confirmed() { over.reply?(over.answer) }
        markDirty(now: now)
    }

    /// Handles a dock that switched its torque off without a request. All motion has ended. The torque stays off until
    /// a person requests it, because a dock that switched it off once may do so again with a hand at the head.
    func letGo(now: Seconds) {
        note(Self.letGoText + "; then type `torque on`")
        torqueRelease.letGo(isSent: link != nil)
        keepTrace(cause: "letGo", now: now)
        if link != nil {
            dock.discard()
            // The torque must stay off when the supply returns. The command precedes the stop, which might make the
            // dock hold again.
            dock.torque(false)
            dock.setActive(true)
            writeNow()
        }
        halt(.stopped, toManual: true, now: now)
        _ = director.apply(.torque(false), now: now, pose: nil)
        observed.following.resetAll()
        schedule.service(by: now + Self.torquePatience)
        renewGuardStop()
        emit(.letGo)
        dockChanged(now: now)
    }

    /// Gives this answer to the request that waits for the dock's report.
    func endRelease(_ answer: MotionAnswer) { torqueRelease.end()?.reply?(answer) }

    /// The text that reports that the dock switched its torque off by itself, and what to check.
    static let letGoText =
        "the dock has switched its torque off by itself, and the head moves freely: "
        + "check its supply, its motors and its wiring"

    /// The error of a rig that cannot switch its torque off.
    static let holds = DockError(
        .notSupportedByDevice,
        "this rig cannot switch its torque off: it holds its position, and is not moved until `torque on`",
        hint: "cut its supply to turn it by hand")

    /// Returns the error for a dock that has not confirmed that its torque is off. It states the possible situation and
    /// what to do.
    static func unreleased(_ what: String, repeated: Bool = true) -> MotionAnswer {
        .failure(
            DockError(
                .timeout,
                "\(what) that its torque is off: it may still hold" + (repeated ? "; the command is repeated" : ""),
                hint: "push the axis away by hand, or cut the dock's supply"))
    }
}
