internal import Geometry

/// Sony's VISCA over a serial line (EVI-D100 and EVI-HD1 Technical Manuals, and the many cameras that support it).
/// Velocities are speed codes, and positions come from inquiries.
///
/// A camera turns until it is commanded to stop, so nothing here moves without a guard. One packet is pending at a
/// time, and the newest velocity waits for its answer; a stop never waits. The camera can run two commands, and a drive
/// ends at once, so this driver alone never fills the camera's buffer. A remote control or another program may do so.
struct ViscaDriver: DockDriver {
    static let name = "visca"
    /// The camera's address; its speeds (a known table, or 0 for equal steps from the slowest to the fastest code,
    /// deg/s); its units of position per degree; the highest magnification of its lens, and how its positions approach it.
    static let options: [String: DriverOption] = [
        "address": .whole(1...7), "speed_table": .whole(0...2), "pan_min_speed": .number(0.05...400),
        "pan_max_speed": .number(0.05...400), "tilt_min_speed": .number(0.05...400),
        "tilt_max_speed": .number(0.05...400), "pan_codes": .whole(1...24), "tilt_codes": .whole(1...24),
        "pan_units_per_degree": .number(0.5...200), "tilt_units_per_degree": .number(0.5...200),
        "zoom_max": .number(1...60), "zoom_curve": .number(0...2),
    ]

    /// The state of the conversation.
    enum Phase: Equatable { case closed, greeting, ready }

    /// One axis.
    struct Motor: Sendable {
        let axis: Axis
        let ladder: SpeedLadder
        /// The units of position per radian; negative if the axis turns in the opposite direction.
        let perRadian: Double
        var sense: Double { perRadian < 0 ? -1 : 1 }
        var dither = SpeedDither()
        var gate: ReadingGate
        /// The last position in units, and its time.
        var reading: (units: Int, time: Seconds)?
        var rate = 0.0
    }

    let profile: RigProfile
    let camera: ViscaAddress
    var phase = Phase.closed
    var greeting: ViscaGreeting
    var motors: [Motor]
    var scanner = FrameScanner(capacity: 64)
    var talk = ViscaTalk()
    var positions: ViscaPositions
    var velocity = ViscaVelocity()
    var stopping = ViscaStop()
    var lens: ViscaZoom
    var torque = TorqueRequest()
    var notes = NoteLimit()
    var latest: Seconds = 0

    init(profile: RigProfile) {
        self.profile = profile
        let options = profile.options
        camera = ViscaAddress(number: UInt8((options["address"] ?? 1).clamped(to: 1...7)))
        greeting = ViscaGreeting(camera)
        positions = ViscaPositions(baud: profile.serial.baud)
        lens = ViscaZoom(profile: profile)
        motors = Axis.allCases.map { axis in
            let own = profile[axis], ladder = SpeedLadder(axis, of: profile)
            let units = Self.unitsPerDegree(axis, of: profile) * 180 / .pi
            return Motor(
                axis: axis, ladder: ladder, perRadian: own.invert ? -units : units,
                gate: ReadingGate(
                    fastest: 1.2 * units * max(own.maxSpeed, ladder.speeds.last ?? 0), slack: units * .degrees(3)))
        }
    }

    /// A camera never stops by itself. A drive and its answers take about 30 ms at 9600 baud, and so does a position
    /// inquiry.
    var abilities: DriverAbilities {
        DriverAbilities(
            deadman: nil, setpoint: .velocity, mostSetpoints: profile.serial.baud < 19200 ? 15 : 20, reportsPose: true,
            reportsBattery: false, keepsLatch: false, magnification: lens.range,
            canLetGo: false)
    }
    var invalidBytes: Int { scanner.invalidBytes }

    /// The time until the next set-point while the camera moves, in seconds.
    private var setpointInterval: Seconds { 1 / min(abilities.mostSetpoints, max(10, profile.refreshRate)) }

    mutating func begin(now: Seconds, motionless: Bool) {
        torque.begin(motionless: motionless)
        latest = now
        scanner.reset()
        greet(at: now)
    }

