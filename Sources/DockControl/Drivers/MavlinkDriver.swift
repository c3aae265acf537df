internal import Geometry

/// A gimbal with MAVLink's gimbal protocol v2: the set-points are angles, the pose is the gimbal's attitude, and other
/// components can take control.
///
/// The rates that the gimbal reports are not used: makers differ on which axes they refer to. Torque cannot be
/// switched, so it is never reported as off.
struct MavlinkDriver: DockDriver {
    static let name = "mavlink"
    /// The system and component IDs: ours, the gimbal's, its manager's (1 is an autopilot). `battery` = 1 means that
    /// the gimbal has a battery.
    static let options: [String: DriverOption] = [
        "system": .whole(1...255), "component": .whole(1...255), "gimbal_system": .whole(1...255),
        "gimbal": .whole(1...255), "manager": .whole(1...255), "battery": .flag,
    ]

    /// Checks that our IDs are unique on the link, that pan stays within one turn, and that tilt stays between straight
    /// down and straight up. An attitude has no other values.
    static func contradictions(in profile: RigProfile) -> [ProfileContradiction] {
        let names = MavlinkNames(profile)
        var found: [ProfileContradiction] = []
        if names.system == names.gimbalSystem, [names.gimbal, names.manager].contains(names.component) {
            found.append(
                ProfileContradiction(
                    key: "options.component",
                    text:
                        "\"options.component\" is \(names.component), which is also the gimbal's or its manager's: expected "
                        + "another number, for example 191"))
        }
        return found + profile.relaxing("a MAVLink gimbal")
            + profile.ends(of: .pan, outside: -180...180, why: "yaw is reported within one turn")
            + profile.ends(of: .tilt, outside: -90...90, why: "pitch is reported between straight down and straight up")
    }

    enum Phase: Equatable { case closed, greeting, configuring, ready }

    static let heartbeatInterval: Seconds = 1
    /// The number of copies in one stop; see `encodeStop`.
    static let stops = 7
    /// The length of our longest frame, COMMAND_LONG, in bytes.
    static let longestFrame = 45

    let profile: RigProfile
    let abilities: DriverAbilities
    var writer: MavlinkWriter
    var reader = MavlinkReader()
    var talk = MavlinkTalk()
    var phase = Phase.closed
    var identification = MavlinkIdentification()
    var control = MavlinkControl()
    var attitudes: MavlinkAttitudeFeed
    var stream: PositionStream
    var torque = TorqueRequest()
    var notices = MavlinkNotices()
    private var nextHeartbeat: Seconds = 0
    var latest: Seconds = 0

    init(profile: RigProfile) {
        self.profile = profile
        writer = MavlinkWriter(names: MavlinkNames(profile))
        attitudes = MavlinkAttitudeFeed(baud: profile.serial.baud)
        stream = PositionStream(profile: profile)
        // The gimbal stops where it was last sent: at most 0.25 s of motion ahead.
        abilities = DriverAbilities(
            deadman: 0.25, setpoint: .position, mostSetpoints: 50, reportsPose: true,
            reportsBattery: profile.options["battery"] == 1, keepsLatch: false,
            showsDeafness: false, canLetGo: false)
    }

    var names: MavlinkNames { writer.names }
    var invalidBytes: Int { reader.invalidBytes }

    mutating func begin(now: Seconds, motionless: Bool) {
        torque.begin(motionless: motionless)
        latest = now
        forget()
    }

