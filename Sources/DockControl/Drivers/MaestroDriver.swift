internal import Geometry

/// Pololu's Maestro servo controllers with two hobby servos (User's Guide 0J40): places are streamed as pulse widths.
///
/// Nothing measures where a hobby servo stands. The Maestro tells which pulse it sends, which its own limits of speed and
/// acceleration have shaped; where the servo is, is that, delayed by the profile's lag.
///
/// A channel without pulses is limp, and nobody knows where its servo stands: it is taken to stand at home. Its first pulse
/// turns it to where that says as fast as it can, and no limit of the Maestro holds there. So the first pulse comes with the
/// first motion, or with `torque on`, and never before.
struct MaestroDriver: DockDriver {
    static let name = "maestro"
    /// Channels, pulses per degree (of both axes or of one), the pulse in the middle, whether a checksum is wanted, and the
    /// number of the Maestro on a line with others.
    static let options: [String: DriverOption] = [
        "pan_channel": .whole(0...23), "tilt_channel": .whole(0...23), "us_per_degree": .number(1...40),
        "pan_us_per_degree": .number(1...40), "tilt_us_per_degree": .number(1...40),
        "pan_center_us": .number(MaestroChannel.widths), "tilt_center_us": .number(MaestroChannel.widths),
        "crc": .flag, "device": .whole(0...127),
    ]

    /// Pulses at both ends are ones that servos take.
    static func contradictions(in profile: RigProfile) -> [ProfileContradiction] {
        profile.sameNumber("channel", pan: 0, tilt: 1)
            + Axis.allCases.flatMap { axis in
                let channel = MaestroChannel(axis, number: 0, profile: profile)
                let middle = channel.center / 4, perDegree = abs(channel.perRadian) / 4 * .pi / 180
                let widths = MaestroChannel.widths
                return profile.ends(
                    of: axis,
                    outside: (widths.lowerBound - middle) / perDegree...(widths.upperBound - middle) / perDegree,
                    why: "servos take pulses of 500 to 2500 us (\(RigProfile.words(middle)) us in the middle, "
                        + "\(RigProfile.words(perDegree)) us a degree)")
            }
    }

    /// Where the conversation is.
    enum Phase: Equatable { case closed, greeting, reading, ready }
    /// What an answer is out for.
    enum Question: Equatable {
        case errors, pulses
        /// Bytes of the answer.
        var count: Int { self == .errors ? 2 : 4 }
    }

    /// One servo.
    struct Servo: Sendable {
        let channel: MaestroChannel
        /// The pulse that is sent to it, quarters of a microsecond; 0: none; nil: not known.
        var pulse: UInt16?
        /// What it was told last; nil: nothing.
        var target: UInt16?
        /// It had a pulse since it was told to have one.
        var wasOn = false
        var gate: ReadingGate
        var model: FirstOrderLag

        /// It was told to hold, or does so since somebody told it before us.
        var isOn: Bool { target != nil || (pulse ?? 0) > 0 }
    }

    static let greetingInterval: Seconds = 0.5
    /// Pulses are asked for so often, moving and at rest; errors so often always.
    static let activeRate = 50.0, restRate = 10.0, errorInterval: Seconds = 0.5
    /// An answer that has not come by then does not come, seconds; and then nothing is asked until the line is quiet.
    static let answerTime: Seconds = 0.08, drain: Seconds = 0.1
    /// Of errors is told no more often, seconds.
    static let noteInterval: Seconds = 10

    let wire: MaestroProtocol
    let profile: RigProfile
    var phase = Phase.closed
    var servos: [Servo]
    var stream: PositionStream
    var motionless = false
    /// A person switched the torque off, and whether the Maestro has said that it is so.
    var isReleased = false, isReleaseTold = false
    /// The speed limit is the slowest one: they stand, and where they stand they shall stay.
    var isSlow = false
    var isActive = false
    var asked: (question: Question, since: Seconds, until: Seconds)?
    var answer: [UInt8] = []
    /// Nothing is asked before.
    var quietUntil: Seconds = 0
    var nextGreeting: Seconds = 0, nextPulses: Seconds = 0, nextErrors: Seconds = 0
    private var greetings = 0
    /// When the pulses were what they were read to be.
    var readAt: Seconds = -.infinity
    /// Serial errors that the Maestro has told of, and when of one was told last.
    var serialErrors = 0, notedAt: Seconds = -.infinity
    var invalidBytes = 0

    init(profile: RigProfile) {
        self.profile = profile
        wire = MaestroProtocol(
            hasCRC: profile.options["crc"] == 1,
            device: UInt8((profile.options["device"] ?? 12).clamped(to: 0...127)))
        stream = PositionStream(profile: profile)
        servos = Axis.allCases.map { axis in
            let channel = MaestroChannel(axis, number: axis == .pan ? 0 : 1, profile: profile)
            return Servo(
                channel: channel,
                gate: ReadingGate(
                    fastest: 1.5 * 100 * Double(channel.speed), slack: abs(channel.perRadian) * .degrees(2)),
                model: FirstOrderLag(lag: profile[axis].lag))
        }
        answer.reserveCapacity(4)
    }

