internal import DockWire

/// The effect of each message from the host.
extension DockFirmware {
    static let largestTrim: Int32 = 10_000

    mutating func handle(_ frame: Frame, now: UInt32) {
        session.silence.restart(now)
        let message: HostMessage
        do throws(WireError) {
            message = try HostMessage(frame)
        } catch {
            counters.badBodies &+= 1
            if case .bodyLength = error { return answer(frame, .badLength) }
            return answer(frame, .range)
        }
        switch message {
        case .hello(let hello): greet(hello, frame, now: now)
        case .timeSync(let host):
            session.isTimeValid = true
            outbox.append(.timeSync(host: host, dock: now))
        case .setpoint(let setpoint): admit(setpoint, frame, now: now)
        case .setLimits(let wanted): answer(frame, narrow(wanted) ? .ok : .range)
        case .getLimits(let axis): outbox.append(.limits(axis))
        case .parameter(let request): change(request, frame)
        case .torque(let mask, let on): answer(frame, switchTorque(mask & 3, on: on, now: now))
        case .home: answer(frame, home(now: now))
        case .save:
            // The answer follows when the save is done, because a dock that stored nothing must not confirm it.
            guard configuration.identity.capabilities.contains(.save) else { return answer(frame, .flash) }
            guard session.saveRequest == nil else { return answer(frame, .busy) }
            session.saveRequest = frame.sequence
        case .reboot(let magic):
            session.isRebootRequested = isRebootRequested || magic == HostMessage.rebootMagic
            answer(frame, magic == HostMessage.rebootMagic ? .ok : .range)
        case .emergencyStop(.stop):
            latchEmergencyStop(now: now)
            answer(frame, .ok)
        case .emergencyStop(.clear): answer(frame, clear())
        case .eventAcknowledge(let id): events.acknowledge(id: id)
        case .unknown: counters.unknownTypes &+= 1
        }
    }

    mutating func answer(_ frame: Frame, _ code: ResultCode) {
        outbox.append(
            .acknowledge(Acknowledgement(ofType: frame.type, ofSequence: frame.sequence, code: code)))
    }

    private mutating func greet(_ hello: Hello, _ frame: Frame, now: UInt32) {
        // A new session begins with a dock that stands still, whatever the previous session commanded.
        stop(now: now)
        let version = configuration.identity.protocolVersion
        session.isGreeted = hello.minimumVersion <= version && version <= hello.maximumVersion
        session.isVersionRefused = !isGreeted
        if isGreeted { outbox.append(.hello) } else { answer(frame, .version) }
        // A new host may not know the charge, and it must know it before anything moves.
        reports.isPowerDue = isGreeted && inputs.power != nil
    }

    private mutating func narrow(_ wanted: LimitSet) -> Bool {
        switch wanted.axis {
        case .pan:
            guard pan.narrow(to: wanted.limits) else { return false }
            settings.pan = pan.agreed
        case .tilt:
            guard tilt.narrow(to: wanted.limits) else { return false }
            settings.tilt = tilt.agreed
        }
        return true
    }

    private mutating func change(_ request: ParameterRequest, _ frame: Frame) {
        guard let key = ParameterKey(rawValue: request.key) else { return answer(frame, .range) }
        if request.operation == .set {
            let value = request.value
            let isInRange =
                switch key {
                case .motionRate: value == value.clamped(1, 100)
                case .panTrim, .tiltTrim: value == value.clamped(Self.largestTrim)
                case .idleRelax: value == value.clamped(0, 3600)
                }
            guard isInRange else { return answer(frame, .range) }
            switch key {
            case .motionRate: settings.motionRate = value
            case .panTrim:
                guard pan.setTrim(value) else { return answer(frame, .range) }
                settings.panTrim = value
            case .tiltTrim:
                guard tilt.setTrim(value) else { return answer(frame, .range) }
                settings.tiltTrim = value
            case .idleRelax: settings.idleRelax = value
            }
        }
        outbox.append(.parameter(key))
    }

    private mutating func switchTorque(_ mask: UInt8, on: Bool, now: UInt32) -> ResultCode {
        guard on else {
            drive.torque &= ~mask
            if drive.torque == 0 || drive.retreat.map({ $0.axis.mask & mask != 0 }) == true { stop(now: now) }
            return .ok
        }
        let refusal = refusalToArm
        guard refusal == .ok else { return refusal }
        // Only axes without torque are pinned. A moving one continues.
        if mask & ~drive.torque & 1 != 0 { pan.followMeasured() }
        if mask & ~drive.torque & 2 != 0 { tilt.followMeasured() }
        drive.torque |= mask
        // Motion continues only while its set-point is valid. A host that requests torque again does not steer.
        if drive.setpoint.mode == .idle { drive.sinceSetpoint.restart(now) }
        drive.isRelaxed = false
        drive.isHolding = false
        return .ok
    }

    /// `ok`, or why no motor may be switched on.
    private var refusalToArm: ResultCode {
        if session.isVersionRefused { return .version }
        if isEmergencyStopped { return .emergencyStop }
        if fault != FaultCode.none { return .fault }
        if !isGreeted { return .notArmed }
        return inputs.isPoseKnown ? .ok : .notHomed
    }

    /// `ok`, or why nothing may move.
    var refusalToMove: ResultCode {
        let refusal = refusalToArm
        guard refusal == .ok else { return refusal }
        return drive.torque == 0 ? .notArmed : drive.retreat != nil ? .busy : .ok
    }

    private mutating func clear() -> ResultCode {
        if inputs.isEmergency { return .emergencyStop }
        if inputs.isTooHot { return .fault }
        if drive.retreat != nil { return .busy }
        latch.isEmergencyStopped = false
        latch.fault = FaultCode.none
        drive.panBlocked = 0
        drive.tiltBlocked = 0
        return .ok
    }
}
