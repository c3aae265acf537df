internal import DockControl
internal import DockSimulator
internal import DockWire
internal import Geometry

/// Axes whose encoders are dead, motors that let go by themselves, and a dock that was changed for another one.
extension Judge {
    /// Where an encoder is dead and nothing else is wrong, its axis is not walked on.
    func watchDeadEncoders(_ elapsed: Seconds, _ time: Seconds) {
        guard troubles == lying.count, isPlugged, hasTorque, lying.allSatisfy({ $0.value.until == nil }) else {
            return deadEncoders.forgive(at: pose)
        }
        if let text = deadEncoders.passed(elapsed, pose: pose, rate: rate, moving: moving) {
            fail(.deadEncoderStands, time, text)
        }
    }

    /// The other dock stands at the port; the daemon can know when that one says who it is.
    func swapped() {
        unplugged(at: observedAt)
        isSwapUnknown = true
    }

    /// Who is at the port has said so.
    func greeted(_ identity: Identity) {
        if identity.uniqueID != SimulatedDock.Configuration().uniqueID + 1 { isSwapUnknown = false }
    }

    /// What the loop says of motors that let go by themselves.
    func letGo(at time: Seconds) {
        guard loop?.isReleased == true else { return }
        (mustBeStill, mayStir, isTracking) = (true, false, false)
    }

    /// An axis that does not do what it is told, or does not tell what it does, is found out soon.
    func watch(_ axis: Axis, _ lie: (until: Seconds?, turned: Seconds), _ elapsed: Seconds, _ time: Seconds) {
        // Where it strayed to meanwhile, it comes back from.
        if let until = lie.until, time > until, profile[axis].range.contains(pose[axis]) {
            lying[axis] = nil
            return
        }
        lying[axis]?.turned += abs(rate[axis]) > .degrees(15) ? elapsed : 0
        guard lie.until == nil, lie.turned > 3 else { return }
        fail(.liarStands, time, "\(axis.rawValue) has turned for \(ms(lie.turned)) and its motor or encoder lies")
    }
}
