internal import Geometry

/// Handles the gimbal's messages.
extension MavlinkDriver {
    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        latest = now
        guard phase != .closed else { return }
        if !bytes.isEmpty { heardLast = now }
        var frames: [MavlinkFrame] = []
        for byte in bytes {
            scanner.push(byte, MavlinkFrame.match) { if let frame = MavlinkFrame($0) { frames.append(frame) } }
        }
        if owesRestart {
            owesRestart = false
            reports.append(.rebooted)
        }
        for frame in frames where frame.system == names.gimbalSystem { take(frame, now: now, into: &reports) }
    }

    private mutating func take(_ frame: MavlinkFrame, now: Seconds, into reports: inout [DockReport]) {
        let isGimbal = frame.component == names.gimbal, isManager = frame.component == names.manager
        guard isGimbal || isManager else { return }
        if isGimbal, heardFirst == nil { heardFirst = now }
        switch frame.message {
        case .gimbalDeviceInformation where isGimbal: identified(frame, into: &reports)
        case .gimbalDeviceAttitudeStatus where isGimbal: moved(frame, now: now, into: &reports)
        case .gimbalManagerStatus where isManager: owned(frame, into: &reports)
        case .commandAck: answered(frame, now: now, into: &reports)
        case .batteryStatus: reports.append(.battery(BatteryState(frame)))
        default: break
        }
        if hasName == nil, let heardFirst, now - heardFirst > Self.namelessTime { hasName = false }
        if phase == .greeting, hasName == false, attitude != nil {
            let uid = "mavlink-\(names.gimbalSystem)-\(names.gimbal)"
            identified(DockIdentity(model: "MAVLink gimbal", firmware: "unknown", uid: uid), into: &reports)
        }
        if phase == .configuring { becomeReady(into: &reports) }
    }

    private mutating func identified(_ frame: MavlinkFrame, into reports: inout [DockReport]) {
        guard phase == .greeting, hasName != false else { return }
        hasName = true
        let words = [frame.text(48, count: 32), frame.text(80, count: 32)].filter { !$0.isEmpty }
        // Major, minor and patch, from the lowest byte upwards.
        let firmware = "\(frame.byte(12)).\(frame.byte(13)).\(frame.byte(14))"
        let number = (0..<8).reversed().map { Self.hexadecimal(frame.byte($0)) }.joined()
        // 0: the gimbal has no number.
        let uid = number.contains { $0 != "0" } ? number : "mavlink-\(names.gimbalSystem)-\(names.gimbal)"
        let model = words.isEmpty ? "MAVLink gimbal" : words.joined(separator: " ")
        identified(DockIdentity(model: model, firmware: firmware, uid: uid), into: &reports)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private mutating func identified(_ dock: DockIdentity, into reports: inout [DockReport]) {
        phase = .configuring
        nextControl = latest + Self.controlInterval
        reports.append(.identified(dock))
        askRate()
        if !motionless { askControl() }
    }

    /// The gimbal is ready once it is ours to move and reports its attitude. A dry run requests nothing.
    private mutating func becomeReady(into reports: inout [DockReport]) {
        guard let attitude, pose != nil, motionless || (hasControl && attitude.isRelative && !attitude.isCalibrating)
        else {
            return
        }
        if let pose { stream.pin(at: pose) }
        phase = .ready
        reports.append(.ready)
    }

    // MARK: attitude

    private mutating func moved(_ frame: MavlinkFrame, now: Seconds, into reports: inout [DockReport]) {
        guard let new = GimbalAttitude(frame) else { return }
        // The gimbal's clock went back, or is further behind ours than a slow line delays a message: the gimbal restarted.
        let ran = attitude.map { Double(Int32(bitPattern: new.bootTime &- $0.bootTime)) / 1000 }
        if let ran, ran < -0.1 || ran < now - attitudeAt - Self.longestDelay {
            forget()
            reports.append(.rebooted)
        }
        attitudeAt = now
        attitude = new
        var ours = PanTilt(pan: new.pose.pan * sense(.pan), tilt: new.pose.tilt * sense(.tilt))
        // Beyond half a turn, the angle jumps by a whole turn; the head does not.
        if let pose { ours.pan += ((pose.pan - ours.pan) / (2 * .pi)).rounded() * 2 * .pi }
        rate = slope.record(ours, at: Seconds(new.bootTime) / 1000)
        pose = ours
        reports.append(.motion(MotionSample(time: now, pose: ours, rate: rate), deadmanTripped: false))
        judge(new, into: &reports)
        if !new.isRelative, hasControl, phase == .configuring, now - grantedAt > Self.controlInterval {
            tell("to report yaw relative to its base: yaw relative to north cannot be commanded", into: &reports)
        }
    }

    private mutating func judge(_ attitude: GimbalAttitude, into reports: inout [DockReport]) {
        let parts = attitude.brokenParts, calibrates = attitude.isCalibrating && phase == .ready && !motionless
        let present: DockFault? = parts.isEmpty && !calibrates ? nil : .device
        if let present, fault == nil {
            let what = parts.isEmpty ? "it is calibrating itself, and moves by itself" : parts.joined(separator: ", ")
            reports.append(.disobeys("the gimbal reports a failure: \(what)"))
            reports.append(.fault(present))
        }
        if present == nil, fault != nil { reports.append(.faultCleared) }
        fault = present
        if attitude.failures & GimbalAttitude.withoutManager != 0 {
            tell("to be moved: it has no gimbal manager", into: &reports)
        }
    }

    // MARK: control

    private mutating func owned(_ frame: MavlinkFrame, into reports: inout [DockReport]) {
        guard frame.byte(8) == names.gimbal || frame.byte(8) == 0 else { return }
        let system = frame.byte(9), component = frame.byte(10)
        if system == names.system, component == names.component {
            granted()
        } else if system == 0, component == 0 {
            // No component has control: it was given back, or our request has not arrived.
            owner = nil
            if hasControl || phase == .configuring, !motionless, talk.asked?.command != .configureManager {
                askControl()
            }
        } else {
            owner = (system, component)
            lost(into: &reports)
        }
    }

    private mutating func granted() {
        if !hasControl { (grantedAt, nextControl) = (latest, latest) }
        (hasControl, owner) = (true, nil)
    }

    /// Another component has control now. A fight for it would shake the head, so the driver waits. To the loop, a gimbal that
    /// cannot be moved is like a dock that restarts.
    private mutating func lost(into reports: inout [DockReport]) {
        let had = hasControl
        hasControl = false
        guard let owner, !motionless else { return }
        tell(
            "control: component \(owner.component) of system \(owner.system) has it; waiting for its release",
            into: &reports)
        guard had, phase == .ready else { return }
        phase = .configuring
        stream.forget()
        reports.append(.rebooted)
    }

    private mutating func answered(_ frame: MavlinkFrame, now: Seconds, into reports: inout [DockReport]) {
        // An extension field; 0: for everyone.
        guard [0, names.system].contains(frame.byte(8)), [0, names.component].contains(frame.byte(9)) else { return }
        let result = frame.byte(2)
        guard let request = talk.answered(frame.word(0), result: result, now: now) else { return }
        guard result != 0 else {
            if request.command == .configureManager { granted() }
            return
        }
        switch request.command {
        case .setMessageInterval: asksEach = result != 1
        case .requestMessage:
            let isAboutItself = request.numbers.first == Float(MavlinkMessage.gimbalDeviceInformation.rawValue)
            // 2 denied, 3 not supported, 4 failed: the gimbal is used without an identity.
            if isAboutItself, (2...4).contains(result), hasName == nil { hasName = false }
            return
        case .configureManager: break
        }
        tell("\(request.text): \(Self.words[Int(result)] ?? "result \(result)")", into: &reports)
    }

    /// MAV_RESULT.
    private static let words = [1: "not now", 2: "denied", 3: "not supported", 4: "failed", 6: "cancelled"]

    /// Reports a refusal once, until the gimbal is greeted again.
    private mutating func tell(_ refusal: String, into reports: inout [DockReport]) {
        if told.insert(refusal).inserted { reports.append(.refused(refusal)) }
    }
}
