internal import Geometry

/// Waveshare's 2-axis pan-tilt through its own board: JSON lines over a serial port, goals in whole degrees.
///
/// The board has no deadman for the pan-tilt: the goals are (`CoarseStream`). It says who it is by nothing but telling angles.
/// Torque is confirmed by the echo of the very line: the board executes what it echoes; the servos themselves it does not ask.
struct WaveshareDriver: DockDriver {
    static let name = "waveshare"
    /// The servos' ids, for messages; positions a second in the servo's unit of speed: firmwares differ; 1: the rig runs on a
    /// battery, and `v` tells of it.
    static let options: [String: DriverOption] = [
        "pan_id": .whole(0...253), "tilt_id": .whole(0...253), "speed_unit_steps": .number(0.1...100), "battery": .flag,
    ]

    /// Places and speeds are ones that T:134 takes.
    static func contradictions(in profile: RigProfile) -> [ProfileContradiction] {
        let unit = profile.options["speed_unit_steps"] ?? 1
        let fastest = Double(CoarseStream.fastest) * unit * 360 / 4096
        return profile.sameNumber("id", pan: 2, tilt: 1)
            + Axis.allCases.flatMap { axis in
                profile.ends(
                    of: axis, outside: axis == .pan ? CoarseStream.places.pan : CoarseStream.places.tilt,
                    why: "the board takes no such place")
                    + profile.speed(
                        of: axis, above: fastest,
                        why: "the board takes no more than \(CoarseStream.fastest) units of speed "
                            + "(options.speed_unit_steps is \(RigProfile.words(unit)))")
            }
    }

    enum Phase: Equatable { case closed, greeting, configuring, ready }

    static let greetingInterval: Seconds = 0.5
    /// A line that is not confirmed, or has no effect, is said again after so long, seconds.
    static let retryInterval: Seconds = 0.1
    /// At rest the goal is said again so often, seconds: the line that said it may have been spoilt, and has no checksum.
    static let holdInterval: Seconds = 0.5
    /// After T:135 has given the torque back, seconds.
    static let stopTime: Seconds = 0.02
    /// A report is so long at most (T:1001 with its motor speeds, attitude and angles), bytes.
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
    /// As the board has them, rad and rad/s.
    var pose: PanTilt?
    var rate = PanTilt.zero
    var readAt: Seconds = 0
    var nextGreeting: Seconds = 0
    /// What the torque shall be and the board has not confirmed; nil: nothing.
    var torqueWanted: Bool?
    var torqueNumber = 0
    var nextTorque: Seconds = 0
    var isReleased = false
    var isReleaseTold = false
    var isActive = false
    /// The servos stand, or shall: their goal is said again from time to time.
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
        // Arrived: 0.2 s of way and less than a degree, at 5 deg/s and more within half a second; slower it is 1.5 degrees.
        abilities = DriverAbilities(
            deadman: 0.5, setpoint: .position, mostSetpoints: 50, reportsPose: true,
            standstill: .limp, reportsBattery: profile.options["battery"] == 1, keepsLatch: false,
            showsDeafness: false)
    }

    var invalidBytes: Int { lines.invalidBytes }

    /// ms between reports: no more than half of the line.
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
            // Settings are said again with every greeting: none of them is confirmed but by what comes.
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

    /// The end of whatever line there is: half of an object is none.
    mutating func encodeResync(into bytes: inout [UInt8]) { bytes.append(0x0A) }

    /// T:135 knows no pose, so that it can be kept ready. It gives the torque back, and a head that was let go of must not be
    /// taken hold of again: that one has it switched off once more. A dry run has moved nothing and switches nothing.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        if isReleased {
            append(WaveshareLine.torque(false, number: torqueNumber), to: &bytes)
        } else if !motionless {
            append(WaveshareLine.stop, to: &bytes)
        }
        // A goal where it stands follows.
        stream.unsettle()
        (holds, nextHold) = (true, latest + Self.stopTime)
    }

    /// It keeps no latch; the daemon does.
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

    /// With a goal where they stand, so that torque comes on without a snap; and an echo for this line alone.
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

    /// Ours to the board's, and back.
    func onBoard(_ ours: PanTilt) -> PanTilt {
        PanTilt(pan: profile.pan.invert ? -ours.pan : ours.pan, tilt: profile.tilt.invert ? -ours.tilt : ours.tilt)
    }
}
