internal import DockWire
internal import Geometry
internal import PlainText

/// Handles the dock's messages.
extension DlpDriver {
    mutating func handle(_ message: DockMessage, now: Seconds, into reports: inout [DockReport]) {
        switch message {
        case .helloAck(let identity): greet(identity, into: &reports)
        case .timeSync(let host, let dock):
            if clock.answer(host: host, dock: dock, now: now) { restart(into: &reports) }
        case .motion(let report): move(report, now: now, into: &reports)
        case .power(let report): reports.append(.battery(BatteryState(report)))
        case .event(let event): raise(event, now: now, into: &reports)
        case .acknowledge(let answer):
            hearing.answered(now: now)
            acknowledge(answer, into: &reports)
        case .parameterValue(let value):
            if value.key == ParameterKey.motionRate.rawValue { requests.done(.motionRate) }
        case .limits, .log, .unknown: break
        }
    }

    private mutating func greet(_ identity: Identity, into reports: inout [DockReport]) {
        // A dock also identifies itself without a request when it boots. It has been greeted only if it answers our
        // HELLO.
        guard phase != .closed, greeting.isSent else { return }
        if identity.protocolVersion != 1 { return refuse(.versionMismatch, into: &reports) }
        // Another dock is on the same line. Only its unique ID shows this, because boot counters soon coincide.
        if let uniqueID = greeting.uniqueID, uniqueID != identity.uniqueID, !SafetyMutant.trustsBootID.isOn {
            phase = .closed
            return reports.append(.identified(DockIdentity(identity)))
        }
        // Another boot: the dock has identified itself without a request, and has not been greeted since.
        if let bootID = greeting.bootID, bootID != identity.bootID { return restart(into: &reports) }
        guard phase == .greeting else { return }
        hearing = DlpHearing()
        (greeting.bootID, greeting.uniqueID) = (identity.bootID, identity.uniqueID)
        greeting.answeredAt = latest
        clock.reset()
        phase = .configuring
        torque.isConfirmed = false
        requests.clear()
        requests.ask(.panLimits)
        requests.ask(.tiltLimits)
        if SafetyMutant.torqueComesBack.isOn { (torque.isReleased, torque.staysOff) = (false, false) }
        if torque.isReleased {
            requests.ask(torque: false)
            torque.askedAt = latest
        } else if !torque.staysOff {
            torque.isAwaited = torque.armedBoot == identity.bootID && !SafetyMutant.torqueReturns.isOn
            if !torque.isAwaited { requests.ask(torque: true) }
        }
        reports.append(.identified(DockIdentity(identity)))
        if torque.staysOff { becomeReady(into: &reports) }
    }

    private mutating func move(_ report: MotionReport, now: Seconds, into reports: inout [DockReport]) {
        // One in 65,536 corrupt frames has a matching checksum. The faults in it are as wrong as its position.
        guard report.isPlausible else { return }
        // During the handshake, the dock may have written this before it received the greeting. Later, it means that
        // the dock had only identified itself without a request.
        if report.flags.contains(.notGreeted), phase == .ready || phase == .configuring,
            phase == .ready || now - greeting.answeredAt > Self.greetingInterval
        {
            return restart(into: &reports)
        }
        guard phase == .configuring || phase == .ready else { return }
        defer { if torque.isConfirmed, phase == .configuring { becomeReady(into: &reports) } }
        if torque.isAwaited, !isSameRun(report.microseconds, now: now) {
            (torque.isAwaited, torque.armedBoot) = (false, nil)
            requests.ask(torque: true)
        }
        torque.newestReport = (report.microseconds, now)
        compareTorque(report.flags.contains(.torque), now: now, into: &reports)
        noticeLetGo(report.flags.contains(.torque), into: &reports)
        let unwrapped = clock.time(of: report.microseconds, now: now)
        if unwrapped.isNewEpoch { restart(into: &reports) }
        hearing.recordAccepted(sequence: report.lastSetpointSequence)
        let sign = PanTilt(pan: profile.pan.invert ? -1 : 1, tilt: profile.tilt.invert ? -1 : 1)
        let unit = Double.degrees(0.001)
        reports.append(
            .motion(
                MotionSample(
                    time: unwrapped.time,
                    pose: PanTilt(
                        pan: Double(report.pan) * unit * sign.pan, tilt: Double(report.tilt) * unit * sign.tilt),
                    rate: PanTilt(
                        pan: Double(report.panRate) * unit * sign.pan, tilt: Double(report.tiltRate) * unit * sign.tilt)
                ),
                deadmanTripped: report.flags.contains(.deadman) || hearing.isDeaf(at: unwrapped.time)))
        compareLatch(report.latched, now: now, into: &reports)
    }

