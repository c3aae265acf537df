internal import Geometry

/// Chooses the next question, and handles answers.
extension ServoPair {
    /// The next question; nil: nothing is due.
    mutating func nextQuestion(now: Seconds) -> ServoQuestion? {
        switch phase {
        case .closed: return nil
        case .greeting:
            guard now >= nextGreeting else { return nil }
            return servos.firstIndex { $0.model == nil }.map { .identity($0) }
        case .configuring:
            // A servo is pinned only after it has reported its position.
            if case .pin(let index)? = talk.plan.first, servos[index].reading == nil { return feedbackQuestion }
            return talk.plan.first ?? feedbackQuestion
        case .ready:
            // Planned questions go between two readings: the pose must not grow old.
            guard isHalfRead || now >= nextFeedback else {
                if talk.plan.isEmpty, !motionless, now >= nextTorqueCheck {
                    nextTorqueCheck = now + Self.torqueCheckInterval
                    torqueCheck = 1 - torqueCheck
                    talk.plan = [.torqueState(torqueCheck)]
                }
                return talk.plan.first
            }
            if !isHalfRead { nextFeedback = now + 1 / (isActive ? Self.activeRate : Self.restRate) }
            return feedbackQuestion
        }
    }

    private var feedbackQuestion: ServoQuestion {
        bus.read(bus.feedback, of: servos.map(\.id)) != nil ? .feedback : .feedbackOf(isHalfRead ? 1 : 0)
    }

    /// No answer arrived in time.
    mutating func unanswered(_ question: ServoQuestion, now: Seconds) {
        switch question {
        case .identity: nextGreeting = now + Self.greetingInterval
        // The loop counts how long the pose has been missing.
        case .feedback, .feedbackOf:
            isHalfRead = false
            // A servo that has heard nothing for this time takes no more goals: its watchdog is released with its settings.
            guard let watchdog = bus.watchdogTime, phase == .ready, now - heardAt > 0.7 * watchdog else { return }
            begin(now: now, motionless: motionless)
        case .mode, .write, .pin, .torque, .torqueState, .faultDetail:
            // A servo that does not take its settings is in an unknown state: it is greeted again.
            guard talk.attempts >= Self.retries, phase == .configuring else { return }
            begin(now: now, motionless: motionless)
            nextGreeting = now + Self.greetingInterval
        }
    }

    mutating func take(_ packet: ServoPacket, now: Seconds, into reports: inout [DockReport]) {
        guard let index = servos.firstIndex(where: { $0.id == packet.id }), let question = talk.asked else { return }
        noteErrors(packet.errors, of: index)
        heardAt = now
        switch question {
        case .identity(index):
            guard let (model, firmware) = bus.identified(packet.parameters), talk.answered(now: now) else { return }
            (servos[index].model, servos[index].firmware) = (model, firmware)
            nextGreeting = now
            if servos.allSatisfy({ $0.model != nil }) { identified(into: &reports) }
        case .mode(index):
            guard !packet.parameters.isEmpty, talk.answered(now: now) else { return }
            guard let mode = bus.mode, packet.parameters != mode.bytes else { return }
            // In a dry run, or while a hand has the head, the servo's torque stays as it is, and so do its stored settings.
            guard !motionless else {
                hasOtherMode = true
                return settled(into: &reports)
            }
            talk.plan = [.torque(index, false)] + bus.modeChange.map { .write(index, $0) } + talk.plan
        case .write(index, _), .torque(index, _):
            if talk.answered(now: now) { settled(into: &reports) }
        case .pin(index):
            if let pose { stream.pin(at: pose) }
            if talk.answered(now: now) { settled(into: &reports) }
        case .torqueState(index):
            guard let torque = packet.parameters.first, talk.answered(now: now) else { return }
            // The servo was not commanded to let go: it has restarted, or was shut down by what its error bits report.
            if phase == .ready, !motionless, torque == 0, bus.fault(packet.errors, detail: servos[index].detail) == nil
            {
                begin(now: now, motionless: false)
                return reports.append(.rebooted)
            }
            guard motionless else { return settled(into: &reports) }
            // The servo still holds: command it again, and ask again.
            if torque != 0 { talk.plan = [.torque(index, false), .torqueState(index)] + talk.plan }
            settled(into: &reports)
        case .faultDetail(index):
            guard let detail = packet.parameters.first, talk.answered(now: now) else { return }
            servos[index].detail = detail
            settled(into: &reports)
        case .feedback, .feedbackOf(index):
            guard let reading = bus.reading(packet.parameters) else { return }
            servos[index].reading = reading
            let measured = talk.measured(now: now)
            guard talk.answered(now: now) else { return }
            if question == .feedbackOf(0) {
                isHalfRead = true
                return
            }
            isHalfRead = false
            read(now: now, measured: measured, into: &reports)
        default: return
        }
    }