    /// Forgets everything about the gimbal, and greets it again.
    mutating func forget() {
        phase = .greeting
        reader.reset()
        talk.clear()
        stream.forget()
        notices = MavlinkNotices()
        identification.restart(now: latest)
        control.restart(now: latest)
        attitudes.restart(now: latest)
        nextHeartbeat = latest
    }

    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        latest = now
        guard phase != .closed else { return now + 1 }
        reader.dropLate(now: now)
        if now >= nextHeartbeat {
            bytes += writer.heartbeat()
            nextHeartbeat = now + Self.heartbeatInterval
        }
        plan(now: now, into: &bytes)
        if let request = talk.next(now: now) {
            bytes += writer.command(request.command, to: request.component, request.numbers, attempt: talk.attempt)
        }
        var next = min(nextHeartbeat, now + attitudes.patience)
        if talk.asked != nil { next = min(next, talk.until) }
        return max(next, now + 0.001)
    }

    /// Requests what is still missing.
    private mutating func plan(now: Seconds, into bytes: inout [UInt8]) {
        if phase == .greeting, identification.isRequestDue(now: now) {
            ask(.requestMessage, names.gimbal, [Float(MavlinkMessage.gimbalDeviceInformation.rawValue)])
        }
        switch attitudes.request(now: now) {
        case .report:
            ask(.requestMessage, names.gimbal, [Float(MavlinkMessage.gimbalDeviceAttitudeStatus.rawValue)])
        case .rate: askRate()
        case nil: break
        }
        guard phase == .configuring, control.isCheckDue(now: now), !torque.isMotionless else { return }
        // Control is requested while no component has it; if another one has it, the driver waits.
        if !control.isOurs, control.owner == nil { askControl() }
        // Pan relative to north cannot be commanded. A set-point that does not move anything selects the base as the
        // yaw reference.
        if control.isOurs, attitudes.attitude?.isRelative == false {
            bytes += writer.pitchYaw(pitchRate: 0, yawRate: 0)
        }
    }

    mutating func ask(_ command: MavlinkWriter.Command, _ component: UInt8, _ numbers: [Float]) {
        talk.add(MavlinkRequest(command: command, component: component, numbers: numbers))
    }

    mutating func askRate() {
        let microseconds = Float((attitudes.rate.interval * 1e6).rounded())
        ask(
            .setMessageInterval, names.gimbal,
            [Float(MavlinkMessage.gimbalDeviceAttitudeStatus.rawValue), microseconds])
    }

    /// Requests primary control for us. Secondary control stays with its owner.
    mutating func askControl() {
        ask(
            .configureManager, names.manager,
            [Float(names.system), Float(names.component), -1, -1, 0, 0, Float(names.gimbal)])
    }

    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        latest = now
        let measured = attitudes.measured
        guard phase == .ready, control.isOurs, !torque.isMotionless, let pose = measured.pose else { return }
        let goal = profile.mirrored(
            stream.goal(
                for: setpoint, pose: pose, rate: measured.rate, age: measured.age(now: now),
                braking: max(profile.pan.lag, profile.tilt.lag), now: now))
        bytes += writer.pitchYaw(pitch: Float(goal.tilt), yaw: Float(goal.pan))
    }

    /// Appends zeros, as many as our longest frame is long. A receiver that waits for the rest of a frame then has it,
    /// and detects a wrong checksum.
    mutating func encodeResync(into bytes: inout [UInt8]) {
        bytes += [UInt8](repeating: 0, count: Self.longestFrame)
    }

    /// Appends rates of zero without angles, which is valid in any state. Instead of filler and one copy, there are
    /// seven copies after three zeros, 248 bytes in all:
    /// - A gimbal between two frames obeys the first copy at once.
    /// - A gimbal that waits for the rest of a frame of ours (at most 44 bytes) loses two copies to it, and obeys the
    ///   third.
    /// - A gimbal that was misled by a corrupt length waits for at most 280 bytes, which the second stop completes: the
    ///   loop writes three stops, and the guard one every 0.1 s.
    ///
    /// Without the zeros, the first `FD` would be taken as the length of a frame that was cut off after its own `FD`.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        bytes += [0, 0, 0]
        for _ in 0..<Self.stops { bytes += writer.pitchYaw(pitchRate: 0, yawRate: 0) }
    }

    /// Appends a stop. The gimbal keeps no latch; the daemon does.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) { encodeStop(into: &bytes) }
    mutating func encodeClear(into bytes: inout [UInt8]) {}

    /// Records the requested torque, which the protocol cannot switch. Off only means that the gimbal is no longer
    /// moved.
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        torque.request(on)
        stream.forget()
        guard on, !control.isOurs, phase == .ready else { return }
        phase = .configuring
        control.demand(now: latest)
    }

    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {
        guard active != attitudes.rate.isActive else { return }
        attitudes.rate.isActive = active
        if phase != .closed, phase != .greeting { askRate() }
    }
}