    /// Compares the latch in a report with the known one. On a slow line, a report without a latch may be older than
    /// the emergency stop to which the clear refers. So the latch counts as released only after the dock has answered
    /// the clear.
    private mutating func compareLatch(_ present: DockFault?, now: Seconds, into reports: inout [DockReport]) {
        if let present, present != latch.fault { reports.append(.fault(present)) }
        if present == nil, latch.fault != nil {
            if let clearing = latch.clearing, now < clearing.until { return }
            latch.clearing = nil
            reports.append(.faultCleared)
        }
        latch.fault = present
    }

    /// Compares the reported torque with the requested one. Torque off is accepted when the dock reports it, and sent
    /// again until it does, even if it was acknowledged. Torque on is not sent again: a dock that switched its torque
    /// off by itself had a reason.
    private mutating func compareTorque(_ isOn: Bool, now: Seconds, into reports: inout [DockReport]) {
        if torque.isReleased {
            if isOn {
                requests.reopenTorque()
            } else if now >= torque.releaseReportedFrom {
                requests.done(.torque)
                torque.isConfirmed = true
                tellRelease(into: &reports)
            }
        }
        guard let asked = torque.askedAt, now - asked > Self.torqueTime else { return }
        torque.askedAt = nil
        if torque.isReleased, isOn {
            reports.append(
                .disobeys(
                    "the dock keeps its torque: it ignores `torque off`, which is being repeated; do not turn the head by hand; check the dock's cable, or unplug its supply"
                ))
        } else if !torque.isReleased, !isOn, requests.isOpen(.torque), latch.fault == nil {
            reports.append(
                .disobeys(
                    "the dock's torque stays off: it ignores `torque on`, which is being repeated; check its cable"
                ))
        }
    }

    /// Detects a dock that was commanded to hold, has confirmed that it does, and now reports that it does not. Until
    /// the dock has acknowledged the torque, it is rightly off.
    private mutating func noticeLetGo(_ isOn: Bool, into reports: inout [DockReport]) {
        guard !torque.isReleased, !torque.staysOff, torque.isAwaited || (phase == .ready && !requests.isOpen(.torque)),
            !SafetyMutant.torqueReturns.isOn
        else { return }
        guard !isOn else {
            torque.reportsWithout = 0
            if torque.isAwaited { requests.ask(torque: true) }
            torque.isAwaited = false
            return
        }
        torque.reportsWithout += 1
        guard torque.reportsWithout >= Self.letGoReports else { return }
        (torque.isReleased, torque.isReleaseReported, torque.staysOff, torque.isAwaited) = (true, true, true, false)
        reports.append(.letGo)
        // The dock answers, but does not move anything.
        if phase == .configuring { becomeReady(into: &reports) }
    }

    /// Returns whether the dock's clock has continued since its newest report. A dock without persistent memory has the
    /// same boot number after every start, so the number alone does not show that its supply was never interrupted.
    private func isSameRun(_ microseconds: UInt32, now: Seconds) -> Bool {
        guard let newest = torque.newestReport else { return false }
        let elapsed = now - newest.at
        // A clock that is behind its newest report was started again, except for the jitter of a dock's timestamps. 31
        // bits of microseconds last 35 minutes.
        if elapsed < 1800, Int32(bitPattern: microseconds &- newest.microseconds) < -50_000 { return false }
        let counted = UInt32(truncatingIfNeeded: Int64(elapsed.clamped(to: 0...9e9) * 1e6))
        let gap = Int32(bitPattern: microseconds &- newest.microseconds &- counted)
        return abs(Double(gap)) * 1e-6 < Self.clockTolerance + elapsed * Self.clockDrift
    }

    private mutating func tellRelease(into reports: inout [DockReport]) {
        guard torque.isReleased, !torque.isReleaseReported else { return }
        torque.isReleaseReported = true
        reports.append(.released)
    }

    private mutating func raise(_ event: EventReport, now: Seconds, into reports: inout [DockReport]) {
        if acknowledgements.count < 16 { acknowledgements.append(event.id) }
        for event in events.receive(event, bootID: greeting.bootID ?? 0, now: now) {
            report(event, now: now, into: &reports)
        }
    }

    /// Reports an event as what a person did.
    mutating func report(_ event: EventReport, now: Seconds, into reports: inout [DockReport]) {
        let isOld = now - clock.time(ofEarlier: event.microseconds, now: now) > 1
        switch event.kind {
        case .button: reports.append(.event(.button(id: Int(event.value) >> 8, pressed: event.value & 0xFF != 0)))
        case .trackingButton: reports.append(.event(.trackingButton(pressed: event.value != 0)))
        case .shutter: if !isOld, event.value != 0 { reports.append(.event(.cameraShutter)) }
        case .flip: if !isOld, event.value != 0 { reports.append(.event(.cameraFlip)) }
        case .zoom: if !isOld { reports.append(.event(.cameraZoom(steps: Int(event.value)))) }
        case .unknown, .limit, .stall, .animation, .fault, .undock: break
        }
    }

