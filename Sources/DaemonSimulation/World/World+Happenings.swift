internal import Companion
internal import DockControl
internal import DockSimulator
internal import DockTypes
internal import DockWire
internal import Geometry
internal import RobotFace

/// The events of a scenario, and their ends.
extension World {
    func happen(_ what: ScenarioEvent) {
        // Nothing happens if, for example, the loop is already held or the cable is already unplugged.
        guard canHappen(what) else { return }
        oracle.happens(what, at: time)
        switch what {
        case .badLine(let drop, let insert, let flip, let duration):
            change { faults in
                for line in [\SimulatedDock.Faults.toDock, \.toHost] {
                    (faults[keyPath: line].drop, faults[keyPath: line].insert) = (drop, insert)
                    faults[keyPath: line].flip = flip
                }
            }
            later(.line, duration)
        case .narrowLine(let bytes, let duration):
            cable.width = bytes
            later(.width, duration)
        case .slowLine(let delay, let duration):
            change { ($0.toDock.delay, $0.toHost.delay) = (delay, delay) }
            later(.slowness, duration)
        case .mute(let duration):
            change { $0.isMute = true }
            later(.mute, duration)
        case .deaf(let duration):
            change { $0.isDeaf = true }
            later(.deaf, duration)
        case .unplug(let bytes, let duration, let reboots):
            if bytes == 0 { return pull(then: .plug(0, reboots: reboots), after: duration) }
            cable.cut = (bytes, .plug(0, reboots: reboots), duration)
        case .otherDock(let duration):
            pull(then: .plug(1, reboots: true), after: 0.1)
            later(.plug(0, reboots: false), duration)
        case .busyPort(let duration): cable.busyUntil = time + duration
        case .reboot: docks[0].reboot()
        case .emergencyButton(let duration):
            docks[0].setEmergencyInput(true)
            later(.button, duration)
        case .heat(let duration):
            docks[0].setOverTemperature(true)
            later(.heat, duration)
        case .block(let axis, let duration):
            change { $0.blocked.insert(axis) }
            later(.block(axis), duration)
        case .wrongMotor(let axis, let duration):
            change { $0.reversedMotors.insert(axis) }
            later(.axis(axis), duration)
        case .wrongEncoder(let axis, let isFrozen, let duration):
            change { faults in
                if isFrozen { faults.frozenEncoders.insert(axis) } else { faults.reversedEncoders.insert(axis) }
            }
            later(.axis(axis), duration)
        case .falseRates(let pan, let tilt, let duration):
            change { $0.falseRates = PanTilt(pan: pan, tilt: tilt) }
            later(.rates, duration)
        case .letGo: docks[0].letGo()
        case .swapDock(let duration):
            swap()
            later(.plug(0, reboots: false), duration)
        case .guardGone(let duration):
            guardian.die(until: host + duration)
        case .restart: restart()
        case .hang(let duration):
            clock.hold(for: duration)
            oracle.heldUp(from: time, until: clock.heldUntil, wanted: time + deadline - host)
        case .suspend(let duration): clock.suspend(for: duration)
        case .wallClock(let step): clock.adjustWallClock(by: step)
        case .detectorStall(let duration): detector.stall(for: duration, at: time)
        case .detectorFlood(let lines):
            for _ in 0..<lines {
                picture(exposure: time, stamp: host, from: docks[0].pose)
            }
        case .detectorGarbage(let count): detector.writeGarbage(count)
        case .detectorClock(let offset, let duration): detector.shiftClock(by: offset, for: duration, at: time)
        case .person(let number, let isThere): detector.crowd.set(number, isThere: isThere)
        case .stands(let number): detector.crowd.stands(number)
        case .teleport(let number): detector.crowd.teleport(number)
        case .climb(let number, let elevation, let duration):
            detector.crowd.climb(number, to: elevation, from: time, for: duration)
        case .battery(let level): docks[0].battery.level = level
        case .key(let key):
            // While the machine sleeps, no keys are read.
            guard !clock.isAsleep else { return }
            for input in key.inputs { session.press(input) }
            oracle.heard(what, at: time)
        case .words(let line):
            guard !clock.isAsleep else { return }
            session.type(line)
            oracle.heard(what, at: time)
        case .program(let client, let wish):
            guard !clock.isAsleep else { return }
            oracle.asked(wish, by: client, at: time)
            session.call(wish.command, client: client) { [unowned self] answer in
                let isDone = if case .success = answer { true } else { false }
                oracle.programAnswered(wish, client, isDone: isDone, at: time)
            }
        case .programGone(let client):
            guard !clock.isAsleep else { return }
            oracle.left(client, at: time)
            session.leave(client: client)
        }
    }

