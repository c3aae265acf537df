internal import DockWire

/// Set-points, the deadman timer and the supervision of the motors.
extension DockFirmware {
    /// After this time without a set-point the axes hold where they are, microseconds.
    static let holdAfter: UInt32 = 5_000_000
    /// Homing ends when the host has been silent for this time, microseconds. A host that waits for the end sends
    /// TIME_SYNC once a second.
    static let homingSilence: UInt32 = 1_500_000
    /// Least time between answers to rejected set-points, microseconds.
    static let refusalPause: UInt32 = 500_000
    /// Highest speed while homing, milli-degrees per second.
    static let homingSpeed: Int32 = 30_000
    /// A motor that does not follow for this time is blocked, microseconds.
    static let blockedAfter: UInt32 = 500_000
    /// Without a reading for this time the pose is unknown, microseconds.
    static let blindAfter: UInt32 = 250_000

    mutating func admit(_ setpoint: Setpoint, _ frame: Frame, now: UInt32) {
        if setpoint.mode == .idle {
            accept(setpoint, frame, now: now)
            return stop(now: now)
        }
        if session.isTimeValid, setpoint.sentMicroseconds != 0 {
            let age = Int32(bitPattern: now &- setpoint.sentMicroseconds)
            guard age <= Int32(setpoint.deadmanMilliseconds) * 1000, age >= -1_000_000 else {
                counters.staleSetpoints &+= 1
                return
            }
        }
        var refusal = refusalToMove
        if drive.isHoming, !setpoint.flags.contains(.overridesMotion), refusal == .ok { refusal = .busy }
        guard refusal == .ok else {
            // The set-point is rejected, but the host still requests motion.
            if drive.retreat != nil { drive.sinceSetpoint.restart(now) }
            return refuse(frame, refusal, now: now)
        }
        if drive.isHoming { endHoming(isDone: false, now: now) }
        accept(setpoint, frame, now: now)
        // A host may turn back from an obstacle at once. If the motor kept pushing until the target has come back, the
        // result would be a stall. Its latch would reject the host, and a trapped object would stay trapped.
        if setpoint.mode == .velocity {
            let least = configuration.followingError
            if pan.turnsBack(setpoint.panVelocity, behind: least) { pan.letGo() }
            if tilt.turnsBack(setpoint.tiltVelocity, behind: least) { tilt.letGo() }
        }
        if drive.torque & 1 != 0 {
            pan.pursue(setpoint, position: setpoint.panPosition, velocity: setpoint.panVelocity)
        }
        if drive.torque & 2 != 0 {
            tilt.pursue(setpoint, position: setpoint.tiltPosition, velocity: setpoint.tiltVelocity)
        }
    }

    private mutating func accept(_ setpoint: Setpoint, _ frame: Frame, now: UInt32) {
        counters.setpoints &+= 1
        drive.setpoint = setpoint
        drive.sequence = frame.sequence
        drive.sinceSetpoint.restart(now)
        drive.isHolding = false
        drive.isRelaxed = false
        drive.isDeadmanTripped = false
    }

    private mutating func refuse(_ frame: Frame, _ code: ResultCode, now: UInt32) {
        counters.refusedSetpoints &+= 1
        guard !session.hasRefused || session.refusal.elapsed(now) >= Self.refusalPause else { return }
        session.hasRefused = true
        session.refusal.restart(now)
        answer(frame, code)
    }

    /// Slows both axes down at their limit, or with `atOnce` as fast as the motors can. They then hold with torque.
    mutating func stop(now: UInt32, atOnce: Bool = false) {
        if drive.isHoming { endHoming(isDone: false, now: now) }
        drive.setpoint = .stop
        drive.isHolding = false
        // A stop also ends a retreat. The dock latches where it is.
        if drive.retreat.take() != nil { latch.fault = FaultCode.stall }
        pan.stand(atOnce: atOnce)
        tilt.stand(atOnce: atOnce)
    }

    /// Turns an axis back and stops the other one. The deadman timer of the set-point in force continues, so a silent
    /// host ends it.
    mutating func backOff(_ retreat: StallRetreat, now: UInt32) {
        let setpoint = drive.setpoint
        stop(now: now, atOnce: true)
        drive.setpoint = setpoint
        drive.retreat = retreat
        if retreat.axis == .pan { pan.backOff(retreat) } else { tilt.backOff(retreat) }
    }

    mutating func latchEmergencyStop(now: UInt32) {
        latch.isEmergencyStopped = true
        stop(now: now, atOnce: true)
    }