    private mutating func identified(into reports: inout [DockReport]) {
        phase = .configuring
        talk.plan = bus.mode == nil ? [] : servos.indices.map { .mode($0) }
        let names = servos.map { bus.name(ofModel: $0.model ?? 0) }, firmware = servos.map(\.firmware)
        func both(_ words: [String]) -> String { words[0] == words[1] ? words[0] : words.joined(separator: " and ") }
        // The servos have no unique numbers: their models and their IDs on the bus are all that is known.
        let uid = servos.map { "\($0.id)-\($0.model ?? 0)" }.joined(separator: "+")
        reports.append(.identified(DockIdentity(model: both(names), firmware: both(firmware), uid: uid)))
    }

    /// Both servos have reported their positions, as they were at `measured`.
    private mutating func read(now: Seconds, measured: Seconds, into reports: inout [DockReport]) {
        guard let pose else { return }
        readAt = now
        measuredAt = max(measuredAt + 0.001, measured)
        // A servo whose position is outside the range of the profile's series would swing to the nearest position inside.
        if !motionless, phase == .configuring,
            let lost = servos.first(where: { !(0...bus.lastPosition).contains($0.reading?.position ?? 0) })
        {
            if !hasToldPlace {
                hasToldPlace = true
                reports.append(
                    .refused(
                        "to hold: servo \(lost.id) reports the position \(Int(lost.reading?.position ?? 0)), "
                            + "outside 0...\(Int(bus.lastPosition)); "
                            + "is it of the series that the profile names, and is it turned beyond its end?"))
            }
            begin(now: now, motionless: motionless)
            nextGreeting = now + Self.greetingInterval
            return
        }
        reports.append(.motion(MotionSample(time: measuredAt, pose: pose, rate: rate), deadmanTripped: false))
        tellFaults(into: &reports)
        guard phase == .configuring, !isConfigured else { return }
        isConfigured = true
        if motionless {
            if isReleased {
                for index in servos.indices { talk.plan += [.torque(index, false), .torqueState(index)] }
            }
            return becomeReady(into: &reports)
        }
        for index in servos.indices {
            talk.plan += bus.settings(profile[servos[index].axis]).map { .write(index, $0) }
            talk.plan += [.pin(index), .torque(index, true)]
        }
    }

    /// A question was answered, perhaps the last one planned.
    private mutating func settled(into reports: inout [DockReport]) {
        guard talk.plan.isEmpty else { return }
        if phase == .configuring, isConfigured { becomeReady(into: &reports) }
        guard isReleased, !isReleaseTold else { return }
        isReleaseTold = true
        reports.append(.released)
    }

    private mutating func becomeReady(into reports: inout [DockReport]) {
        phase = .ready
        nextFeedback = latest
        reports.append(.ready)
    }

    /// Every answer has the error bits; their details are requested once.
    private mutating func noteErrors(_ errors: UInt8, of index: Int) {
        defer { servos[index].errors = errors }
        guard bus.faultDetail != nil else { return }
        if errors & 0x80 == 0 {
            servos[index].detail = nil
        } else if servos[index].errors & 0x80 == 0 {
            talk.plan.append(.faultDetail(index))
        }
    }

    private mutating func tellFaults(into reports: inout [DockReport]) {
        let present = servos.compactMap { bus.fault($0.errors, detail: $0.detail) }.first
        if let present, present != fault { reports.append(.fault(present)) }
        if present == nil, fault != nil { reports.append(.faultCleared) }
        fault = present
    }
}
