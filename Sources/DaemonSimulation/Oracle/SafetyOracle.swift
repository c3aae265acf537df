internal import Companion
internal import DockControl
internal import DockSimulator
internal import DockWire
internal import Geometry

/// Watches one story from outside the daemon: the bytes on the wire, the true axes, the requests and the answers. It
/// uses only its own observations. From the loop it takes only the owner of the motion.
final class SafetyOracle {
    let scenario: Scenario
    let rig: ObservedRig
    weak var loop: LoopCore?
    private var record = OracleRecord()

    /// Receives every message to and from the dock, and every answer to people, for `--aloud`.
    var onWord: ((Seconds, String) -> Void)?

    /// The bytes on the wire, in both directions.
    var wire = WireView()
    /// The true axes.
    var axes = AxisView()
    /// Whether the dock and its line work.
    var health = LineHealth()
    /// What was requested.
    var requests: Requests
    /// The limits of motion that are in force.
    var bounds = MotionBounds()
    /// Who has the dock, and what waits for an answer.
    var owners = Ownership()
    /// Rules about messages to and from the dock.
    var onWire = WireRules()
    /// Rules about the motion of the axes.
    var onAxes: AxisRules
    /// Rules about people, programs and detections.
    var onSession: SessionRules

    init(scenario: Scenario, profile: RigProfile, model: RigModel) {
        self.scenario = scenario
        rig = ObservedRig(profile: profile, model: model)
        requests = Requests(isTracking: scenario.tracksAtFirst)
        onAxes = AxisRules(signs: SignWatch(camera: scenario.camera, isRough: scenario.sight != nil))
        if scenario.camera != nil { onAxes.accusations.cameraIsWrong() }
        let ramp = max(
            profile.pan.maxSpeed / profile.pan.maxAcceleration, profile.tilt.maxSpeed / profile.tilt.maxAcceleration)
        onSession = SessionRules(
            lost: LostWatch(frameRate: scenario.frameRate, home: profile.home, ramp: ramp),
            frames: FrameWatch(frameRate: scenario.frameRate, profile: profile))
    }

    /// The first broken rule.
    var violation: Violation? { record.violation }
    /// A hash of all bytes on the wire and their times. Two runs of the same story have the same value.
    var fingerprint: UInt64 { record.fingerprint }

    func fail(_ rule: Rule, _ time: Seconds, _ text: @autoclosure () -> String) {
        guard violation == nil else { return }
        let violation = Violation(rule: rule, time: time, text: text())
        record.fail(violation)
    }

    func note(_ bytes: [UInt8], _ time: Seconds) { record.note(bytes, time) }

    /// Range and speed limit of an axis, rad and rad/s.
    func allowed(_ axis: Axis) -> (range: ClosedRange<Double>, speed: Double) {
        bounds.limits[axis] ?? (rig.profile[axis].softRange, rig.profile[axis].maxSpeed)
    }

    // MARK: what happens to the world

    func happens(_ what: ScenarioEvent, at time: Seconds) {
        onAxes.accusations.happens(what)
        // A speed computed from the poses themselves is noisy.
        if case .falseRates = what {
            onAxes.pole.spoil()
            onSession.lost.misled(at: time)
        }
        if case .deaf(let duration) = what {
            onWire.deaf.deaf(at: time)
            wire.deafUntil = max(wire.deafUntil, time + duration + 0.1)
        }
        if case .guardGone = what { onWire.holds.forgive() }
        if case .stands = what { onAxes.signs.stands(at: time) }
        switch what {
        case .badLine, .narrowLine, .slowLine, .mute, .deaf, .unplug, .otherDock, .swapDock, .falseRates, .heat,
            .emergencyButton:
            // The other dock is plugged in, and ours after it: two repairs.
            if case .otherDock = what { health.troubles += 1 }
            health.troubles += 1
            onAxes.blocks.forgive()
            if case .emergencyButton = what { onSession.people.pressedButton() }
        case .block(let axis, _):
            health.troubles += 1
            onAxes.blocks.blocks(axis)
        case .letGo: onWire.release.letGo()
        case .reboot:
            onWire.release.restarted()
            health.soundSince = max(health.soundSince, time + 0.5)
            onWire.drift.sound(from: time + 0.5)
        case .wrongMotor(let axis, _), .wrongEncoder(let axis, _, _):
            health.troubles += 1
            axes.lying[axis] = (nil, 0)
            axes.hasLied = true
            onAxes.pole.spoil()
            if case .wrongEncoder(_, true, _) = what { onAxes.deadEncoders.dies(axis, at: axes.pose) }
        case .suspend(let duration):
            if duration > 0.06 { health.gapNeedsHello = true }
            onAxes.deadEncoders.held(for: duration, moving: wire.moving)
            held(until: time + duration)
        case .hang(let duration):
            // A loop that had nothing to do does not know that it was held.
            if duration > 0.4, wire.moving != nil { health.gapNeedsHello = true }
            onAxes.deadEncoders.held(for: duration, moving: wire.moving)
            held(until: time + duration)
        case .busyPort(let duration): health.soundSince = max(health.soundSince, time + duration + 0.5)
        case .detectorClock(_, let duration):
            onSession.lost.held(until: time + duration + 0.5)
            onSession.frames.clockJumped()
            onAxes.pole.spoil()
        case .battery(let level):
            // A way home that has begun may end.
            bounds.mayGoHomeUntil = level <= 0.05 ? .infinity : min(bounds.mayGoHomeUntil, time + 15)
        default: break
        }
    }