    private mutating func acknowledge(_ answer: Acknowledgement, into reports: inout [DockReport]) {
        switch answer.code {
        case .ok:
            if answer.ofType == FrameType.emergencyStop, answer.ofSequence == latch.clearing?.sequence {
                latch.clearing = nil
            }
            guard requests.done(sequence: answer.ofSequence) == .torque else { return }
            // `ready` means that the dock can be moved, which requires a known pose. The next report contains it.
            if phase == .configuring { torque.isConfirmed = true }
            torque.armedBoot = requests.torque ? greeting.bootID : nil
            tellRelease(into: &reports)
        case .version: refuse(.versionMismatch, into: &reports)
        case .notArmed where answer.ofType == FrameType.setpoint && phase == .ready && !SafetyMutant.torqueReturns.isOn:
            // The dock has restarted, or has switched its torque off. Its reports show which, and each case is handled
            // there.
            if !torque.isReleased { reports.append(.refused(answer.refusal)) }
        case .notArmed:
            // The dock never received our greeting, or has restarted since: start again.
            if phase == .configuring || phase == .ready { restart(into: &reports) }
        case .emergencyStop:
            // An answer from before the handshake says nothing about the dock now.
            guard phase == .configuring || phase == .ready else { return }
            if latch.fault != .emergencyStop { reports.append(.fault(.emergencyStop)) }
            latch.fault = .emergencyStop
        default:
            requests.refused(sequence: answer.ofSequence)
            reports.append(.refused(answer.refusal))
        }
    }

    private mutating func becomeReady(into reports: inout [DockReport]) {
        phase = .ready
        // The last host may have left the dock reporting fifty times a second.
        requests.motionRate = Self.restRate
        requests.ask(.motionRate)
        reports.append(.ready)
    }

    private mutating func refuse(_ reason: DockFault, into reports: inout [DockReport]) {
        guard phase != .refused else { return }
        phase = .refused
        reports.append(.fault(reason))
    }

    /// Greets the dock again, because it restarted or because its clock suggests that it did.
    private mutating func restart(into reports: inout [DockReport]) {
        phase = .greeting
        greeting.nextAt = 0
        greeting.isSent = false
        (greeting.bootID, torque.armedBoot, greeting.uniqueID) = (nil, nil, nil)
        (torque.isAwaited, torque.reportsWithout) = (false, 0)
        // The dock reports its latch again, even if it is the same as before.
        (latch.fault, latch.clearing) = (nil, nil)
        clock.reset()
        requests.clear()
        hearing = DlpHearing()
        reports.append(.rebooted)
    }
}

extension DockIdentity {
    fileprivate init(_ identity: Identity) {
        self.init(
            model: ForeignText.name(identity.model.string),
            firmware: "\(identity.firmware.major).\(identity.firmware.minor).\(identity.firmware.patch)",
            uid: String(identity.uniqueID, radix: 16))
    }
}

extension MotionReport {
    /// Whether the values are possible. No dock turns further than two full turns, or faster than 2000 deg/s.
    fileprivate var isPlausible: Bool {
        let places: ClosedRange<Int32> = -720_000...720_000, rates: ClosedRange<Int32> = -2_000_000...2_000_000
        return places.contains(pan) && places.contains(tilt) && rates.contains(panRate) && rates.contains(tiltRate)
    }

    /// The fault that latches the dock. Its flags report the present state, and its fault field the latched cause that
    /// still holds it.
    var latched: DockFault? {
        if flags.contains(.emergencyStop) { return .emergencyStop }
        if flags.contains(.stalled) || fault == FaultCode.stall { return .stall }
        if flags.contains(.overTemperature) || fault == FaultCode.overTemperature { return .overTemperature }
        return fault == FaultCode.none ? nil : .device
    }
}

extension BatteryState {
    fileprivate init(_ report: PowerReport) {
        let charge: Charge =
            switch report.state {
            case .charging, .full: .charging
            case .external, .unknown: .notChargeable
            case .discharging, .low, .critical: .notCharging
            }
        self.init(
            level: report.percent.map { Double($0) / 100 }, charge: charge,
            isLow: report.state == .low || report.state == .critical, isCritical: report.state == .critical,
            voltage: Double(report.millivolts) / 1000)
    }
}
