internal import Geometry

/// Two bus servos as a dock: greeting, settings, positions as set-points, feedback on request.
///
/// Servos of this kind have no reliable deadman, and in a speed mode they would turn indefinitely if the host died.
/// They are therefore driven in position mode: their goal is never more than a refresh ahead, and they stop there if no
/// set-point arrives.
struct ServoPair<Bus: ServoProtocol>: Sendable {
    /// The state of the conversation.
    enum Phase: Equatable { case closed, greeting, configuring, ready }

    /// One of the two servos.
    struct Servo: Sendable {
        let axis: Axis
        let id: UInt8
        /// The position at the centre of the axis.
        let center: Double
        let sense: Double
        var model: UInt16?
        var firmware = ""
        /// The number of greetings in a row that it has not answered.
        var misses = 0
        /// The settings that it keeps, as far as it has reported them.
        var settings = StoredSettings()
        /// Whether it did not report all of them.
        var hidesSettings = false
        /// How often in a row it has reported another mode than that of positions.
        var wrongModes = 0
        var reading: ServoReading?
        var errors: UInt8 = 0
        /// Details of the errors, or nil if not requested yet or there are none.
        var detail: UInt8?
    }

    let profile: RigProfile
    var wire: ServoWire<Bus>
    var servos: [Servo]
    var phase = Phase.closed
    var setup = ServoSetup()
    var torque = TorqueRequest()
    var talk = ServoTalk()
    var polling = ServoPolling()
    var times = ServoTimes()
    var stream: PositionStream
    /// The newest set-point while an answer is pending.
    private var held: DockSetpoint?
    var fault = ReportedFault()
    var latest: Seconds = 0

    /// Creates a pair with the IDs and centres in a profile's options.
    init(profile: RigProfile, lastID: Double) {
        let bus = Bus(profile: profile)
        self.profile = profile
        wire = ServoWire(bus: bus)
        stream = PositionStream(profile: profile)
        func servo(_ axis: Axis, _ name: String, _ id: Double) -> Servo {
            Servo(
                axis: axis, id: UInt8((profile.options[name + "_id"] ?? id).clamped(to: 0...lastID)),
                center: profile.options[name + "_center"] ?? ((bus.lastPosition + 1) / 2),
                sense: profile[axis].invert ? -1 : 1)
        }
        servos = [servo(.pan, "pan", 1), servo(.tilt, "tilt", 2)]
    }

    var bus: Bus { wire.bus }
    var invalidBytes: Int { wire.invalidBytes }

    mutating func begin(now: Seconds, motionless: Bool) {
        torque.begin(motionless: motionless)
        latest = now
        phase = .greeting
        wire.reset()
        stream.forget()
        for index in servos.indices {
            (servos[index].model, servos[index].reading, servos[index].misses) = (nil, nil, 0)
            (servos[index].settings, servos[index].hidesSettings) = (StoredSettings(), false)
            (servos[index].errors, servos[index].detail, servos[index].wrongModes) = (0, nil, 0)
        }
        talk = ServoTalk()
        (held, fault) = (nil, ReportedFault())
        setup.restart(now: now, invalidBytes: invalidBytes)
        polling.endReading()
        times.restart(now: now)
    }

    mutating func setActive(_ active: Bool) { polling.rate.isActive = active }

