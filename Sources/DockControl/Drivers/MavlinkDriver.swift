internal import Geometry

/// A gimbal with MAVLink's gimbal protocol v2: places as set-points, its attitude as the pose, control that others can take.
///
/// The rates that it reports are not used: makers differ on whose axes they are about. Torque cannot be switched, so it is never
/// said to be off.
struct MavlinkDriver: DockDriver {
    static let name = "mavlink"
    /// Ids of system and component: ours, the gimbal's, its manager's (1: an autopilot); 1: the gimbal has a battery.
    static let options: [String: DriverOption] = [
        "system": .whole(1...255), "component": .whole(1...255), "gimbal_system": .whole(1...255),
        "gimbal": .whole(1...255), "manager": .whole(1...255), "battery": .flag,
    ]

    /// We are nobody else on the link; and an attitude tells pan within a turn, and tilt below straight up and down.
    static func contradictions(in profile: RigProfile) -> [ProfileContradiction] {
        let names = MavlinkNames(profile)
        var found: [ProfileContradiction] = []
        if names.system == names.gimbalSystem, [names.gimbal, names.manager].contains(names.component) {
            found.append(
                ProfileContradiction(
                    key: "options.component",
                    text:
                        "\"options.component\" is \(names.component), as the gimbal's or its manager's is: expected a number of "
                        + "our own, 191 for instance"))
        }
        return found + profile.relaxing("a MAVLink gimbal")
            + profile.ends(of: .pan, outside: -180...180, why: "yaw is told within a turn")
            + profile.ends(of: .tilt, outside: -90...90, why: "pitch is told between straight down and straight up")
    }

    enum Phase: Equatable { case closed, greeting, configuring, ready }

    static let heartbeatInterval: Seconds = 1
    static let greetingInterval: Seconds = 0.5
    /// A gimbal that talks and never says what it is, is taken as it is after so long, seconds; one that refuses to, at once.
    static let namelessTime: Seconds = 4
    /// Control that was refused, or not answered, is asked for again after so long, seconds.
    static let controlInterval: Seconds = 2
    /// Attitude reports that stay away, or are too slow, are asked for again so often, seconds.
    static let rateInterval: Seconds = 0.5
    /// A frame that began comes whole within this, seconds.
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
    /// It shall be moved again and is not ours: the loop is told that it is not ready.
    var owesRestart = false
    /// The last attitude; nil: none yet.
    var attitude: GimbalAttitude?
    /// Ours, rad and rad/s.
    var pose: PanTilt?
    var rate = PanTilt.zero
    var attitudeAt: Seconds = 0
    /// A message may be held up by so much, seconds.
    static let longestDelay: Seconds = 1
    /// The gimbal does not take a rate: it is asked for every single report.
    var asksEach = false
    /// We may move it; and who may, where another one does.
    var hasControl = false
    var grantedAt: Seconds = 0
    var owner: (system: UInt8, component: UInt8)?
    var fault: DockFault?
    /// Whether it says what it is; nil: not known yet. It stays so: on a bad line it must not become another one.
    var hasName: Bool?
    /// What was refused, and told.
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
        // It stands where it was sent last: never more than 0.25 s of way ahead.
        abilities = DriverAbilities(
            deadman: 0.25, setpoint: .position, mostSetpoints: 50, reportsPose: true,
            reportsBattery: profile.options["battery"] == 1, keepsLatch: false,
            showsDeafness: false, canLetGo: false)
    }

    var invalidBytes: Int { scanner.invalidBytes }

    /// Seconds between attitude reports: no more than half of the line.
    var interval: Seconds {
        let wire = Seconds(2 * 10 * Self.report) / Seconds(max(profile.serial.baud, 1))
        return max(isActive ? 0.02 : 0.1, wire)
    }

    mutating func begin(now: Seconds, motionless: Bool) {
        self.motionless = motionless
        latest = now
        forget()
    }

    /// Nothing is known of it any more; it is greeted.
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

    /// What is wanted of it, as long as it is not so.
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
        // Whom it belongs to is asked for once; where another one has it, it is waited for.
        if !motionless, !hasControl, owner == nil { askControl() }
        // Pan that counts from north cannot be commanded: a set-point that moves nothing says what yaw shall count from.
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

    /// Primary control for us; who has the secondary one stays.
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

    /// As long as our longest frame: a receiver that waits for the rest of one has it then, and finds its checksum wrong.
    mutating func encodeResync(into bytes: inout [UInt8]) {
        bytes += [UInt8](repeating: 0, count: Self.longestFrame)
    }

    /// Rates of zero, and no places: right in any state. Seven times, 248 bytes with three zeros before, instead of filler and
    /// one: a gimbal that waits for nothing obeys the first one at once; one that waits for the rest of a frame of ours (44 bytes
    /// at most) loses two of them with it, and obeys the third; and one that was led astray by a spoilt length waits for 280 bytes
    /// at most, which the second stop ends: the loop writes three, the guard one every 0.1 s. Without the zeros the first `FD`
    /// would be the length of a frame that was cut off behind its own.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        bytes += [0, 0, 0]
        for _ in 0..<Self.stops { bytes += writer.pitchYaw(pitchRate: 0, yawRate: 0) }
    }

    /// It keeps no latch; the daemon does.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) { encodeStop(into: &bytes) }
    mutating func encodeClear(into bytes: inout [UInt8]) {}

    /// The protocol has no way to switch it. Off: it is not moved any more.
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

    /// -1 where an axis turns the other way round.
    func sense(_ axis: Axis) -> Double { profile[axis].invert ? -1 : 1 }
}
