internal import DockControl
internal import DockSimulator
internal import DockWire
internal import Geometry

/// Axes with a dead encoder, motors that release on their own, and a dock that was exchanged for another one.
extension SafetyOracle {
    /// If a dead encoder is the only fault, its axis must not be moved further and further.
    func watchDeadEncoders(_ elapsed: Seconds, _ time: Seconds) {
        guard health.troubles == axes.lying.count, wire.isPlugged, axes.hasTorque,
            axes.lying.allSatisfy({ $0.value.until == nil })
        else {
            return onAxes.deadEncoders.forgive(at: axes.pose)
        }
        if let text = onAxes.deadEncoders.passed(elapsed, pose: axes.pose, rate: axes.rate, moving: wire.moving) {
            fail(.deadEncoderStops, time, text)
        }
    }

    /// The other dock is at the port. The daemon can only know that when the dock identifies itself.
    func swapped() {
        unplugged(at: axes.observedAt)
        health.isSwapUnknown = true
    }

    /// The dock at the port has identified itself.
    func greeted(_ identity: Identity) {
        if identity.uniqueID != SimulatedDock.Configuration().uniqueID + 1 { health.isSwapUnknown = false }
    }

    /// The loop reports that the motors released on their own.
    func letGo(at time: Seconds) {
        guard loop?.isReleased == true else { return }
        (requests.mustBeStill, requests.mayStir, requests.isTracking) = (true, false, false)
    }

    /// An axis that does not execute its commands, or does not report its motion, must be detected soon.
    func watch(_ axis: Axis, _ lie: (until: Seconds?, turned: Seconds), _ elapsed: Seconds, _ time: Seconds) {
        // If it strayed meanwhile, it must first return.
        if let until = lie.until, time > until, rig.profile[axis].range.contains(axes.pose[axis]) {
            axes.lying[axis] = nil
            return
        }
        let isTurning = abs(axes.rate[axis]) > .degrees(15)
        if isTurning { axes.lying[axis]?.turned += elapsed }
        guard lie.until == nil, lie.turned > 3 else { return }
        fail(.faultyAxisStops, time, "\(axis.rawValue) has turned for \(ms(lie.turned)) with a wrong motor or encoder")
    }
}