    /// Appends what is due: the next question, if the last one was answered or timed out, and the set-point that waited
    /// for it.
    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        latest = now
        guard phase != .closed else { return now + 1 }
        if talk.asked != nil {
            guard let question = talk.timedOut(now: now) else { return talk.until }
            wire.dropIncomplete()
            unanswered(question, now: now)
        }
        if let setpoint = held {
            held = nil
            write(setpoint, now: now, into: &bytes)
        }
        guard let question = nextQuestion(now: now) else {
            return phase == .greeting ? setup.nextGreeting : polling.nextFeedback
        }
        let frame = bus.frame(question, self)
        wire.append(frame, to: &bytes)
        let answer = question.answers * (bus.answerOverhead + bus.longestAnswer(question))
        // The question and its answers at the line's speed, ten bits per byte.
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
        // Some servos switch their torque on with a goal, and the limits come before the torque.
        guard phase == .ready, !torque.isMotionless, !talk.plan.contains(where: \.switchesOn), let pose else { return }
        let goal = stream.goal(
            for: setpoint, pose: pose, rate: rate, age: now - times.readAt,
            braking: max(profile.pan.lag, profile.tilt.lag), now: now)
        wire.append(
            bus.write(
                bus.goal,
                servos.map { servo in
                    (servo.id, bus.goalBytes(position(goal[servo.axis], servo), speed: fastest(servo.axis)))
                }), to: &bytes)
    }

    mutating func encodeResync(into bytes: inout [UInt8]) { wire.appendFiller(to: &bytes) }

    /// Appends filler, and then the slowest speed to the current goal, whatever it is. This is valid in any state, so
    /// that it can be prepared. The set-points of a stop follow; they are positions. Without them the servos stop at
    /// the last goal, one refresh away.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        // A set-point that waited for an answer is older than the stop.
        held = nil
        encodeResync(into: &bytes)
        wire.append(bus.write(bus.slowest.memory, servos.map { ($0.id, bus.slowest.bytes) }), to: &bytes)
    }

    mutating func encodeClear(into bytes: inout [UInt8]) {
        // The greeting forgets the faults of both servos.
        let faulty = servos.indices.filter { bus.fault(servos[$0].errors, detail: servos[$0].detail) != nil }
        for index in faulty {
            let frame = bus.recovery(of: servos[index].id)
            guard !frame.isEmpty else { continue }
            wire.append(frame, to: &bytes)
            // The servo restarts. As soon as it can answer, it is greeted and configured as at the beginning.
            let before = fault
            begin(now: latest, motionless: torque.isMotionless)
            fault = before
            setup.greet(at: latest + ServoSetup.restartTime)
        }
    }

    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        torque.request(on)
        guard on else { return release(into: &bytes) }
        // The servos' settings must not be changed before this point, and a hand may have turned the head.
        if setup.isUnfit || phase == .ready && misplaced != nil { return begin(now: latest, motionless: false) }
        // Until then the settings and positions are not checked. The torque follows in any case.
        guard phase == .ready || setup.isPlanned else { return }
        talk.plan.removeAll { $0.isAboutTorque || $0.isWrite }
        planTorque()
    }

    /// Appends torque off for both servos at once, and plans it for each servo until it confirms.
    private mutating func release(into bytes: inout [UInt8]) {
        stream.forget()
        held = nil
        wire.append(bus.write(bus.torque, servos.map { ($0.id, [0]) }), to: &bytes)
        // A change of the kept mode must not end halfway, and must not go on while a hand is at the head.
        if phase == .configuring, !setup.isPlanned { return begin(now: latest, motionless: true) }
        talk.plan.removeAll { $0.isAboutTorque || $0.isWrite }
        for index in servos.indices { talk.plan += [.torque(index, false), .torqueState(index)] }
    }

    /// Plans to switch the torque on, with the profile's limits and at the present places. Servos that have been without
    /// a supply have lost the limits, and servos that were only watched have never received them.
    mutating func planTorque() {
        for index in servos.indices {
            talk.plan += bus.settings(profile[servos[index].axis]).map { .write(index, $0) }
            talk.plan += [.pin(index), .torque(index, true)]
        }
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        latest = now
        for packet in wire.receive(bytes) { handle(packet, now: now, into: &reports) }
        if phase == .greeting { reportDamage(into: &reports) }
    }

    // MARK: units

    /// The pose of both servos, in radians. It is nil if one of them has not reported its position.
    var pose: PanTilt? {
        guard let pan = servos[0].reading, let tilt = servos[1].reading else { return nil }
        return PanTilt(pan: angle(pan.position, servos[0]), tilt: angle(tilt.position, servos[1]))
    }

    /// The rate of both servos, in rad/s.
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

    /// Returns the highest speed of an axis, in the servo's positions per second.
    func fastest(_ axis: Axis) -> Double { profile[axis].maxSpeed * bus.countsPerTurn / (2 * .pi) }
}

extension ServoProtocol {
    /// Returns the frame of a question.
    func frame(_ question: ServoQuestion, _ pair: ServoPair<Self>) -> [UInt8] {
        func id(_ index: Int) -> UInt8 { pair.servos[index].id }
        switch question {
        case .identity(let index): return read(identity, of: id(index))
        case .memory(let index, let part): return read(part, of: id(index))
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

    /// Returns the largest number of parameters in the answer to a question, in bytes.
    func longestAnswer(_ question: ServoQuestion) -> Int {
        switch question {
        case .identity: identity.count
        case .memory(_, let part): part.count
        case .mode, .torqueState, .faultDetail: 1
        case .write, .pin, .torque: 0
        case .feedback, .feedbackOf: feedback.count
        }
    }
}
