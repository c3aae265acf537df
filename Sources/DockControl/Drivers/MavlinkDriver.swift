internal import Geometry

/// A gimbal with MAVLink's gimbal protocol v2: angles as set-points, its attitude as the pose, control that others can take.
///
/// The rates that the gimbal reports are not used: makers differ on which axes they refer to. Torque cannot be switched, so it is
/// never reported as off.
struct MavlinkDriver: DockDriver {
    static let name = "mavlink"
    /// System and component IDs: ours, the gimbal's, its manager's (1: an autopilot); `battery` = 1: the gimbal has a battery.
    static let options: [String: DriverOption] = [
        "system": .whole(1...255), "component": .whole(1...255), "gimbal_system": .whole(1...255),
        "gimbal": .whole(1...255), "manager": .whole(1...255), "battery": .flag,
    ]

    /// Our IDs are unique on the link; and an attitude has pan within one turn, and tilt between straight down and straight up.
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
    static let greetingInterval: Seconds = 0.5
    /// A gimbal that sends messages and never identifies itself is used without an identity after this time, seconds; one that
    /// refuses to, at once.
    static let namelessTime: Seconds = 4
    /// Control that was refused, or whose request was not answered, is requested again after this time, seconds.
    static let controlInterval: Seconds = 2
    /// Attitude reports that are missing or too slow are requested again after this time, seconds.
    static let rateInterval: Seconds = 0.5
    /// A frame that has begun is complete within this time, seconds.
    static let frameTime: Seconds = 0.05
    /// Copies in one stop: see `encodeStop`.
    static let stops = 7
    /// Bytes of our longest frame: COMMAND_LONG.
    static let longestFrame = 45
    /// Bytes of an attitude report.
    static let report = 61

    let profile: RigProfile
    let abilities: DriverAbilities
    let names: MavlinkNames
    var writer: MavlinkWriter
    var talk = MavlinkTalk()
    var scanner = FrameScanner(capacity: 320)
    var stream: PositionStream
    var slope = PoseRate()
    var phase = Phase.closed
    var motionless = false
    var isActive = false
    /// The gimbal must be moved again and is not ours: the loop must learn that it is not ready.
    var owesRestart = false
    /// The last attitude; nil: none yet.
    var attitude: GimbalAttitude?
    /// In the profile's directions, rad and rad/s.
    var pose: PanTilt?
    var rate = PanTilt.zero
    var attitudeAt: Seconds = 0
    /// Longest delay of a message, seconds.
    static let longestDelay: Seconds = 1
    /// The gimbal accepts no report rate: each report is requested.
    var asksEach = false
    /// Whether we may move the gimbal; and which other component may.
    var hasControl = false
    var grantedAt: Seconds = 0
    var owner: (system: UInt8, component: UInt8)?
    var fault: DockFault?
    /// Whether the gimbal identifies itself; nil: unknown yet. It stays as it is: on a bad line, the gimbal must not become
    /// another one.
    var hasName: Bool?
    /// Refusals that were reported.
    var told: Set<String> = []
    var heardFirst: Seconds?
    var heardLast: Seconds = 0
    var nextHeartbeat: Seconds = 0
    var nextGreeting: Seconds = 0
    var nextControl: Seconds = 0
    var nextRate: Seconds = 0
    var latest: Seconds = 0

    init(profile: RigProfile) {
        self.profile = profile
        names = MavlinkNames(profile)
        writer = MavlinkWriter(names: names)
        stream = PositionStream(profile: profile)
        // The gimbal stands where it was sent last: at most 0.25 s of motion ahead.
        abilities = DriverAbilities(
            deadman: 0.25, setpoint: .position, mostSetpoints: 50, reportsPose: true,
            reportsBattery: profile.options["battery"] == 1, keepsLatch: false,
            showsDeafness: false, canLetGo: false)
    }

    var invalidBytes: Int { scanner.invalidBytes }

    /// Seconds between attitude reports: they take at most half of the line.
    var interval: Seconds {
        let wire = Seconds(2 * 10 * Self.report) / Seconds(max(profile.serial.baud, 1))
        return max(isActive ? 0.02 : 0.1, wire)
    }

    mutating func begin(now: Seconds, motionless: Bool) {
        self.motionless = motionless
        latest = now
        forget()
    }

