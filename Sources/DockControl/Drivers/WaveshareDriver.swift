internal import Geometry

/// Waveshare's 2-axis pan-tilt through its own board: JSON lines over a serial port, goals in whole degrees.
///
/// The board has no deadman for the pan-tilt: the goals take its place (`CoarseStream`). Only the angles that it reports identify
/// it. Torque is confirmed by the echo of that very line: the board executes what it echoes, but does not ask the servos.
struct WaveshareDriver: DockDriver {
    static let name = "waveshare"
    /// The servos' IDs, for messages; positions per second in the servo's unit of speed, which depends on the firmware; `battery`
    /// = 1: the rig runs on a battery, and `v` is its voltage.
    static let options: [String: DriverOption] = [
        "pan_id": .whole(0...253), "tilt_id": .whole(0...253), "speed_unit_steps": .number(0.1...100), "battery": .flag,
    ]

    /// Positions and speeds are ones that T:134 takes.
    static func contradictions(in profile: RigProfile) -> [ProfileContradiction] {
        let unit = profile.options["speed_unit_steps"] ?? 1
        let fastest = Double(CoarseStream.fastest) * unit * 360 / 4096
        return profile.sameNumber("id", pan: 2, tilt: 1)
            + Axis.allCases.flatMap { axis in
                profile.ends(
                    of: axis, outside: axis == .pan ? CoarseStream.places.pan : CoarseStream.places.tilt,
                    why: "the board takes no such position")
                    + profile.speed(
                        of: axis, above: fastest,
                        why: "the board takes no more than \(CoarseStream.fastest) units of speed "
                            + "(options.speed_unit_steps is \(RigProfile.words(unit)))")
            }
    }

    enum Phase: Equatable { case closed, greeting, configuring, ready }

    static let greetingInterval: Seconds = 0.5
    /// A line that is not confirmed, or has no effect, is sent again after this time, seconds.
    static let retryInterval: Seconds = 0.1
    /// At rest the goal is sent again after this time, seconds: the line that carried it may have been corrupt, and has no
    /// checksum.
    static let holdInterval: Seconds = 0.5
    /// Time until T:135 has switched the torque on again, seconds.
    static let stopTime: Seconds = 0.02
    /// Length of the longest report (T:1001 with its motor speeds, attitude and angles), bytes.
    static let longestReport = 120

    let profile: RigProfile
    let abilities: DriverAbilities
    private let braking: Seconds
    var phase = Phase.closed
    var motionless = false
    var lines = ObjectLines()
    var stream: CoarseStream
    var likely: LikelyPose
    var slope = PoseRate()
    /// In the board's directions, rad and rad/s.
    var pose: PanTilt?
    var rate = PanTilt.zero
    var readAt: Seconds = 0
    var nextGreeting: Seconds = 0
    /// The torque that is wanted and that the board has not confirmed; nil: none.
    var torqueWanted: Bool?
    var torqueNumber = 0
    var nextTorque: Seconds = 0
    var isReleased = false
    var isReleaseTold = false
    var isActive = false
    /// The servos stand still, or must: their goal is sent again from time to time.
    var holds = false
    var nextHold: Seconds = 0
    var nextInterval: Seconds = 0
    var missing = MissingServos()
    var latest: Seconds = 0

    init(profile: RigProfile) {
        self.profile = profile
        let steps = profile.options["speed_unit_steps"] ?? 1
        func range(_ axis: RigProfile.AxisProfile) -> ClosedRange<Double> {
            axis.invert ? -axis.range.upperBound ... -axis.range.lowerBound : axis.range
        }
        stream = CoarseStream(pan: range(profile.pan), tilt: range(profile.tilt), stepsPerUnit: steps)
        likely = LikelyPose(fastest: max(profile.pan.maxSpeed, profile.tilt.maxSpeed))
        braking = max(profile.pan.lag, profile.tilt.lag)
        // Arrival: after 0.2 s of motion and less than a degree. At 5 deg/s and more this takes at most half a second; slower, it
        // is 1.5 degrees.
        abilities = DriverAbilities(
            deadman: 0.5, setpoint: .position, mostSetpoints: 50, reportsPose: true,
            standstill: .limp, reportsBattery: profile.options["battery"] == 1, keepsLatch: false,
            showsDeafness: false)
    }

    var invalidBytes: Int { lines.invalidBytes }

    /// Time between reports, ms: they take at most half of the line.
    var interval: Int {
        let wire = Double(2 * 10 * Self.longestReport) / Double(max(profile.serial.baud, 1)) * 1000
        return max(isActive ? 20 : 100, Int(wire.rounded(.up).clamped(to: 1...1000)))
    }