    /// Forgets everything about the camera and greets it at this time.
    mutating func greet(at time: Seconds) {
        phase = .greeting
        greeting = ViscaGreeting(camera, at: time)
        talk.restart()
        positions.forget()
        velocity.forget()
        stopping.restart()
        for index in motors.indices {
            (motors[index].reading, motors[index].rate) = (nil, 0)
            motors[index].gate.reset()
            motors[index].dither.reset()
        }
    }

    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        latest = now
        guard phase != .closed else { return now + 1 }
        if talk.question != nil {
            guard let question = talk.timedOut(now: now) else { return talk.until }
            unanswered(question, now: now)
        }
        guard now >= talk.pauseUntil else { return talk.pauseUntil }
        if phase == .greeting { return greet(now: now, into: &bytes) }
        let isInquiryDue = now >= positions.due
        if stopping.isRepeatDue(inquiryDue: isInquiryDue) { return stop(now: now, into: &bytes) }
        if !(isInquiryDue && lens.wasRefused), let place = lens.next(now: now) {
            return ask(.zoom, camera.zoom(place), now: now, into: &bytes)
        }
        if isInquiryDue, !velocity.isWaiting || velocity.wasWritten(after: positions.due) {
            return inquire(now: now, into: &bytes)
        }
        if let next = velocity.next(now: now) { return drive(next, now: now, into: &bytes) }
        if isInquiryDue { return inquire(now: now, into: &bytes) }
        guard lens.isInquiryDue(now: now) else { return positions.due }
        lens.asked(now: now)
        return ask(.lens, camera.lensInquiry, now: now, into: &bytes)
    }

    private mutating func greet(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        guard now >= greeting.due else { return greeting.due }
        let packet =
            switch greeting.step {
            case .addresses: ViscaAddress.addressSet
            case .clear: ViscaAddress.clear
            case .version: camera.versionInquiry
            case .power: camera.powerInquiry
            case .position, .drive, .stop, .zoom, .lens: camera.positionInquiry
            }
        // A packet that was cut off earlier must not swallow the first one.
        if greeting.step == .addresses { encodeResync(into: &bytes) }
        return ask(greeting.step, packet, now: now, into: &bytes)
    }

    private mutating func inquire(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        positions.begin(now: now)
        return ask(.position, camera.positionInquiry, now: now, into: &bytes)
    }

    /// Appends a packet. Returns the time until which its answer is awaited.
    private mutating func ask(_ question: ViscaQuestion, _ packet: [UInt8], now: Seconds, into bytes: inout [UInt8])
        -> Seconds
    {
        bytes += packet
        if question == .position { positions.sent(length: packet.count, now: now) }
        let until = now + ViscaTalk.answerTime + Seconds(10 * (packet.count + 11)) / Seconds(profile.serial.baud)
        talk.ask(question, until: until)
        return until
    }

    mutating func zoom(to magnification: Double) { lens.want(magnification) }

    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        latest = now
        guard phase == .ready else { return }
        switch setpoint {
        case .velocity(let wanted):
            guard !torque.isMotionless else { return }
            stopping.settled()
            let signed = SafetyMutant.swapsSign.isOn ? PanTilt(pan: -wanted.pan, tilt: wanted.tilt) : wanted
            let isInquiryFirst = now >= positions.due && velocity.wasWritten(after: positions.due)
            guard talk.isFree(now: now), !isInquiryFirst else { return velocity.hold(signed, now: now) }
            _ = drive(signed, now: now, into: &bytes)
        case .stop:
            stopping.requested()
            _ = stop(now: now, into: &bytes)
        }
    }

    private mutating func drive(_ wanted: PanTilt, now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        velocity.wrote(wanted, now: now)
        let codes = motors.indices.map { index in
            motors[index].dither.code(
                wanted[motors[index].axis] * motors[index].sense, motors[index].ladder, step: setpointInterval,
                now: now)
        }
        return ask(.drive, camera.drive(pan: codes[0], tilt: codes[1]), now: now, into: &bytes)
    }

    /// Stops at once, even if an answer is pending.
    private mutating func stop(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        stopAsked()
        return ask(.stop, camera.stop, now: now, into: &bytes)
    }

    private mutating func stopAsked() {
        velocity.forget()
        stopping.settled()
        for index in motors.indices { motors[index].dither.reset() }
    }

    /// Appends the end of any unfinished packet.
    mutating func encodeResync(into bytes: inout [UInt8]) { bytes.append(0xFF) }

    /// Appends an FF, the stop, the end of any other motion (one that another program began), and the stop again,
    /// because a camera refuses it during such a motion. The bytes are valid in any state, so that they can be
    /// prepared.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        bytes += camera.stop + camera.cancel(1) + camera.cancel(2) + camera.stop
        stopAsked()
        // During the greeting, the answers to the stop differ from those to the greeting only in their form.
        let until = latest + ViscaTalk.answerTime + 400 / Seconds(profile.serial.baud)
        talk.ask(phase == .ready ? .stop : talk.question ?? .stop, until: until)
        stopping.expectErrors(until: until + ViscaTalk.answerTime)
    }

    /// Appends a short stop and then the whole one. The short stop comes first because it reaches the line sooner. The
    /// camera keeps no latch; the daemon does.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        bytes += camera.stop
    }
    mutating func encodeClear(into bytes: inout [UInt8]) {}

    /// Records the requested torque, which VISCA has no command to switch. The motors hold even in standby, and when
    /// switched on again, the camera would turn to every end. Off only means that the camera is no longer moved. The
    /// driver never reports that the torque is off.
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        torque.request(on)
        if !on { velocity.drop() }
    }

    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {}
}
