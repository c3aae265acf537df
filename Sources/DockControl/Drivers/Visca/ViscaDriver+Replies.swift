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
        for reply in replies { take(reply, now: now, into: &reports) }
    }

    /// No answer arrived in time.
    mutating func unanswered(_ question: Question, now: Seconds) {
        // The beginning of an incomplete packet must not swallow the next packet.
        let camera = camera
        scanner.giveUp({ ViscaReply.match($0, from: camera) }) { _ in }
        if question == .position { positionsAsked.removeAll() }
        switch question {
        case .stop where phase == .ready: owesStop = stopTries < Self.mostStops
        case .position where phase == .ready, .drive, .stop, .zoom: return
        default: failed(now: now, isRefused: false)
        }
    }

    /// A question of the greeting failed.
    private mutating func failed(now: Seconds, isRefused: Bool) {
        tries += 1
        nextStep = now + 0.1
        guard tries >= Self.attempts else { return }
        // What a camera need not know is skipped. If it reports neither its version nor its position, there may be no camera.
        let isNeeded = step == .position || step == .version && !isRefused
        if isNeeded { greet(now: now + Self.greetingInterval) } else { advance(now: now) }
    }

    private mutating func advance(now: Seconds) {
        tries = 0
        nextStep = now
        step = Question(rawValue: step.rawValue + 1) ?? .position
    }

    private mutating func take(_ reply: ViscaReply, now: Seconds, into reports: inout [DockReport]) {
        switch reply {
        case .networkChange:
            guard phase == .ready else { return }
            reports.append(.rebooted)
            greet(now: now)
        case .addresses(let next):
            guard phase == .greeting, step == .addresses else { return }
            if camera.number >= next {
                reports.append(
                    .refused("address \(camera.number): the cameras on this line have the addresses 1 to \(next - 1)"))
            }
            asked = nil
            advance(now: now)
        case .cleared:
            guard phase == .greeting, step == .clear else { return }
            asked = nil
            advance(now: now)
        case .inquiry(let value): takeAnswer(value, now: now, into: &reports)
        case .acknowledged:
            acknowledges = true
            commandAnswered()
        case .completed:
            // An earlier command may have ended only now; but some cameras send nothing else.
            if !acknowledges { commandAnswered() }
        case .error(_, let code): refused(code, now: now, into: &reports)
        }
    }

    private mutating func commandAnswered() {
        guard phase == .ready, let question = asked?.question else { return }
        if question == .stop { stopTries = 0 }
        if question == .drive || question == .stop || question == .zoom { asked = nil }
    }

    private mutating func refused(_ code: UInt8, now: Seconds, into reports: inout [DockReport]) {
        // An error about a cancel: there was nothing to cancel, or it is done.
        guard code != ViscaReply.cancelled, code != ViscaReply.noSocket else { return }
        guard let question = asked?.question else { return }
        guard phase == .ready else {
            // An error that a stop causes during the greeting is no answer to the greeting.
            guard now >= stoppedUntil, question != .stop else { return }
            asked = nil
            return failed(now: now, isRefused: true)
        }
        // Inquiries need no socket: the error is about an earlier command, whose supposed acknowledgement was another's.
        let isOlder = question == .position && code == ViscaReply.bufferFull
        if !isOlder { asked = nil }
        pauseUntil = now + (code == ViscaReply.notExecutable ? Self.refusedPause : Self.busyPause)
        switch isOlder ? (written == nil ? .stop : .drive) : question {
        case .stop: owesStop = stopTries < Self.mostStops
        // Repeated, unless a newer one waits already.
        case .zoom: wantedZoom = wantedZoom ?? lastZoom
        case .drive:
            // The newest is repeated, unless a newer one waits already.
            held = held ?? written
        default: nextPosition = pauseUntil
        }
        guard code == ViscaReply.notExecutable, question != .position, now - notedAt >= Self.noteInterval else {
            return
        }
        notedAt = now
        reports.append(.refused("to move at this moment: a menu is open, or the camera is busy"))
    }

    private mutating func takeAnswer(_ value: [UInt8], now: Seconds, into reports: inout [DockReport]) {
        if let place = ViscaReply.position(value) { return takePosition(place, now: now, into: &reports) }
        guard phase == .greeting else { return }
        switch (step, value.count) {
        case (.version, 7):
            func word(_ index: Int) -> String {
                let digits = String(UInt16(value[index]) << 8 | UInt16(value[index + 1]), radix: 16)
                return String(repeating: "0", count: 4 - digits.count) + digits
            }
            let maker = word(0) == "0001" || word(0) == "0020" ? "Sony" : "maker \(word(0))"
            // The camera has no unique number: its model and its address on the line are all that is known.
            identity = DockIdentity(
                model: "\(maker) camera \(word(2))", firmware: word(4),
                uid: "visca-\(camera.number)-\(word(0))-\(word(2))")
            asked = nil
            advance(now: now)
        case (.power, 1):
            asked = nil
            guard value[0] == 3 else { return advance(now: now) }
            // When switched on, the camera turns to every end by itself: a person must do that.
            (tries, nextStep) = (0, now + Self.greetingInterval)
            guard now - notedAt >= Self.noteInterval else { return }
            notedAt = now
            reports.append(.refused("to move: it is in standby; switch it on"))
        default: return
        }
    }

    private mutating func takePosition(_ place: (pan: Int, tilt: Int), now: Seconds, into reports: inout [DockReport]) {
        guard phase == .ready || step == .position else { return }
        if asked?.question == .position { asked = nil }
        // The camera read the position between the last byte of the question and its eleven bytes of answer, about one frame:
        // assume the middle.
        let said = now - 110 / Seconds(profile.serial.baud)
        positionsAsked.removeAll { said - $0 > 2 * Self.answerTime }
        let since = positionsAsked.isEmpty ? said : positionsAsked.removeFirst()
        let time = said - max(0, said - since) / 2
        let units = [place.pan, place.tilt]
        var isBelieved = true
        for index in motors.indices where !motors[index].gate.admit(Double(units[index]), now: time) {
            isBelieved = false
        }
        guard isBelieved else {
            nextPosition = now
            nextStep = now
            return
        }
        for index in motors.indices { read(units[index], index, at: time) }
        if phase == .greeting {
            phase = .ready
            nextPosition = now
            reports.append(.identified(identity))
            append(at: time, into: &reports)
            return reports.append(.ready)
        }
        append(at: time, into: &reports)
    }

    /// The rate follows from two readings; one unit back and forth is no motion.
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