    mutating func latchFault(_ code: UInt8, now: UInt32) {
        stop(now: now, atOnce: true)
        guard fault == FaultCode.none else { return }
        latch.fault = code
    }

    mutating func home(now: UInt32) -> ResultCode {
        let refusal = refusalToMove
        guard refusal == .ok else { return refusal }
        drive.isHoming = true
        drive.setpoint = .stop
        drive.isDeadmanTripped = false
        drive.isHolding = false
        drive.isRelaxed = false
        drive.sinceSetpoint.restart(now)
        if drive.torque & 1 != 0 { pan.pursue(position: 0, velocity: 0, top: Self.homingSpeed) }
        if drive.torque & 2 != 0 { tilt.pursue(position: 0, velocity: 0, top: Self.homingSpeed) }
        return .ok
    }

    mutating func finishHoming(now: UInt32) {
        guard drive.isHoming else { return }
        let isPanDone = drive.torque & 1 == 0 || pan.isSettled
        let isTiltDone = drive.torque & 2 == 0 || tilt.isSettled
        if isPanDone && isTiltDone { endHoming(isDone: true, now: now) }
    }

    private mutating func endHoming(isDone: Bool, now: UInt32) {
        drive.isHoming = false
        drive.sinceSetpoint.restart(now)
        events.raise(.animation, value: isDone ? 0 : 1, now: now)
    }

    /// All conditions that stop the dock without a command.
    mutating func watch(now: UInt32, passed: UInt32) {
        // They are read here also so that they never wrap.
        let silence = session.silence.elapsed(now)
        _ = session.refusal.elapsed(now)
        let waited = drive.sinceSetpoint.elapsed(now)

        if inputs.sinceMeasured.elapsed(now) >= Self.blindAfter, inputs.isPoseKnown {
            inputs.isPoseKnown = false
            stop(now: now)
        }
        if drive.setpoint.mode != .idle, waited >= drive.setpoint.deadmanMilliseconds * 1000 {
            // No host is there to stop it. The dock stops as fast as the motors can, even if the host has lowered the
            // limits.
            stop(now: now, atOnce: true)
            drive.isDeadmanTripped = true
        }
        if drive.isHoming {
            if silence >= Self.homingSilence {
                stop(now: now, atOnce: true)
                drive.isDeadmanTripped = true
            }
        } else if drive.torque != 0 {
            if waited >= Self.holdAfter, !drive.isHolding, !isMoving {
                drive.isHolding = true
                pan.hold()
                tilt.hold()
            }
            // A latched dock does not return to its hold. After an encoder that was stuck reads correctly again, the
            // way back could be long, and no host has requested it.
            if drive.isHolding, latch.isSet {
                pan.yield(passed)
                tilt.yield(passed)
            }
            if settings.idleRelax > 0, waited / 1_000_000 >= UInt32(settings.idleRelax) { drive.isRelaxed = true }
        }
        watchMotors(now: now, passed: passed)
        if let reading = drive.retreat.map({ $0.axis == .pan ? pan.measured : tilt.measured }),
            drive.retreat?.isOver(at: reading, after: passed) == true
        {
            stop(now: now, atOnce: true)
        }
    }

    private mutating func watchMotors(now: UInt32, passed: UInt32) {
        let limit = configuration.followingError
        guard limit > 0, fault == FaultCode.none else { return }
        let isPanBehind = drive.torque & 1 != 0 && abs(pan.followingError) > limit
        let isTiltBehind = drive.torque & 2 != 0 && abs(tilt.followingError) > limit
        let step = min(passed, 20_000)
        drive.panBlocked = isPanBehind ? min(drive.panBlocked + step, Self.blockedAfter) : 0
        drive.tiltBlocked = isTiltBehind ? min(drive.tiltBlocked + step, Self.blockedAfter) : 0
        if drive.panBlocked >= Self.blockedAfter { stalled(.pan, now: now) }
        if drive.tiltBlocked >= Self.blockedAfter { stalled(.tilt, now: now) }
    }
}

extension AxisProfile {
    fileprivate mutating func backOff(_ retreat: StallRetreat) {
        pursue(position: retreat.goal, velocity: 0, top: StallRetreat.speed)
    }

    mutating func pursue(_ setpoint: Setpoint, position: Int32, velocity: Int32) {
        switch setpoint.mode {
        case .idle: stand()
        case .velocity: pursue(velocity: velocity)
        case .position: pursue(position: position, velocity: 0)
        case .positionWithFeedForward: pursue(position: position, velocity: velocity)
        }
    }
}