    private func held(until time: Seconds) {
        health.soundSince = max(health.soundSince, time + 0.5)
        onWire.release.held(until: time)
        onWire.stops.forgive()
        onWire.deaf.forgive()
        onWire.drift.sound(from: time)
        onSession.lost.held(until: time)
    }

    /// Whether the line has worked for this time, without a fault at our dock.
    func isSound(for duration: Seconds, at time: Seconds) -> Bool {
        health.troubles == 0 && wire.isPlugged && time > health.soundSince + duration
    }

    /// With several faults at once, some may last longer. The world counts as repaired when none is left.
    func repaired(at time: Seconds) {
        health.troubles = max(0, health.troubles - 1)
        onWire.deaf.forgive()
        onWire.drift.sound(from: time)
        health.soundSince = max(health.soundSince, time + 0.5)
    }

    func opened(at time: Seconds, dock: Int) {
        wire.openedAt = time
        health.isSwapUnknown = false
        onWire.drift.sound(from: time + 0.5)
        wire.isPlugged = dock == 0
        onWire.stops.portOpened()
        onWire.latch.portOpened()
        onSession.people.greets()
        onWire.release.restarted()
        bounds.lowSince = nil
        wire.toDock.reset()
        wire.toHost.reset()
        wire.helloAt = nil
        wire.firstMotionAt = nil
        wire.moving = nil
        wire.lastFrameWasStop = false
    }

    func unplugged(at time: Seconds) {
        wire.moving = nil
        wire.isPlugged = false
        onWire.stops.forgive()
        // What the loop has not read yet is lost with the port.
        onSession.people.greets()
        // Requested motion is over.
        requests.manualUntil = min(requests.manualUntil, time)
    }

    func left(_ client: Int, at time: Seconds) {
        guard owners.lease?.client == client else { return }
        owners.lease = nil
        onSession.leases.lost(by: client)
        if owners.running?.isLeased == true, owners.running?.client == client { owners.orphanedAt = time }
    }

    // MARK: the true axes

    func observe(_ dock: SimulatedDock, at time: Seconds) {
        (axes.pose, axes.rate) = (dock.pose, dock.rate)
        axes.hasTorque = dock.flags.contains(.torque)
        let elapsed = time - axes.observedAt
        axes.observedAt = time
        onAxes.proof.passed(elapsed, rate: axes.rate)
        watchDock(dock, elapsed, time)
        watchOwed(dock, elapsed, time)
        watchDeadEncoders(elapsed, time)
        // Hands move an axis without torque.
        guard axes.hasTorque else { return }
        for axis in Axis.allCases {
            if let lie = axes.lying[axis] {
                watch(axis, lie, elapsed, time)
                continue
            }
            let range = rig.profile[axis].range, slack = Double.degrees(0.6)
            if axes.pose[axis] > range.upperBound + slack || axes.pose[axis] < range.lowerBound - slack {
                fail(.staysInRange, time, "\(axis.rawValue) at \(degrees(axes.pose[axis]))")
            }
        }
        let speed = axes.rate.magnitude
        // A dock that was given wrong positions creeps when it learns where it is. One with a noisy encoder corrects
        // its readings.
        guard speed > .degrees(axes.hasLied ? 5 : scenario.isCheap ? 3 : 0.6), axes.lying.isEmpty else { return }
        // Without a deadman timer nothing stops the dock while the line is faulty, or directly afterwards.
        guard scenario.hasDeadman || (health.troubles == 0 && time > health.soundSince + unheardTime) else { return }
        // The dock accepts no set-point older than its deadman time, and keeps none longer than that.
        if time > axes.freshUntil + coasting(speed) {
            fail(
                .freshSetpoints, time,
                "turns at \(degrees(speed))/s, last set-point \(ms(time - wire.lastSetpointAt)) old")
        }
        if let standsBy = axes.standsBy, time > standsBy, health.troubles == 0, health.soundSince < wire.lastSetpointAt
        {
            fail(.stopIsEffective, time, "turns at \(degrees(speed))/s after a stop")
        }
    }

    /// How long after a repair the handshake may take, seconds. The daemon retries less often at a port that had
    /// another dock.
    private var unheardTime: Seconds { scenario.hasVisitor ? DockMachine.longestUnheardPause + 1.5 : 2.5 }

    /// What the dock must have received by now, and what must no longer be sent to it.
    private func watchDock(_ dock: SimulatedDock, _ elapsed: Seconds, _ time: Seconds) {
        if health.troubles == onAxes.blocks.count, wire.isPlugged, time > health.soundSince + 1,
            let text = onAxes.blocks.passed(elapsed, moving: wire.moving)
        {
            fail(.blockedAxisStops, time, text)
        }
        guard isSound(for: 0, at: time), let helloAt = wire.helloAt else { return }
        if let text = onWire.stops.passed(to: time) { fail(.stopIsRepeated, time, text) }
        if onWire.latch.isDue(at: time, soundSince: max(health.soundSince, helloAt + 0.5)), !dock.isEmergencyStopped {
            fail(.emergencyArrives, time, "an emergency stop was requested, and the dock has not received it")
        }
    }

    func degrees(_ radians: Double) -> String { "\((radians.inDegrees * 10).rounded() / 10) deg" }
    func ms(_ seconds: Seconds) -> String { "\(Int(seconds * 1000)) ms" }
}