    mutating func begin(now: Seconds, motionless: Bool) {
        self.motionless = motionless
        latest = now
        if !motionless { isReleased = false }
        phase = .greeting
        lines.reset()
        stream.forget()
        likely.forget()
        slope.forget()
        missing = MissingServos()
        (pose, torqueWanted, holds, nextGreeting) = (nil, nil, false, now)
    }

    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        latest = now
        guard phase != .closed else { return now + 1 }
        if phase == .greeting, now >= nextGreeting {
            // Settings are sent again with every greeting: only their effects confirm them.
            encodeResync(into: &bytes)
            append(
                WaveshareLine.moduleIsPanTilt, WaveshareLine.textOn, WaveshareLine.echoOff, WaveshareLine.steadyOff,
                WaveshareLine.interval(interval), WaveshareLine.feedbackOn, to: &bytes)
            nextGreeting = now + Self.greetingInterval
        }
        if torqueWanted != nil, now >= nextTorque { sayTorque(now: now, into: &bytes) }
        if phase == .ready, now >= nextInterval, now - readAt > 3 * Seconds(interval) / 1000 {
            append(WaveshareLine.interval(interval), WaveshareLine.feedbackOn, to: &bytes)
            nextInterval = now + Self.retryInterval
        }
        if mayHold, now >= nextHold { hold(now: now, into: &bytes) }
        var next = phase == .greeting ? nextGreeting : now + Self.retryInterval
        if torqueWanted != nil { next = min(next, nextTorque) }
        if mayHold { next = min(next, nextHold) }
        return next
    }

    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        latest = now
        guard phase == .ready, !motionless, let pose else { return }
        switch setpoint {
        case .velocity(let velocity):
            holds = false
            let signed = SafetyMutant.swapsSign.isOn ? PanTilt(pan: -velocity.pan, tilt: velocity.tilt) : velocity
            append(WaveshareLine.move(stream.advance(onBoard(signed), from: pose)), to: &bytes)
        case .stop: hold(now: now, into: &bytes)
        }
    }

    /// Appends the end of any unfinished line: half of an object is none.
    mutating func encodeResync(into bytes: inout [UInt8]) { bytes.append(0x0A) }

    /// T:135 needs no pose, so that the stop can be prepared. It switches the torque on again. A head that was let go of must not
    /// be held again, so it gets torque off once more instead. A dry run has moved nothing and switches nothing.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        if isReleased {
            append(WaveshareLine.torque(false, number: torqueNumber), to: &bytes)
        } else if !motionless {
            append(WaveshareLine.stop, to: &bytes)
        }
        // A goal where the servos stand follows.
        stream.unsettle()
        (holds, nextHold) = (true, latest + Self.stopTime)
    }

    /// The board keeps no latch; the daemon does.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) { encodeStop(into: &bytes) }
    mutating func encodeClear(into bytes: inout [UInt8]) {}

    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        motionless = !on
        isReleased = !on
        isReleaseTold = false
        holds = false
        stream.forget()
        torqueNumber = (torqueNumber + 1) % 1000
        torqueWanted = on
        sayTorque(now: latest, into: &bytes)
    }

    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {
        guard active != isActive else { return }
        isActive = active
        if phase == .ready { append(WaveshareLine.interval(interval), to: &bytes) }
    }

    // MARK: parts

    private var mayHold: Bool { holds && phase == .ready && !motionless && pose != nil }

    private mutating func hold(now: Seconds, into bytes: inout [UInt8]) {
        guard let pose else { return }
        let goal = stream.stop(at: pose, rate: rate, braking: braking)
        append(WaveshareLine.move(goal), to: &bytes)
        (holds, nextHold) = (true, now + (stream.isSettled ? Self.holdInterval : Self.retryInterval))
    }

    /// With a goal where the servos stand, so that torque comes on without a jerk; and with an echo for this line only.
    private mutating func sayTorque(now: Seconds, into bytes: inout [UInt8]) {
        guard let on = torqueWanted else { return }
        nextTorque = now + Self.retryInterval
        encodeResync(into: &bytes)
        if on {
            guard let pose else { return }
            append(WaveshareLine.move(stream.stop(at: pose, rate: rate, braking: 0)), to: &bytes)
        }
        append(
            WaveshareLine.textOn, WaveshareLine.echoOn, WaveshareLine.torque(on, number: torqueNumber),
            WaveshareLine.echoOff, to: &bytes)
    }

    private func append(_ lines: String..., to bytes: inout [UInt8]) { WaveshareLine.append(lines, to: &bytes) }

    /// From our directions to the board's, and back.
    func onBoard(_ ours: PanTilt) -> PanTilt {
        PanTilt(pan: profile.pan.invert ? -ours.pan : ours.pan, tilt: profile.tilt.invert ? -ours.tilt : ours.tilt)
    }
}
