internal import DockWire
internal import Geometry
internal import PlainText

/// Handles the dock's messages.
extension DlpDriver {
    mutating func take(_ message: DockMessage, now: Seconds, into reports: inout [DockReport]) {
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
        // A dock identifies itself unasked when it boots; it has been greeted only when it answers us.
        guard phase != .closed, hasGreeted else { return }
        if identity.protocolVersion != 1 { return refuse(.versionMismatch, into: &reports) }
        // Another dock is on the same line. Only its unique ID shows this: boot counters are soon the same.
        if let uniqueID, uniqueID != identity.uniqueID, !SafetyMutant.trustsBootID.isOn {
            phase = .closed
            return reports.append(.identified(DockIdentity(identity)))
        }
        // Another boot: the dock has identified itself unasked, and has not been greeted since.
        if let bootID, bootID != identity.bootID { return restart(into: &reports) }
        guard phase == .greeting else { return }
        hearing = DlpHearing()
        (bootID, uniqueID) = (identity.bootID, identity.uniqueID)
        identifiedAt = latest
        clock.reset()
        phase = .configuring
        hasTorque = false
        requests.clear()
        requests.ask(.panLimits)
        requests.ask(.tiltLimits)
        if SafetyMutant.torqueComesBack.isOn { (isReleased, motionless) = (false, false) }
        if isReleased {
            requests.ask(torque: false)
            torqueAsked = latest
        } else if !motionless {
            awaitsTorque = armedBoot == identity.bootID && !SafetyMutant.torqueReturns.isOn
            if !awaitsTorque { requests.ask(torque: true) }
        }
        reports.append(.identified(DockIdentity(identity)))
        if motionless { becomeReady(into: &reports) }
    }

