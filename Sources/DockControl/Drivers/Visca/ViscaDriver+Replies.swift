internal import Geometry

/// Handles a camera's packets, and missing answers.
extension ViscaDriver {
    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport]) {
        latest = now
        var replies: [ViscaReply] = []
        let camera = camera
        for byte in bytes {
            scanner.push(byte, { ViscaReply.match($0, from: camera) }) { packet in
                if let reply = ViscaReply(packet, from: camera) { replies.append(reply) }
            }
        }
        for reply in replies { handle(reply, now: now, into: &reports) }
        if phase == .ready, let report = lens.takeReport(now: now) { reports.append(.lens(report)) }
    }

    /// Handles a question that was not answered in time.
    mutating func unanswered(_ question: ViscaQuestion, now: Seconds) {
        // The beginning of an incomplete packet must not swallow the next packet.
        let camera = camera
        scanner.giveUp({ ViscaReply.match($0, from: camera) }) { _ in }
        if question == .position { positions.forget() }
        switch question {
        case .stop where phase == .ready: stopping.failed()
        case .lens: lens.unanswered()
        case .position where phase == .ready, .drive, .stop, .zoom: return
        default: failed(now: now, isRefused: false)
        }
    }

    /// Handles a question of the greeting that failed.
    private mutating func failed(now: Seconds, isRefused: Bool) {
        if greeting.failed(now: now, isRefused: isRefused) { greet(at: now + ViscaGreeting.interval) }
    }

    /// Handles the answer to the present question of the greeting.
    private mutating func advance(now: Seconds) {
        talk.answered()
        greeting.advance(now: now)
    }

    private mutating func handle(_ reply: ViscaReply, now: Seconds, into reports: inout [DockReport]) {
        switch reply {
        case .networkChange:
            guard phase == .ready else { return }
            reports.append(.rebooted)
            greet(at: now)
        case .addresses(let next):
            guard phase == .greeting, greeting.step == .addresses else { return }
            if camera.number >= next {
                reports.append(
                    .refused("address \(camera.number): the cameras on this line have the addresses 1 to \(next - 1)"))
            }
            advance(now: now)
        case .cleared:
            guard phase == .greeting, greeting.step == .clear else { return }
            advance(now: now)
        case .inquiry(let value): answered(value, now: now, into: &reports)
        case .acknowledged:
            talk.acknowledged()
            commandAnswered()
        case .completed: if talk.isCompletionAnswer { commandAnswered() }
        case .error(_, let code): refused(code, now: now, into: &reports)
        }
    }

    private mutating func commandAnswered() {
        guard phase == .ready, let question = talk.question, question.isCommand else { return }
        if question == .stop { stopping.answered() }
        talk.answered()
    }

    private mutating func refused(_ code: UInt8, now: Seconds, into reports: inout [DockReport]) {
        // The error concerns a cancel: there was nothing to cancel, or it was already done.
        guard code != ViscaReply.cancelled, code != ViscaReply.noSocket else { return }
        guard let question = talk.question else { return }
        guard phase == .ready else {
            // An error that a stop causes during the greeting is not an answer to the greeting.
            guard !stopping.mayCauseErrors(now: now), question != .stop else { return }
            talk.answered()
            return failed(now: now, isRefused: true)
        }
        // Inquiries need no socket, so the error concerns an earlier command, whose supposed acknowledgement belonged
        // to another one.
        let isOlder = !question.isCommand && code == ViscaReply.bufferFull
        if !isOlder { talk.answered() }
        talk.pause(now: now, isBusy: code != ViscaReply.notExecutable)
        switch isOlder ? (velocity.isDriving ? .drive : .stop) : question {
        case .stop: stopping.failed()
        case .zoom: lens.refused(now: now)
        case .drive: velocity.refused()
        case .lens: lens.unanswered()
        default: positions.schedule(at: talk.pauseUntil)
        }
        guard code == ViscaReply.notExecutable, question.isCommand, notes.admit(now: now) else { return }
        reports.append(.refused("to move at this moment: a menu is open, or the camera is busy"))
    }

    private mutating func answered(_ value: [UInt8], now: Seconds, into reports: inout [DockReport]) {
        if let place = ViscaReply.position(value) { return located(place, now: now, into: &reports) }
        if phase == .ready, talk.question == .lens, let place = ViscaReply.lens(value) {
            talk.answered()
            return lens.measured(place, now: now)
        }
        guard phase == .greeting else { return }
        switch (greeting.step, value.count) {
        case (.version, 7):
            greeting.identify(value, camera)
            advance(now: now)
        case (.power, 1):
            guard value[0] == 3 else { return advance(now: now) }
            // When switched on, the camera turns to every end by itself. This needs a person's decision.
            talk.answered()
            greeting.wait(now: now)
            if notes.admit(now: now) { reports.append(.refused("to move: it is in standby; switch it on")) }
        default: return
        }
    }

    private mutating func located(_ place: (pan: Int, tilt: Int), now: Seconds, into reports: inout [DockReport]) {
        guard phase == .ready || greeting.step == .position else { return }
        if talk.question == .position { talk.answered() }
        let time = positions.measured(now: now)
        let units = [place.pan, place.tilt]
        var isBelieved = true
        for index in motors.indices where !motors[index].gate.admit(Double(units[index]), now: time) {
            isBelieved = false
        }
        guard isBelieved else {
            positions.schedule(at: now)
            return greeting.retry(at: now)
        }
        for index in motors.indices { read(units[index], index, at: time) }
        if phase == .greeting {
            phase = .ready
            positions.schedule(at: now)
            lens.greeted(now: now)
            reports.append(.identified(greeting.identity))
            append(at: time, into: &reports)
            return reports.append(.ready)
        }
        append(at: time, into: &reports)
    }

    /// Records a reading. The rate follows from two readings. A change of one unit back and forth is not motion.
    private mutating func read(_ units: Int, _ index: Int, at time: Seconds) {
        if let last = motors[index].reading {
            guard time - last.time > 0.01 else { return }
            let way = abs(units - last.units) > 1 ? Double(units - last.units) : 0
            motors[index].rate = way / motors[index].perRadian / (time - last.time)
        }
        motors[index].reading = (units, time)
    }

    private func append(at time: Seconds, into reports: inout [DockReport]) {
        func pose(_ motor: Motor) -> Double { Double(motor.reading?.units ?? 0) / motor.perRadian }
        reports.append(
            .motion(
                MotionSample(
                    time: time, pose: PanTilt(pan: pose(motors[0]), tilt: pose(motors[1])),
                    rate: PanTilt(pan: motors[0].rate, tilt: motors[1].rate)), deadmanTripped: false))
    }
}