    /// They stand by themselves when no set-point comes: they have arrived. Twenty milliseconds are a hobby servo's period.
    var abilities: DriverAbilities {
        DriverAbilities(
            deadman: 0.15, setpoint: .position, mostSetpoints: 50, reportsPose: true, feedback: .modelled,
            reportsBattery: false,
            keepsLatch: false)
    }

    mutating func begin(now: Seconds, motionless: Bool) {
        self.motionless = motionless
        if !motionless { isReleased = false }
        greet(now: now)
    }

    /// Nothing is known of it any more.
    mutating func greet(now: Seconds) {
        phase = .greeting
        stream.forget()
        for index in servos.indices {
            (servos[index].pulse, servos[index].target, servos[index].wasOn) = (nil, nil, false)
            servos[index].gate.reset()
            servos[index].model.forget()
        }
        (asked, isSlow, isReleaseTold, greetings) = (nil, false, false, 0)
        answer.removeAll(keepingCapacity: true)
        nextGreeting = now
    }

    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        guard phase != .closed else { return now + 1 }
        if let asked {
            guard now >= asked.until else { return asked.until }
            // What comes of it now would be taken for the answer to the next one.
            forgetQuestion(quietUntil: now + Self.drain)
        }
        guard now >= quietUntil else { return quietUntil }
        if phase == .greeting {
            guard now >= nextGreeting else { return nextGreeting }
            nextGreeting = now + Self.greetingInterval
            greetings += 1
            // By turns: one that waits to learn the line's speed hears only the second kind.
            bytes += greetings % 2 == 1 ? wire.getErrors : wire.getErrorsOfDevice
            return ask(.errors, now: now)
        }
        // First, as they are seldom due, and pulses always are where an answer takes longer than 20 ms.
        if now >= nextErrors {
            nextErrors = now + Self.errorInterval
            // Nothing confirms the limits: they are said again and again.
            if phase == .ready, !motionless { appendLimits(to: &bytes) }
            bytes += wire.getErrors
            return ask(.errors, now: now)
        }
        if now >= nextPulses {
            correct(into: &bytes)
            nextPulses = now + 1 / (isActive || isCreeping ? Self.activeRate : Self.restRate)
            for servo in servos { bytes += wire.getPosition(servo.channel.number) }
            return ask(.pulses, now: now)
        }
        return min(nextPulses, nextErrors)
    }

    private mutating func ask(_ question: Question, now: Seconds) -> Seconds {
        answer.removeAll(keepingCapacity: true)
        let until = now + Self.answerTime + Seconds(10 * (5 + question.count)) / Seconds(profile.serial.baud)
        asked = (question, now, until)
        return until
    }

    mutating func forgetQuestion(quietUntil time: Seconds) {
        invalidBytes += answer.count
        answer.removeAll(keepingCapacity: true)
        asked = nil
        quietUntil = time
    }

    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        guard phase == .ready, !motionless else { return }
        let place = place
        switch setpoint {
        case .velocity(let velocity):
            let signed = SafetyMutant.swapsSign.isOn ? PanTilt(pan: -velocity.pan, tilt: velocity.tilt) : velocity
            let goal = stream.advance(signed, from: place, age: now - readAt, now: now)
            // The limits come first: a target obeys those that are there when it comes.
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
            // One without pulses stands, and gets none to stop it.
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

    /// Speed and acceleration of both.
    func appendLimits(to bytes: inout [UInt8]) {
        for servo in servos {
            let channel = servo.channel
            bytes += wire.setSpeed(channel.number, isSlow ? MaestroChannel.slowest : channel.speed)
            bytes += wire.setAcceleration(channel.number, channel.acceleration)
        }
    }

    /// Every command begins with a byte that ends the one before it. More would do harm: data bytes would make a whole of a
    /// target that was cut off.
    mutating func encodeResync(into bytes: inout [UInt8]) {}

    /// The slowest limit, whatever the targets are: right in any state, so that it can be kept ready. Twice, since a stray FF
    /// takes two bytes along. The driver pins the targets where the pulses are then.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        isSlow = true
        for _ in 0..<2 {
            for servo in servos { bytes += wire.setSpeed(servo.channel.number, MaestroChannel.slowest) }
        }
    }

    /// It keeps no latch; the daemon does.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) { encodeStop(into: &bytes) }
    mutating func encodeClear(into bytes: inout [UInt8]) {}

    /// Off: no pulses, repeated until it says so. On: the pulse of where each was taken to be; what was turned by hand turns
    /// back, as fast as it can.
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        (motionless, isReleased, isReleaseTold) = (!on, !on, false)
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

    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) { isActive = active }

    /// Where the servos are sent at this moment, rad; without a pulse: where they are taken to be.
    var place: PanTilt {
        func place(_ servo: Servo) -> Double {
            if let pulse = servo.pulse, pulse > 0 { return servo.channel.angle(pulse) }
            return servo.model.pose ?? profile[servo.channel.axis].home
        }
        return PanTilt(pan: place(servos[0]), tilt: place(servos[1]))
    }
}
