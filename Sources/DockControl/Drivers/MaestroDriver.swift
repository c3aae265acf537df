internal import Geometry

/// Pololu's Maestro servo controllers with two hobby servos (User's Guide 0J40): positions are streamed as pulse
/// widths.
///
/// Nothing measures the position of a hobby servo. The Maestro reports the pulse that it sends, as shaped by its own
/// limits of speed and acceleration. This pulse, delayed by the profile's lag, is taken as the position of the servo.
///
/// The servo of a channel without pulses is limp, and its position is unknown: it is assumed to be at home. The first
/// pulse turns the servo to the commanded position as fast as it can, without any limit of the Maestro. The first pulse
/// is therefore sent with the first motion, or with `torque on`, and never before.
struct MaestroDriver: DockDriver {
    static let name = "maestro"
    /// The channels, the pulse width per degree (of both axes or of one), the pulse width at the centre, whether
    /// commands need a checksum, and the number of a Maestro that shares a line with others.
    static let options: [String: DriverOption] = [
        "pan_channel": .whole(0...23), "tilt_channel": .whole(0...23), "us_per_degree": .number(1...40),
        "pan_us_per_degree": .number(1...40), "tilt_us_per_degree": .number(1...40),
        "pan_center_us": .number(MaestroChannel.widths), "tilt_center_us": .number(MaestroChannel.widths),
        "crc": .flag, "device": .whole(0...127),
    ]

    /// Checks that the pulses at both ends of an axis are ones that servos accept.
    static func contradictions(in profile: RigProfile) -> [ProfileContradiction] {
        profile.sameNumber("channel", pan: 0, tilt: 1)
            + Axis.allCases.flatMap { axis in
                let channel = MaestroChannel(axis, number: 0, profile: profile)
                let middle = channel.center / 4, perDegree = abs(channel.perRadian) / 4 * .pi / 180
                let widths = MaestroChannel.widths
                return profile.ends(
                    of: axis,
                    outside: (widths.lowerBound - middle) / perDegree...(widths.upperBound - middle) / perDegree,
                    why: "servos take pulses of 500 to 2500 us (\(RigProfile.words(middle)) us at the centre, "
                        + "\(RigProfile.words(perDegree)) us per degree)")
            }
    }

    /// The state of the conversation.
    enum Phase: Equatable { case closed, greeting, reading, ready }

    /// One servo.
    struct Servo: Sendable {
        let channel: MaestroChannel
        /// The pulse that the Maestro sends to it, in quarters of a microsecond. 0 means no pulse, and nil means
        /// unknown.
        var pulse: UInt16?
        /// Its last target, or nil if there is none.
        var target: UInt16?
        /// Whether it has had a pulse since it was commanded to have one.
        var wasOn = false
        var gate: ReadingGate
        var model: FirstOrderLag

        /// Whether it was commanded to hold, or still holds because another program commanded it earlier.
        var isOn: Bool { target != nil || (pulse ?? 0) > 0 }
    }

    let profile: RigProfile
    let wire: MaestroProtocol
    var phase = Phase.closed
    var servos: [Servo]
    var stream: PositionStream
    var talk: MaestroTalk
    var schedule = MaestroSchedule()
    var torque = TorqueRequest()
    /// Whether the speed limit is the slowest one: the servos are at rest and must stay where they are.
    var isSlow = false
    /// When the pulses had the values that were read.
    var readAt: Seconds = -.infinity
    var notes = NoteLimit()

    init(profile: RigProfile) {
        self.profile = profile
        wire = MaestroProtocol(
            hasCRC: profile.options["crc"] == 1,
            device: UInt8((profile.options["device"] ?? 12).clamped(to: 0...127)))
        stream = PositionStream(profile: profile)
        talk = MaestroTalk(baud: profile.serial.baud)
        servos = Axis.allCases.map { axis in
            let channel = MaestroChannel(axis, number: axis == .pan ? 0 : 1, profile: profile)
            return Servo(
                channel: channel,
                gate: ReadingGate(
                    fastest: 1.5 * 100 * Double(channel.speed), slack: abs(channel.perRadian) * .degrees(2)),
                model: FirstOrderLag(lag: profile[axis].lag))
        }
    }

    /// The servos stop by themselves if no set-point arrives, because they have reached the last one. The period of a
    /// hobby servo is 20 ms.
    var abilities: DriverAbilities {
        DriverAbilities(
            deadman: 0.15, setpoint: .position, mostSetpoints: 50, reportsPose: true, feedback: .modelled,
            reportsBattery: false,
            keepsLatch: false)
    }

    var invalidBytes: Int { talk.invalidBytes }

    mutating func begin(now: Seconds, motionless: Bool) {
        torque.begin(motionless: motionless)
        greet(now: now)
    }