    private func canHappen(_ what: ScenarioEvent) -> Bool {
        switch what {
        case .narrowLine: cable.width == nil
        case .unplug: cable.plugged != nil && cable.cut == nil
        case .otherDock, .swapDock: cable.plugged == 0
        case .hang, .suspend: !clock.isHeld
        // The daemon knows its dock only since its first handshake.
        case .restart: !clock.isHeld && cable.plugged == 0 && guardian.isAlive && !scenario.hasVisitor
        case .guardGone: guardian.isAlive
        // Motors that were never switched on cannot release.
        case .letGo: cable.plugged == 0 && core.state == .ready && !core.isReleased && docks[0].flags.contains(.torque)
        default: true
        }
    }

    /// Ends a fault whose time is over.
    func repair(_ what: Repair) {
        switch what {
        case .line:
            change { faults in
                for line in [\SimulatedDock.Faults.toDock, \.toHost] {
                    (faults[keyPath: line].drop, faults[keyPath: line].insert) = (0, 0)
                    faults[keyPath: line].flip = 0
                }
            }
        case .width: cable.width = nil
        case .slowness: change { ($0.toDock.delay, $0.toHost.delay) = (0, 0) }
        case .mute: change { $0.isMute = false }
        case .deaf: change { $0.isDeaf = false }
        case .plug(let number, let reboots):
            // The dock at the port is unplugged first.
            if let old = cable.plugged, old != number { cable.link?.hangUp() }
            if reboots { docks[number].reboot() }
            docks[number].advance(to: time)
            _ = docks[number].drainOutput()
            cable.plugged = number
        case .button: docks[0].setEmergencyInput(false)
        case .heat: docks[0].setOverTemperature(false)
        case .rates: change { $0.falseRates = nil }
        case .block(let axis):
            change { $0.blocked.remove(axis) }
            oracle.frees(axis)
        case .axis(let axis):
            change { faults in
                faults.reversedMotors.remove(axis)
                faults.reversedEncoders.remove(axis)
                faults.frozenEncoders.remove(axis)
            }
            oracle.heals(axis, at: time)
        }
        oracle.repaired(at: time)
    }

    private func change(_ change: (inout SimulatedDock.Faults) -> Void) { change(&docks[0].faults) }

    private func later(_ repair: Repair, _ duration: Seconds) { script.repair(repair, at: time + duration) }
}

extension ScenarioKey {
    fileprivate var inputs: [InputEvent] {
        func press(_ key: Key, _ modifiers: KeyModifiers = []) -> InputEvent {
            .key(key, modifiers: modifiers, phase: .press)
        }
        return switch self {
        case .left: [press(.left)]
        case .right: [press(.right)]
        case .up: [press(.up, .shift)]
        case .down: [press(.down)]
        case .stop: [press(.space)]
        case .emergency: [press(.character("x"))]
        case .clear: [press(.character("C")), press(.character("C"))]
        case .home: [press(.character("h"))]
        case .mode: [press(.character("m"))]
        case .framing: [press(.character("f"))]
        case .yes: [press(.character("y"))]
        case .nope: [press(.character("n"))]
        case .wakeup: [press(.character("w"))]
        case .kapow: [press(.character("k"))]
        case .faster: [press(.character("]"))]
        case .slower: [press(.character("["))]
        }
    }
}

extension ProgramWish {
    fileprivate var command: Command {
        switch self {
        case .acquire: .acquireControl
        case .release: .releaseControl
        case .stop: .motion(.stop)
        case .emergencyStop: .motion(.emergencyStop)
        case .clear: .motion(.clear)
        case .mode(let number): .motion(.setMode(TrackingMode.allCases[number]))
        case .velocity(let pan, let tilt, let duration):
            .motion(.velocity(PanTilt(pan: pan, tilt: tilt), duration: duration))
        case .orient(let pan, let tilt, let duration):
            .motion(.orient(PanTilt(pan: pan, tilt: tilt), duration: duration, relative: false))
        case .expect(let pan, let tilt, let duration):
            .motion(.expect(PanTilt(pan: pan, tilt: tilt), duration: duration))
        case .animate(let number): .animate(["yes", "nope", "wakeup", "kapow"][number])
        case .limits(let low, let high, let speed):
            .motion(.setLimits(pan: .set(low: low, high: high, speed: speed), tilt: .keep))
        case .track(let x):
            .track(
                ObservationFrame([
                    Observation(identifier: 1, rect: Rect(center: Point(x: x, y: 0.5), width: 0.1, height: 0.2))
                ]))
        case .torque(let on): .motion(.torque(on))
        case .near(let metres): .show(.distances(DistanceReport(nearest: metres), time: 0.5))
        case .status: .status(why: false)
        }
    }
}