    /// Forgets everything about the gimbal, and greets it.
    mutating func forget() {
        phase = .greeting
        scanner.reset()
        talk.clear()
        stream.forget()
        slope.forget()
        (attitude, pose, owner, fault, heardFirst) = (nil, nil, nil, nil, nil)
        (hasControl, asksEach, told) = (false, false, [])
        (nextGreeting, nextHeartbeat, nextControl, nextRate) = (latest, latest, latest, latest)
    }

    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        latest = now
        guard phase != .closed else { return now + 1 }
        if !scanner.isEmpty, now - heardLast > Self.frameTime { scanner.giveUp(MavlinkFrame.match) { _ in } }
        if now >= nextHeartbeat {
            bytes += writer.heartbeat()
            nextHeartbeat = now + Self.heartbeatInterval
        }
        plan(now: now, into: &bytes)
        if let request = talk.next(now: now) {
            bytes += writer.command(request.command, to: request.component, request.numbers, attempt: talk.attempt)
        }
        var next = min(nextHeartbeat, now + (asksEach && isActive ? 0.02 : 0.1))
        if talk.asked != nil { next = min(next, talk.until) }
        return max(next, now + 0.001)
    }

    /// Requests what is still missing.
    private mutating func plan(now: Seconds, into bytes: inout [UInt8]) {
        if phase == .greeting, now >= nextGreeting {
            nextGreeting = now + Self.greetingInterval
            ask(.requestMessage, names.gimbal, [Float(MavlinkMessage.gimbalDeviceInformation.rawValue)])
        }
        if now >= nextRate, asksEach || now - attitudeAt > 3 * interval {
            nextRate = now + (asksEach ? interval : Self.rateInterval)
            if asksEach {
                ask(.requestMessage, names.gimbal, [Float(MavlinkMessage.gimbalDeviceAttitudeStatus.rawValue)])
            } else {
                askRate()
            }
        }
        guard phase == .configuring, now >= nextControl else { return }
        nextControl = now + (hasControl ? Self.rateInterval : Self.controlInterval)
        // Control is requested while no component has it; if another one has it, the driver waits.
        if !motionless, !hasControl, owner == nil { askControl() }
        // Pan relative to north cannot be commanded. A set-point that moves nothing selects the base as the reference of yaw.
        if !motionless, hasControl, attitude?.isRelative == false {
            bytes += writer.pitchYaw(pitchRate: 0, yawRate: 0)
        }
    }

    mutating func ask(_ command: MavlinkWriter.Command, _ component: UInt8, _ numbers: [Float]) {
        talk.add(MavlinkRequest(command: command, component: component, numbers: numbers))
    }

    mutating func askRate() {
        let microseconds = Float((interval * 1e6).rounded())
        ask(
            .setMessageInterval, names.gimbal,
            [Float(MavlinkMessage.gimbalDeviceAttitudeStatus.rawValue), microseconds])
    }

    /// Requests primary control for us; secondary control stays with its owner.
    mutating func askControl() {
        ask(
            .configureManager, names.manager,
            [Float(names.system), Float(names.component), -1, -1, 0, 0, Float(names.gimbal)])
    }

    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        latest = now
        guard phase == .ready, hasControl, !motionless, let pose else { return }
        let goal = stream.goal(
            for: setpoint, pose: pose, rate: rate, age: now - attitudeAt,
            braking: max(profile.pan.lag, profile.tilt.lag),
            now: now)
        bytes += writer.pitchYaw(
            pitch: Float(goal.tilt * sense(.tilt)), yaw: Float(goal.pan * sense(.pan)))
    }

    /// As long as our longest frame: a receiver that waits for the rest of a frame then has it, and finds its checksum wrong.
    mutating func encodeResync(into bytes: inout [UInt8]) {
        bytes += [UInt8](repeating: 0, count: Self.longestFrame)
    }

    /// Rates of zero, and no angles: valid in any state. Seven copies, 248 bytes with three zeros before them, instead of filler
    /// and one copy:
    /// - A gimbal between two frames obeys the first copy at once.
    /// - A gimbal that waits for the rest of a frame of ours (at most 44 bytes) loses two copies with it, and obeys the third.
    /// - A gimbal that was misled by a corrupt length waits for at most 280 bytes, which the second stop ends: the loop writes
    ///   three, the guard one every 0.1 s.
    ///
    /// Without the zeros, the first `FD` would be the length of a frame that was cut off after its own `FD`.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        bytes += [0, 0, 0]
        for _ in 0..<Self.stops { bytes += writer.pitchYaw(pitchRate: 0, yawRate: 0) }
    }

    /// The gimbal keeps no latch; the daemon does.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) { encodeStop(into: &bytes) }
    mutating func encodeClear(into bytes: inout [UInt8]) {}

    /// The protocol cannot switch the torque. Off only means that the gimbal is not moved any more.
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        motionless = !on
        stream.forget()
        if on, !hasControl, phase == .ready { (phase, owesRestart, nextControl) = (.configuring, true, latest) }
    }

    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {
        guard active != isActive else { return }
        isActive = active
        if phase != .closed, phase != .greeting { askRate() }
    }

    /// -1 if an axis turns the other way.
    func sense(_ axis: Axis) -> Double { profile[axis].invert ? -1 : 1 }
}
