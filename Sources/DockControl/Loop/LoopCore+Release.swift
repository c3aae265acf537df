internal import Geometry

/// `torque off` is answered when the dock itself says that it has let go: whoever frees a finger believes the answer.
extension LoopCore {
    func beginRelease(now: Seconds, reply: (@Sendable (MotionAnswer) -> Void)?) {
        let answer = torque(false, now: now)
        guard case .success = answer, torqueRelease.isOwed, !SafetyMutant.tellsReleaseAtOnce.isOn else {
            reply?(answer)
            return
        }
        guard abilities.canLetGo else {
            reply?(.failure(Self.holds))
            return
        }
        torqueRelease.wait(now: now, answer: answer, reply: reply)
    }

    /// The dock says that its torque is off.
    func released(now: Seconds) {
        if let over = torqueRelease.confirmed() { over.reply?(over.answer) }
        markDirty(now: now)
    }

    /// The dock let go of its motors, and nobody had asked for that. Whatever moved has ended, and nothing switches them on again but
    /// somebody who asks for it: what let go once may do so again with a hand at the head.
    func letGo(now: Seconds) {
        note(Self.letGoText + "; then type `torque on`")
        torqueRelease.letGo(isSent: link != nil)
        keepTrace(cause: "letGo", now: now)
        if let link {
            bytes.removeAll(keepingCapacity: true)
            // It shall stay so, also where its supply comes back; and before the stop, by which it might hold again.
            driver.encodeTorque(false, into: &bytes)
            driver.setActive(true, into: &bytes)
            _ = link.write(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        halt(.stopped, toManual: true)
        _ = director.take(.torque(false), now: now, pose: nil)
        following.forget()
        serviceAt = min(serviceAt, now + Self.torquePatience)
        renewGuardStop()
        emit(.letGo)
        dockChanged(now: now)
    }

    /// Whoever waits for the dock's report gets this answer instead.
    func endRelease(_ answer: MotionAnswer) { torqueRelease.end()?.reply?(answer) }

    /// What has happened, and what to do.
    static let letGoText =
        "the dock has let go of its motors by itself, the head is free: check its supply, its motors and its wiring"

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