    private mutating func move(_ report: MotionReport, now: Seconds, into reports: inout [DockReport]) {
        // One in 65,536 broken frames has a checksum that fits; the faults in it are as wrong as its position.
        guard report.isPlausible else { return }
        // During the handshake, the dock may have written this before it heard the greeting. Later, it had only identified itself
        // unasked.
        if report.flags.contains(.notGreeted), phase == .ready || phase == .configuring,
            phase == .ready || now - identifiedAt > Self.greetingInterval
        {
            return restart(into: &reports)
        }
        guard phase == .configuring || phase == .ready else { return }
        defer { if hasTorque, phase == .configuring { becomeReady(into: &reports) } }
        if awaitsTorque, !isSameRun(report.microseconds, now: now) {
            (awaitsTorque, armedBoot) = (false, nil)
            requests.ask(torque: true)
        }
        newest = (report.microseconds, now)
        compareTorque(report.flags.contains(.torque), now: now, into: &reports)
        noticeLetGo(report.flags.contains(.torque), into: &reports)
        let unwrapped = clock.time(of: report.microseconds, now: now)
        if unwrapped.isNewEpoch { restart(into: &reports) }
        hearing.took(sequence: report.lastSetpointSequence)
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

    /// On a late line, a report without a latch may be older than the emergency stop that the clear is for. So the latch counts as
    /// released only after the dock has answered the clear.
    private mutating func compareLatch(_ present: DockFault?, now: Seconds, into reports: inout [DockReport]) {
        if let present, present != fault { reports.append(.fault(present)) }
        if present == nil, fault != nil {
            if let clearing, now < clearing.until { return }
            clearing = nil
            reports.append(.faultCleared)
        }
        fault = present
    }

    /// Torque off is accepted when the dock reports it, and sent again until it does, whatever was acknowledged. Torque on is not
    /// sent again: a dock that let go by itself had a reason.
    private mutating func compareTorque(_ isOn: Bool, now: Seconds, into reports: inout [DockReport]) {
        if isReleased {
            if isOn {
                requests.reopenTorque()
            } else if now >= releaseReportedFrom {
                requests.done(.torque)
                hasTorque = true
                tellRelease(into: &reports)
            }
        }
        guard let asked = torqueAsked, now - asked > Self.torqueTime else { return }
        torqueAsked = nil
        if isReleased, isOn {
            reports.append(
                .disobeys(
                    "the dock keeps its torque: it ignores `torque off`, which is being repeated; do not turn the head by hand; check the dock's cable, or unplug its supply"
                ))
        } else if !isReleased, !isOn, requests.isOpen(.torque), fault == nil {
            reports.append(
                .disobeys(
                    "the dock's torque stays off: it ignores `torque on`, which is being repeated; check its cable"
                ))
        }
    }

    /// Notices a dock that was commanded to hold, has confirmed that it does, and now reports that it does not. Until the dock
    /// has acknowledged the torque, it is rightly off.
    private mutating func noticeLetGo(_ isOn: Bool, into reports: inout [DockReport]) {
        guard !isReleased, !motionless, awaitsTorque || (phase == .ready && !requests.isOpen(.torque)),
            !SafetyMutant.torqueReturns.isOn
        else { return }
        guard !isOn else {
            reportsWithoutTorque = 0
            if awaitsTorque { requests.ask(torque: true) }
            awaitsTorque = false
            return
        }
        reportsWithoutTorque += 1
        guard reportsWithoutTorque >= Self.letGoReports else { return }
        (isReleased, isReleaseTold, motionless, awaitsTorque) = (true, true, true, false)
        reports.append(.letGo)
        // The dock answers, but moves nothing.
        if phase == .configuring { becomeReady(into: &reports) }
    }

    /// Whether the dock's clock continued from its newest report. A dock without lasting memory has the same boot number after
    /// every start, so the number alone does not show that its supply was never interrupted.
    private func isSameRun(_ microseconds: UInt32, now: Seconds) -> Bool {
        guard let newest else { return false }
        let elapsed = now - newest.at
        let counted = UInt32(truncatingIfNeeded: Int64(elapsed.clamped(to: 0...9e9) * 1e6))
        let gap = Int32(bitPattern: microseconds &- newest.microseconds &- counted)
        return abs(Double(gap)) * 1e-6 < Self.clockTolerance + elapsed * Self.clockDrift
    }

    private mutating func tellRelease(into reports: inout [DockReport]) {
        guard isReleased, !isReleaseTold else { return }
        isReleaseTold = true
        reports.append(.released)
    }

    private mutating func raise(_ event: EventReport, now: Seconds, into reports: inout [DockReport]) {
        if acknowledgements.count < 16 { acknowledgements.append(event.id) }
        guard events.isNew(id: event.id, bootID: bootID ?? 0) else { return }
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
            if answer.ofType == FrameType.emergencyStop, answer.ofSequence == clearing?.sequence { clearing = nil }
            guard requests.done(sequence: answer.ofSequence) == .torque else { return }
            // `ready` means that the dock can be moved, which requires a known pose: the next report has it.
            if phase == .configuring { hasTorque = true }
            armedBoot = requests.torque ? bootID : nil
            tellRelease(into: &reports)
        case .version: refuse(.versionMismatch, into: &reports)
        case .notArmed where answer.ofType == FrameType.setpoint && phase == .ready && !SafetyMutant.torqueReturns.isOn:
            // The dock has restarted, or has let go of its torque. Its reports show which, and each case is handled there.
            if !isReleased { reports.append(.refused(answer.refusal)) }
        case .notArmed:
            // The dock never received our greeting, or has restarted since: start again.
            if phase == .configuring || phase == .ready { restart(into: &reports) }
        case .emergencyStop:
            // An answer from before the handshake says nothing about the dock now.
            guard phase == .configuring || phase == .ready else { return }
            if fault != .emergencyStop { reports.append(.fault(.emergencyStop)) }
            fault = .emergencyStop
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

    /// The dock restarted, or its clock suggests it: greet it again.
    private mutating func restart(into reports: inout [DockReport]) {
        phase = .greeting
        nextGreeting = 0
        hasGreeted = false
        (bootID, armedBoot, uniqueID) = (nil, nil, nil)
        (awaitsTorque, reportsWithoutTorque) = (false, 0)
        // The dock reports its latch again, even if it is the same as before.
        (fault, clearing) = (nil, nil)
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
    /// No dock turns further than two full turns, nor faster than 2000 deg/s.
    fileprivate var isPlausible: Bool {
        let places: ClosedRange<Int32> = -720_000...720_000, rates: ClosedRange<Int32> = -2_000_000...2_000_000
        return places.contains(pan) && places.contains(tilt) && rates.contains(panRate) && rates.contains(tiltRate)
    }

    /// What the dock is latched by: its flags report the present state, its fault the latched cause that still holds it.
    var latched: DockFault? {
        if flags.contains(.emergencyStop) { return .emergencyStop }
        if flags.contains(.stalled) || fault == FaultCode.stall { return .stall }
        if flags.contains(.overTemperature) || fault == FaultCode.overTemperature { return .overTemperature }
        return fault == FaultCode.none ? nil : .device
    }
}

extension Acknowledgement {
    /// For the log, after "the dock refused": what, and why.
    var refusal: String {
        let what =
            switch ofType {
            case FrameType.setpoint: "to move"
            case FrameType.home: "to go home"
            case FrameType.torque: "to switch its torque"
            case FrameType.setLimits: "to change its limits"
            case FrameType.parameter: "a parameter"
            case FrameType.hello: "the greeting"
            case FrameType.timeSync: "to compare clocks"
            case FrameType.getLimits: "to report its limits"
            case FrameType.eventAcknowledge: "the acknowledgement of an event"
            case FrameType.save: "to save its settings"
            case FrameType.reboot: "to reboot"
            case FrameType.emergencyStop: "to release its latch"
            default: "a message of type 0x\(String(ofType, radix: 16)) that dockface did not send"
            }
        let why =
            switch code {
            case .fault: "it has latched a fault; find what blocks or heats it, then type `clear`"
            case .lowPower: "its battery or supply is too low"
            case .notHomed: "it does not know its position yet"
            case .busy: "a motion of its own is running"
            case .range: "a value is outside its range"
            case .flash: "it could not write its memory"
            case .unknownType: "it does not know that message; update its firmware"
            case .badLength: "the message was too short; update its firmware or dockface"
            case .version: "it speaks another version; update its firmware or dockface"
            case .emergencyStop: "its emergency stop is latched; make sure all is well, then type `clear`"
            case .notArmed: "it was not greeted, or its torque is off"
            case .ok: "it accepted it"
            case .other: "it gave a reason that dockface does not know; update dockface"
            }
        return "\(what): \(why)"
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