    /// Forgets everything about the Maestro and greets it again.
    mutating func greet(now: Seconds) {
        phase = .greeting
        stream.forget()
        for index in servos.indices {
            (servos[index].pulse, servos[index].target, servos[index].wasOn) = (nil, nil, false)
            servos[index].gate.reset()
            servos[index].model.forget()
        }
        isSlow = false
        talk.restart()
        torque.awaitRelease()
        schedule.restart(now: now)
    }

    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        guard phase != .closed else { return now + 1 }
        if let until = talk.until {
            guard now >= until else { return until }
            talk.giveUp(now: now)
        }
        guard now >= talk.quietUntil else { return talk.quietUntil }
        if phase == .greeting {
            guard now >= schedule.nextGreeting else { return schedule.nextGreeting }
            bytes += schedule.greet(now: now) ? wire.getErrorsOfDevice : wire.getErrors
            return talk.ask(.errors, now: now)
        }
        // Errors go first because they are rarely due. Pulses are always due if an answer takes longer than 20 ms.
        if now >= schedule.nextErrors {
            schedule.requestErrors(now: now)
            // Nothing confirms the limits, so they are sent repeatedly.
            if phase == .ready, !torque.isMotionless { appendLimits(to: &bytes) }
            bytes += wire.getErrors
            return talk.ask(.errors, now: now)
        }
        if now >= schedule.nextPulses {
            correct(into: &bytes)
            schedule.requestPulses(now: now, isCreeping: isCreeping)
            for servo in servos { bytes += wire.getPosition(servo.channel.number) }
            return talk.ask(.pulses, now: now)
        }
        return schedule.next
    }

    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        guard phase == .ready, !torque.isMotionless else { return }
        let place = place
        switch setpoint {
        case .velocity(let velocity):
            let signed = SafetyMutant.swapsSign.isOn ? PanTilt(pan: -velocity.pan, tilt: velocity.tilt) : velocity
            let goal = stream.advance(signed, from: place, age: now - readAt, now: now)
            // The limits come first: a target obeys the limits that apply when it arrives.
            if isSlow || servos.contains(where: { !$0.isOn }) {
                isSlow = false
                appendLimits(to: &bytes)
            }
            for index in servos.indices { send(goal, index, into: &bytes) }
        case .stop:
            let rate = PanTilt(pan: servos[0].model.inputRate, tilt: servos[1].model.inputRate)
            let braking = Axis.allCases.map { abs(rate[$0]) / (2 * profile[$0].maxAcceleration) }.max() ?? 0
            let goal = stream.stop(at: place, rate: rate, age: now - readAt, braking: braking)
            isSlow = true
            appendLimits(to: &bytes)
            // A servo without pulses is at rest, and gets no pulse to stop it.
            for index in servos.indices where servos[index].isOn { send(goal, index, into: &bytes) }
        }
    }

    private mutating func send(_ goal: PanTilt, _ index: Int, into bytes: inout [UInt8]) {
        let channel = servos[index].channel
        send(channel.pulse(goal[channel.axis]), index, into: &bytes)
    }

    mutating func send(_ pulse: UInt16, _ index: Int, into bytes: inout [UInt8]) {
        servos[index].target = pulse
        bytes += wire.setTarget(servos[index].channel.number, pulse)
    }

    /// Appends the speed and acceleration limits of both servos.
    func appendLimits(to bytes: inout [UInt8]) {
        for servo in servos {
            let channel = servo.channel
            bytes += wire.setSpeed(channel.number, isSlow ? MaestroChannel.slowest : channel.speed)
            bytes += wire.setAcceleration(channel.number, channel.acceleration)
        }
    }

    /// Appends nothing: every command begins with a byte that ends the previous command. More bytes would do harm: data
    /// bytes would complete a truncated target.
    mutating func encodeResync(into bytes: inout [UInt8]) {}

    /// Appends the slowest speed limit, whatever the targets are. It is valid in any state, so that it can be prepared.
    /// It is sent twice, because a stray FF swallows two bytes. The driver then pins the targets to the current pulses.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        isSlow = true
        for _ in 0..<2 {
            for servo in servos { bytes += wire.setSpeed(servo.channel.number, MaestroChannel.slowest) }
        }
    }

    /// Appends a stop. The Maestro keeps no latch; the daemon does.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) { encodeStop(into: &bytes) }
    mutating func encodeClear(into bytes: inout [UInt8]) {}

    /// Appends the torque. Off means no pulses, repeated until the Maestro confirms it. On means the pulse of the
    /// assumed position of each servo; a servo that was turned by hand turns back as fast as it can.
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        torque.request(on)
        guard on else {
            stream.forget()
            for index in servos.indices { (servos[index].target, servos[index].wasOn) = (nil, false) }
            return appendNoPulses(to: &bytes)
        }
        guard phase == .ready else { return }
        let place = place
        stream.pin(at: place)
        isSlow = true
        appendLimits(to: &bytes)
        for index in servos.indices { send(place, index, into: &bytes) }
    }

    func appendNoPulses(to bytes: inout [UInt8]) {
        for servo in servos { bytes += wire.setTarget(servo.channel.number, 0) }
    }

    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) { schedule.isActive = active }

    /// The position to which the servos are being sent, in radians. Without a pulse, it is their assumed position.
    var place: PanTilt {
        func place(_ servo: Servo) -> Double {
            if let pulse = servo.pulse, pulse > 0 { return servo.channel.angle(pulse) }
            return servo.model.pose ?? profile[servo.channel.axis].home
        }
        return PanTilt(pan: place(servos[0]), tilt: place(servos[1]))
    }
}
