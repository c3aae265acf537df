public import DockWire

/// The dock's messages to the host.
extension DockFirmware {
    /// Events and power reports are not repeated to a host that has been silent for this time, microseconds.
    static let hostGone: UInt32 = 5_000_000

    /// The next byte for the host, or nil if there is none now.
    ///
    /// Answers go first, then events, then reports. A report is built from the newest state when its first byte is
    /// requested, so a slow link makes reports rare but never old.
    public mutating func nextByte(now: UInt32) -> UInt8? {
        if let byte = outbox.nextByte() { return byte }
        guard let message = nextMessage(now: now) else { return nil }
        outbox.start(message)
        return outbox.nextByte()
    }

    /// Whether answers or a started frame still wait to be sent, including the answer to an unfinished SAVE.
    public var hasAnswers: Bool { !outbox.isEmpty || wantsSave }

    /// Events that the host has not confirmed.
    public var outstandingEvents: Int { events.count }

    private mutating func nextMessage(now: UInt32) -> DockMessage? {
        if let reply = outbox.removeFirst() { return message(reply) }
        if isGreeted, session.silence.elapsed(now) < Self.hostGone, let event = events.takeDue(now) {
            return .event(event)
        }
        if reports.isPowerDue, let power = inputs.power {
            reports.isPowerDue = false
            reports.power.restart(now)
            return .power(power)
        }
        if reports.isMotionDue {
            reports.isMotionDue = false
            return .motion(motion)
        }
        return nil
    }

    private func message(_ reply: Reply) -> DockMessage {
        switch reply {
        case .hello: return .helloAck(configuration.identity)
        case .acknowledge(let acknowledgement): return .acknowledge(acknowledgement)
        case .timeSync(let host, let dock): return .timeSync(hostMicroseconds: host, dockMicroseconds: dock)
        case .limits(.pan): return .limits(LimitSet(axis: .pan, limits: pan.limits))
        case .limits(.tilt): return .limits(LimitSet(axis: .tilt, limits: tilt.limits))
        case .parameter(let key):
            let value =
                switch key {
                case .motionRate: settings.motionRate
                case .panTrim: settings.panTrim
                case .tiltTrim: settings.tiltTrim
                case .idleRelax: settings.idleRelax
                }
            return .parameterValue(ParameterValue(key: key.rawValue, value: value))
        }
    }

    /// Marks reports as due.
    mutating func schedule(now: UInt32) {
        let period = 1_000_000 / UInt32(settings.motionRate)
        let waited = reports.motion.elapsed(now)
        if waited >= period {
            reports.isMotionDue = true
            // This keeps the rhythm and does not make up for missed reports.
            reports.motion.restart(waited >= 2 * period ? now : now &- (waited - period))
        }
        if reports.power.elapsed(now) >= 1_000_000 {
            reports.power.restart(now)
            reports.isPowerDue = inputs.power != nil
        }
        noteEdges(now: now)
    }

    private var motion: MotionReport {
        MotionReport(
            microseconds: inputs.measuredAt, pan: pan.measured, tilt: tilt.measured, panRate: pan.measuredRate,
            tiltRate: tilt.measuredRate, flags: flags, lastSetpointSequence: drive.sequence, fault: fault)
    }

    /// The state bits of the next motion report.
    public var flags: MotionFlags {
        var flags = reports.edges
        if drive.torque != 0 { flags.insert(.torque) }
        if isMoving { flags.insert(.moving) }
        if isEmergencyStopped { flags.insert(.emergencyStop) }
        if drive.isDeadmanTripped { flags.insert(.deadman) }
        if drive.isHoming { flags.insert(.homing) }
        if let state = inputs.power?.state, state == .low || state == .critical { flags.insert(.lowBattery) }
        if inputs.isTooHot { flags.insert(.overTemperature) }
        if fault == FaultCode.stall { flags.insert(.stalled) }
        if session.isTimeValid { flags.insert(.timeValid) }
        if !isGreeted { flags.insert(.notGreeted) }
        return flags
    }

    /// Reports once that an axis has reached a limit. It must leave the limit by a degree before the next report.
    private mutating func noteEdges(now: UInt32) {
        note(.panAtMinimum, pan.measured - pan.limits.minimumPosition, value: 0, now: now)
        note(.panAtMaximum, pan.limits.maximumPosition - pan.measured, value: 1, now: now)
        note(.tiltAtMinimum, tilt.measured - tilt.limits.minimumPosition, value: 0x100, now: now)
        note(.tiltAtMaximum, tilt.limits.maximumPosition - tilt.measured, value: 0x101, now: now)
    }

    private mutating func note(_ edge: MotionFlags, _ distance: Int32, value: Int16, now: UInt32) {
        if distance > 1000 {
            reports.edges.remove(edge)
        } else if distance <= 100, !reports.edges.contains(edge) {
            reports.edges.insert(edge)
            if drive.torque != 0 { events.raise(.limit, value: value, now: now) }
        }
    }
}
