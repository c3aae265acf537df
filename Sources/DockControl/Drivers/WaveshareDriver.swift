internal import Geometry

/// Waveshare's 2-axis pan-tilt through its own board: JSON lines over a serial port, goals in whole degrees.
///
/// The board has no deadman for the pan-tilt; the goals serve this purpose (`CoarseStream`). Only the angles that it
/// reports identify it. Torque is confirmed by the echo of that very line: the board executes what it echoes, but does
/// not ask the servos.
struct WaveshareDriver: DockDriver {
    static let name = "waveshare"
    /// The servos' IDs, for messages; positions per second in the servo's unit of speed, which depends on the firmware;
    /// `battery` = 1 means that the rig runs on a battery, whose voltage is `v`.
    static let options: [String: DriverOption] = [
        "pan_id": .whole(0...253), "tilt_id": .whole(0...253), "speed_unit_steps": .number(0.1...100), "battery": .flag,
    ]

    /// Checks that positions and speeds are ones that T:134 accepts.
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
    /// The time until T:135 has switched the torque on again, in seconds.
    static let stopTime: Seconds = 0.02
    /// The longest time between two calls of `service`, in seconds.
    static let serviceInterval: Seconds = 0.1

    let profile: RigProfile
    let abilities: DriverAbilities
    var phase = Phase.closed
    var lines = ObjectLines()
    var stream: CoarseStream
    var likely: LikelyPose
    /// The measured pose in the board's directions.
    var measured = MeasuredPose()
    var reporting: BoardReports
    var torque = TorqueRequest()
    var echo = TorqueEcho()
    var hold = HoldSchedule()
    var missing = MissingServos()
    private var nextGreeting: Seconds = 0
    var latest: Seconds = 0

    init(profile: RigProfile) {
        self.profile = profile
        let steps = profile.options["speed_unit_steps"] ?? 1
        func range(_ axis: RigProfile.AxisProfile) -> ClosedRange<Double> {
            axis.invert ? -axis.range.upperBound ... -axis.range.lowerBound : axis.range
        }
        stream = CoarseStream(pan: range(profile.pan), tilt: range(profile.tilt), stepsPerUnit: steps)
        likely = LikelyPose(fastest: max(profile.pan.maxSpeed, profile.tilt.maxSpeed))
        reporting = BoardReports(baud: profile.serial.baud)
        // The motors arrive after 0.2 s of motion and less than a degree. At 5 deg/s and more this takes at most half a
        // second. At a lower speed, it is at most 1.5 degrees.
        abilities = DriverAbilities(
            deadman: 0.5, setpoint: .position, mostSetpoints: 50, reportsPose: true,
            standstill: .limp, reportsBattery: profile.options["battery"] == 1, keepsLatch: false,
            showsDeafness: false)
    }

    var invalidBytes: Int { lines.invalidBytes }

    mutating func begin(now: Seconds, motionless: Bool) {
        torque.begin(motionless: motionless)
        latest = now
        phase = .greeting
        lines.reset()
        stream.forget()
        likely.forget()
        measured.forget()
        missing = MissingServos()
        echo.forget()
        hold.end()
        nextGreeting = now
    }

    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        latest = now
        guard phase != .closed else { return now + 1 }
        if phase == .greeting, now >= nextGreeting {
            // Settings are sent again with every greeting: only their effects confirm them.
            encodeResync(into: &bytes)
            append(
                WaveshareLine.moduleIsPanTilt, WaveshareLine.textOn, WaveshareLine.echoOff, WaveshareLine.steadyOff,
                WaveshareLine.interval(reporting.interval), WaveshareLine.feedbackOn, to: &bytes)
            nextGreeting = now + Self.greetingInterval
        }
        if let due = echo.due, now >= due { appendTorque(now: now, into: &bytes) }
        if phase == .ready, reporting.isReminderDue(age: measured.age(now: now), now: now) {
            append(WaveshareLine.interval(reporting.interval), WaveshareLine.feedbackOn, to: &bytes)
        }
        if let due = dueHold, now >= due { appendHold(now: now, into: &bytes) }
        let next = phase == .greeting ? nextGreeting : now + Self.serviceInterval
        return min(next, echo.due ?? next, dueHold ?? next)
    }

    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        latest = now
        guard phase == .ready, !torque.isMotionless, let pose = measured.pose else { return }
        switch setpoint {
        case .velocity(let velocity):
            hold.end()
            let signed = SafetyMutant.swapsSign.isOn ? PanTilt(pan: -velocity.pan, tilt: velocity.tilt) : velocity
            append(WaveshareLine.move(stream.advance(profile.mirrored(signed), from: pose)), to: &bytes)
        case .stop: appendHold(now: now, into: &bytes)
        }
    }

    /// Appends the end of any unfinished line, because half an object is not an object.
    mutating func encodeResync(into bytes: inout [UInt8]) { bytes.append(0x0A) }

    /// Appends T:135, which needs no pose, so that the stop can be prepared. It switches the torque on again. A head
    /// whose torque is off must not be held again, so it gets torque off once more instead. A dry run has moved nothing
    /// and switches nothing.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        if torque.isReleased {
            append(echo.line(false), to: &bytes)
        } else if !torque.isMotionless {
            append(WaveshareLine.stop, to: &bytes)
        }
        // The next goal is the present position of the servos.
        stream.unsettle()
        hold.begin(at: latest + Self.stopTime)
    }

    /// Appends a stop. The board keeps no latch; the daemon does.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) { encodeStop(into: &bytes) }
    mutating func encodeClear(into bytes: inout [UInt8]) {}

    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        torque.request(on)
        hold.end()
        stream.forget()
        echo.want(on, now: latest)
        appendTorque(now: latest, into: &bytes)
    }

    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {
        guard active != reporting.rate.isActive else { return }
        reporting.rate.isActive = active
        if phase == .ready { append(WaveshareLine.interval(reporting.interval), to: &bytes) }
    }

    // MARK: parts

    /// When the goal of servos at rest is due. It is nil if none is due or nothing may be moved.
    private var dueHold: Seconds? {
        phase == .ready && !torque.isMotionless && measured.pose != nil ? hold.due : nil
    }

    private mutating func appendHold(now: Seconds, into bytes: inout [UInt8]) {
        guard let pose = measured.pose else { return }
        let goal = stream.stop(at: pose, rate: measured.rate, braking: max(profile.pan.lag, profile.tilt.lag))
        append(WaveshareLine.move(goal), to: &bytes)
        hold.sent(isSettled: stream.isSettled, now: now)
    }

    /// Appends the torque line, with a goal at the position of the servos, so that torque comes on without a jerk, and
    /// with an echo for this line only.
    private mutating func appendTorque(now: Seconds, into bytes: inout [UInt8]) {
        guard let on = echo.wanted else { return }
        echo.sent(now: now)
        encodeResync(into: &bytes)
        if on {
            guard let pose = measured.pose else { return }
            append(WaveshareLine.move(stream.stop(at: pose, rate: measured.rate, braking: 0)), to: &bytes)
        }
        append(WaveshareLine.textOn, WaveshareLine.echoOn, echo.line(on), WaveshareLine.echoOff, to: &bytes)
    }

    private func append(_ lines: String..., to bytes: inout [UInt8]) { WaveshareLine.append(lines, to: &bytes) }
}
