internal import Geometry

/// Handles the gimbal's messages.
extension MavlinkDriver {
    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        latest = now
        guard phase != .closed else { return }
        let frames = reader.receive(bytes, now: now)
        if control.takeRestart() { reports.append(.rebooted) }
        for frame in frames where frame.system == names.gimbalSystem { handle(frame, now: now, into: &reports) }
    }

    private mutating func handle(_ frame: MavlinkFrame, now: Seconds, into reports: inout [DockReport]) {
        let isGimbal = frame.component == names.gimbal, isManager = frame.component == names.manager
        guard isGimbal || isManager else { return }
        if isGimbal { identification.heard(now: now) }
        switch frame.message {
        case .gimbalDeviceInformation where isGimbal && phase == .greeting:
            if let dock = identification.identity(in: frame, names) { identified(dock, into: &reports) }
        case .gimbalDeviceAttitudeStatus where isGimbal: moved(frame, now: now, into: &reports)
        case .gimbalManagerStatus where isManager: owned(frame, into: &reports)
        case .commandAck: answered(frame, now: now, into: &reports)
        case .batteryStatus: reports.append(.battery(BatteryState(frame)))
        default: break
        }
        identification.giveUp(now: now)
        if phase == .greeting, attitudes.attitude != nil, let dock = identification.substitute(names) {
            identified(dock, into: &reports)
        }
        if phase == .configuring { becomeReady(into: &reports) }
    }

    private mutating func identified(_ dock: DockIdentity, into reports: inout [DockReport]) {
        phase = .configuring
        control.requested(now: latest)
        reports.append(.identified(dock))
        askRate()
        if !torque.isMotionless { askControl() }
    }

    /// Reports the gimbal as ready once we control it and it reports its attitude. A dry run requests nothing.
    private mutating func becomeReady(into reports: inout [DockReport]) {
        guard let attitude = attitudes.attitude, let pose = attitudes.measured.pose,
            torque.isMotionless || (control.isOurs && attitude.isRelative && !attitude.isCalibrating)
        else { return }
        stream.pin(at: pose)
        phase = .ready
        reports.append(.ready)
    }

    // MARK: attitude

    private mutating func moved(_ frame: MavlinkFrame, now: Seconds, into reports: inout [DockReport]) {
        guard let new = GimbalAttitude(frame) else { return }
        if attitudes.showsRestart(new, now: now) {
            forget()
            reports.append(.rebooted)
        }
        let sample = attitudes.record(new, pose: profile.mirrored(new.pose), now: now)
        reports.append(.motion(sample, deadmanTripped: false))
        notices.update(new, mayMove: phase == .ready && !torque.isMotionless, into: &reports)
        if new.failures & GimbalAttitude.withoutManager != 0 {
            tell("to be moved: it has no gimbal manager", into: &reports)
        }
        if !new.isRelative, phase == .configuring, control.isSettled(now: now) {
            tell("to report yaw relative to its base: yaw relative to north cannot be commanded", into: &reports)
        }
    }

    // MARK: control

    private mutating func owned(_ frame: MavlinkFrame, into reports: inout [DockReport]) {
        guard frame.byte(8) == names.gimbal || frame.byte(8) == 0 else { return }
        let system = frame.byte(9), component = frame.byte(10)
        if system == names.system, component == names.component {
            control.granted(now: latest)
        } else if system == 0, component == 0 {
            control.vacated()
            if control.isOurs || phase == .configuring, !torque.isMotionless, talk.asked?.command != .configureManager {
                askControl()
            }
        } else {
            lost(to: (system, component), into: &reports)
        }
    }

    /// Records that another component now has control. Competing for it would shake the head, so the driver waits. To
    /// the loop, a gimbal that cannot be moved is like a dock that restarts.
    private mutating func lost(to owner: MavlinkControl.Owner, into reports: inout [DockReport]) {
        let had = control.lost(to: owner)
        guard !torque.isMotionless else { return }
        tell(
            "control: component \(owner.component) of system \(owner.system) has it; waiting for its release",
            into: &reports)
        guard had, phase == .ready else { return }
        phase = .configuring
        stream.forget()
        reports.append(.rebooted)
    }

    private mutating func answered(_ frame: MavlinkFrame, now: Seconds, into reports: inout [DockReport]) {
        // An extension field; 0 addresses every component.
        guard [0, names.system].contains(frame.byte(8)), [0, names.component].contains(frame.byte(9)) else { return }
        let result = frame.byte(2)
        guard let request = talk.answered(frame.word(0), result: result, now: now) else { return }
        guard result != 0 else {
            if request.command == .configureManager { control.granted(now: latest) }
            return
        }
        switch request.command {
        case .setMessageInterval: attitudes.needsRequests = result != 1
        case .requestMessage:
            let isAboutItself = request.numbers.first == Float(MavlinkMessage.gimbalDeviceInformation.rawValue)
            // 2 denied, 3 not supported, 4 failed: the gimbal is used without an identity.
            if isAboutItself, (2...4).contains(result) { identification.refused() }
            return
        case .configureManager: break
        }
        tell("\(request.text): \(Self.words[Int(result)] ?? "result \(result)")", into: &reports)
    }

    /// The texts for the values of MAV_RESULT.
    private static let words = [1: "not now", 2: "denied", 3: "not supported", 4: "failed", 6: "cancelled"]

    /// Reports a refusal once, until the gimbal is greeted again.
    private mutating func tell(_ refusal: String, into reports: inout [DockReport]) {
        if let report = notices.report(refusal: refusal) { reports.append(report) }
    }
}
