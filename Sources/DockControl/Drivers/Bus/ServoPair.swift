internal import Geometry

/// Two bus servos as a dock: greeting, settings, places as set-points, feedback by questions.
///
/// Servos of this kind have no deadman that can be relied on, and in a speed mode they would turn on for ever when the host
/// dies. So they are driven in place mode: what they were sent is never more than a refresh ahead, and they stand when nothing
/// comes.
struct ServoPair<Bus: ServoProtocol>: Sendable {
    /// Where the conversation is.
    enum Phase: Equatable { case closed, greeting, configuring, ready }

    /// One of the two.
    struct Servo: Sendable {
        let axis: Axis
        let id: UInt8
        /// The position in the middle of the axis.
        let center: Double
        let sense: Double
        var model: UInt16?
        var firmware = ""
        var reading: ServoReading?
        var errors: UInt8 = 0
        /// What the errors are about; nil: not asked yet, or there are none.
        var detail: UInt8?
    }

    /// Attempts at a setting before the servos are greeted anew.
    static var retries: Int { 5 }
    static var greetingInterval: Seconds { 0.5 }
    /// A servo that starts anew answers after this, seconds.
    static var restartTime: Seconds { 0.3 }
    /// A servo that lost its supply for a moment comes back without torque: one of them is asked so often, seconds.
    static var torqueCheckInterval: Seconds { 0.2 }
    /// Feedback a second, moving and at rest.
    static var activeRate: Double { 50 }
    static var restRate: Double { 10 }

    let bus: Bus
    let profile: RigProfile
    var servos: [Servo]
    var phase = Phase.closed
    var motionless = false
    var stream: PositionStream
    var talk = ServoTalk()
    private var scanner = FrameScanner(capacity: 160)
    var nextGreeting: Seconds = 0
    var nextFeedback: Seconds = 0
    /// When both last said where they are, and when any of them last said anything.
    var readAt: Seconds = -.infinity, measuredAt: Seconds = -.infinity, heardAt: Seconds = -.infinity
    /// One does not follow places, and was not made to, since nothing may be written while nothing may move.
    var hasOtherMode = false
    /// That one stands where none can was told.
    var hasToldPlace = false
    /// When a servo is next asked whether it still holds, and which.
    var nextTorqueCheck: Seconds = 0
    var torqueCheck = 0
    /// One of two that answer one by one has answered.
    var isHalfRead = false
    var isActive = false
    /// The newest set-point, while an answer is out.
    private var held: DockSetpoint?
    /// A person switched the torque off, and whether the servos have said that it is so.
    var isReleased = false
    var isReleaseTold = false
    var isConfigured = false
    var fault: DockFault?
    var latest: Seconds = 0
    private var lastFrame: [UInt8] = []

    /// `bus` with the ids and middles of a profile's options.
    init(profile: RigProfile, lastID: Double) {
        let bus = Bus(profile: profile)
        self.bus = bus
        self.profile = profile
        stream = PositionStream(profile: profile)
        func servo(_ axis: Axis, _ name: String, _ id: Double) -> Servo {
            Servo(
                axis: axis, id: UInt8((profile.options[name + "_id"] ?? id).clamped(to: 0...lastID)),
                center: profile.options[name + "_center"] ?? ((bus.lastPosition + 1) / 2),
                sense: profile[axis].invert ? -1 : 1)
        }
        servos = [servo(.pan, "pan", 1), servo(.tilt, "tilt", 2)]
    }

    var invalidBytes: Int { scanner.invalidBytes }

    mutating func begin(now: Seconds, motionless: Bool) {
        self.motionless = motionless
        latest = now
        if !motionless { isReleased = false }
        phase = .greeting
        scanner.reset()
        stream.forget()
        for index in servos.indices { (servos[index].model, servos[index].reading) = (nil, nil) }
        talk = ServoTalk()
        (held, fault, isHalfRead, isConfigured, hasOtherMode) = (nil, nil, false, false, false)
        (readAt, heardAt) = (-.infinity, now)
        nextGreeting = now
    }

