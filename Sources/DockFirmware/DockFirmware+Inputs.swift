public import DockWire

/// The board's inputs to the firmware.
extension DockFirmware {
    /// Takes the sensor readings at `now`: positions in milli-degrees without trim, velocities in milli-degrees per
    /// second.
    ///
    /// Without a reading for 250 ms the dock stops and rejects motion. A board that cannot measure passes its targets.
    public mutating func measured(pan position: Int32, tilt: Int32, panRate: Int32, tiltRate: Int32, now: UInt32) {
        inputs.measuredAt = now
        inputs.sinceMeasured.restart(now)
        inputs.isPoseKnown = true
        self.pan.measure(position.clamped(2_000_000) + settings.panTrim, rate: panRate)
        self.tilt.measure(tilt.clamped(2_000_000) + settings.tiltTrim, rate: tiltRate)
    }

    /// Takes the state of the supply. The host receives it at once if charge or state changed, and otherwise once a
    /// second.
    public mutating func power(_ report: PowerReport) {
        if inputs.power?.percent != report.percent || inputs.power?.state != report.state { reports.isPowerDue = true }
        inputs.power = report
    }

    /// Raises an event, which is repeated to the host until confirmed.
    public mutating func raise(event kind: EventKind, value: Int16, now: UInt32) {
        events.raise(kind, value: value, now: now)
    }

    /// Sets the dock's own emergency button. Pressing it latches, and the latch cannot be cleared while it is pressed.
    public mutating func setEmergencyInput(_ isActive: Bool, now: UInt32) {
        inputs.isEmergency = isActive
        if isActive { latchEmergencyStop(now: now) }
    }

    /// A motor is blocked. It releases the obstacle, backs off by 3 degrees, once, stops, and latches until the host
    /// sends ESTOP clear.
    ///
    /// It backs off only while a host moves it. After a stop, or with a silent host, nothing turns.
    public mutating func stalled(_ axis: DockAxis, now: UInt32) {
        guard fault == FaultCode.none, drive.retreat == nil else { return stop(now: now, atOnce: true) }
        events.raise(.stall, value: Int16(axis.rawValue), now: now)
        let blocked = axis == .pan ? pan : tilt
        let retreat = StallRetreat(axis, against: blocked.push, at: blocked.measured, inside: blocked.limits)
        if axis == .pan { pan.letGo() } else { tilt.letGo() }
        guard refusalToMove == .ok, drive.torque & axis.mask != 0, drive.setpoint.mode != .idle, let retreat else {
            return latchFault(FaultCode.stall, now: now)
        }
        backOff(retreat, now: now)
    }

    /// The motors have released on their own: their supply failed, or their driver protects itself. They hold again
    /// when the host requests torque. Until then the motion reports show that they do not hold.
    public mutating func motorsLetGo(now: UInt32) {
        stop(now: now, atOnce: true)
        drive.torque = 0
    }

    /// Sets whether a motor or the driver is too hot. The dock then stops and latches; it can be cleared once it is
    /// cool.
    public mutating func setOverTemperature(_ isTooHot: Bool, now: UInt32) {
        guard isTooHot != inputs.isTooHot else { return }
        inputs.isTooHot = isTooHot
        guard isTooHot else { return }
        events.raise(.fault, value: Int16(FaultCode.overTemperature), now: now)
        latchFault(FaultCode.overTemperature, now: now)
    }

    /// Whether the host has requested to store ``settings`` and waits for ``saved(_:)``.
    public var wantsSave: Bool { session.saveRequest != nil }

    /// Reports to the host whether its settings are stored.
    public mutating func saved(_ isKept: Bool) {
        guard let sequence = session.saveRequest.take() else { return }
        let code = isKept ? ResultCode.ok : .flash
        outbox.append(.acknowledge(Acknowledgement(ofType: FrameType.save, ofSequence: sequence, code: code)))
    }
}