    /// What is due: the next question, when the last one is answered or its time is over; and the set-point that waited for it.
    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        latest = now
        guard phase != .closed else { return now + 1 }
        if talk.asked != nil {
            guard let question = talk.timedOut(now: now) else { return talk.until }
            // The beginning of a frame that never came whole must not take the next one along.
            let bus = bus
            scanner.giveUp(bus.match) { _ in }
            unanswered(question, now: now)
        }
        if let setpoint = held {
            held = nil
            write(setpoint, now: now, into: &bytes)
        }
        guard let question = nextQuestion(now: now) else { return phase == .greeting ? nextGreeting : nextFeedback }
        let frame = bus.frame(question, self)
        append(frame, to: &bytes)
        let answer = question.answers * (bus.answerOverhead + bus.longestAnswer(question))
        // Question and answers at the line's speed, ten bits a byte.
        talk.ask(question, wire: Seconds(10 * (frame.count + answer)) / Seconds(profile.serial.baud), now: now)
        return talk.until
    }

    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        latest = now
        guard talk.asked == nil else {
            held = setpoint
            return
        }
        write(setpoint, now: now, into: &bytes)
    }

    private mutating func write(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        guard phase == .ready, !motionless, let pose else { return }
        let goal = stream.goal(
            for: setpoint, pose: pose, rate: rate, age: now - readAt, braking: max(profile.pan.lag, profile.tilt.lag),
            now: now)
        append(
            bus.write(
                bus.goal,
                servos.map { servo in
                    (servo.id, bus.goalBytes(position(goal[servo.axis], servo), speed: fastest(servo.axis)))
                }), to: &bytes)
    }

    mutating func encodeResync(into bytes: inout [UInt8]) { bytes += bus.filler(behind: lastFrame) }

    /// Filler, then the slowest way to whatever goal there is: right in any state, so that it can be kept ready. The set-points
    /// of a stop come after it, and are places; without them the servos stand at the last one, a refresh away.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        // What waited for an answer is older than the stop.
        held = nil
        encodeResync(into: &bytes)
        append(bus.write(bus.slowest.memory, servos.map { ($0.id, bus.slowest.bytes) }), to: &bytes)
    }

    mutating func encodeClear(into bytes: inout [UInt8]) {
        for index in servos.indices where bus.fault(servos[index].errors, detail: servos[index].detail) != nil {
            let frame = bus.recovery(of: servos[index].id)
            guard !frame.isEmpty else { continue }
            append(frame, to: &bytes)
            // It starts anew: greeted and configured as at first, once it can answer.
            let before = fault
            begin(now: latest, motionless: motionless)
            fault = before
            nextGreeting = latest + Self.restartTime
        }
    }

    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        motionless = !on
        isReleased = !on
        isReleaseTold = false
        talk.plan.removeAll(where: \.isAboutTorque)
        if on {
            // Only now it may be made to follow places.
            if hasOtherMode { return begin(now: latest, motionless: false) }
            for index in servos.indices { talk.plan += [.pin(index), .torque(index, true)] }
            return
        }
        stream.forget()
        held = nil
        // At once, and then one by one until they say so.
        append(bus.write(bus.torque, servos.map { ($0.id, [0]) }), to: &bytes)
        for index in servos.indices { talk.plan += [.torque(index, false), .torqueState(index)] }
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        latest = now
        var packets: [ServoPacket] = []
        let bus = bus
        for byte in bytes {
            scanner.push(byte, bus.match) { frame in if let packet = bus.packet(frame) { packets.append(packet) } }
        }
        for packet in packets { take(packet, now: now, into: &reports) }
    }

    // MARK: units

    /// Where both stand, rad; nil: one has not said.
    var pose: PanTilt? {
        guard let pan = servos[0].reading, let tilt = servos[1].reading else { return nil }
        return PanTilt(pan: angle(pan.position, servos[0]), tilt: angle(tilt.position, servos[1]))
    }

    /// rad/s.
    var rate: PanTilt {
        func rate(_ servo: Servo) -> Double {
            (servo.reading?.rate ?? 0) * servo.sense * 2 * .pi / bus.countsPerTurn
        }
        return PanTilt(pan: rate(servos[0]), tilt: rate(servos[1]))
    }

    func position(_ angle: Double, _ servo: Servo) -> Double {
        (servo.center + servo.sense * angle * bus.countsPerTurn / (2 * .pi)).clamped(to: 0...bus.lastPosition)
    }

    func angle(_ position: Double, _ servo: Servo) -> Double {
        servo.sense * (position - servo.center) * 2 * .pi / bus.countsPerTurn
    }

    /// In the servo's positions a second.
    func fastest(_ axis: Axis) -> Double { profile[axis].maxSpeed * bus.countsPerTurn / (2 * .pi) }

    private mutating func append(_ frame: [UInt8], to bytes: inout [UInt8]) {
        lastFrame = frame
        bytes += frame
    }
}

extension ServoProtocol {
    /// The frame of a question.
    func frame(_ question: ServoQuestion, _ pair: ServoPair<Self>) -> [UInt8] {
        func id(_ index: Int) -> UInt8 { pair.servos[index].id }
        switch question {
        case .identity(let index): return read(identity, of: id(index))
        case .mode(let index): return read(mode?.memory ?? identity, of: id(index))
        case .write(let index, let row): return write(row, to: id(index))
        case .pin(let index):
            let servo = pair.servos[index], place = servo.reading?.position ?? servo.center
            return write(ServoWrite(goal, goalBytes(place, speed: pair.fastest(servo.axis))), to: id(index))
        case .torque(let index, let on): return write(ServoWrite(torque, [on ? 1 : 0]), to: id(index))
        case .torqueState(let index): return read(torque, of: id(index))
        case .faultDetail(let index): return read(faultDetail ?? identity, of: id(index))
        case .feedbackOf(let index): return read(feedback, of: id(index))
        case .feedback: return read(feedback, of: pair.servos.map(\.id)) ?? read(feedback, of: id(0))
        }
    }

    /// Parameters of its answer, bytes, at most.
    func longestAnswer(_ question: ServoQuestion) -> Int {
        switch question {
        case .identity: identity.count
        case .mode, .torqueState, .faultDetail: 1
        case .write, .pin, .torque: 0
        case .feedback, .feedbackOf: feedback.count
        }
    }
}
