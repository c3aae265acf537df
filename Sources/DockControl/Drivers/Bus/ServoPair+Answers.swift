internal import Geometry

/// Chooses the next question, and handles answers.
extension ServoPair {
    /// Returns the next question, or nil if nothing is due.
    mutating func nextQuestion(now: Seconds) -> ServoQuestion? {
        switch phase {
        case .closed: return nil
        case .greeting:
            guard now >= setup.nextGreeting, let silent = servos.firstIndex(where: { $0.model == nil }) else {
                return nil
            }
            return .identity(setup.greeted(silent: silent, misses: servos[silent].misses))
        case .configuring:
            // A servo is pinned only after it has reported its position.
            if case .pin(let index)? = talk.plan.first, servos[index].reading == nil { return feedbackQuestion }
            return talk.plan.first ?? feedbackQuestion
        case .ready:
            // Planned questions are asked between two readings, so that the pose does not become outdated.
            if !polling.owesPlanned, polling.isFeedbackDue(now: now) { return feedbackQuestion }
            if talk.plan.isEmpty, !torque.isMotionless, let index = polling.torqueCheck(now: now) {
                talk.plan = [.torqueState(index)]
            }
            polling.paidPlanned()
            if let planned = talk.plan.first { return planned }
            return polling.isFeedbackDue(now: now) ? feedbackQuestion : nil
        }
    }

    private var feedbackQuestion: ServoQuestion {
        bus.read(bus.feedback, of: servos.map(\.id)) != nil ? .feedback : .feedbackOf(polling.isHalfRead ? 1 : 0)
    }

    /// Handles a question that was not answered in time.
    mutating func unanswered(_ question: ServoQuestion, now: Seconds) {
        switch question {
        case .identity(let index):
            (servos[index].model, servos[index].misses) = (nil, servos[index].misses + 1)
            setup.greet(at: now + ServoSetup.greetingInterval)
        // The loop counts how long the pose has been missing.
        case .feedback, .feedbackOf:
            polling.endReading()
            // A servo that has received nothing for this time accepts no more goals: its watchdog is released with its
            // settings.
            guard phase == .ready, times.isNearTimeout(watchdog: bus.watchdogTime, now: now) else { return }
            greetAgain(at: now, now: now)
        // A servo that does not report its settings is used without them, and the log says so.
        case .memory(let index, _):
            guard talk.attempts >= ServoSetup.memoryTries else { return }
            // The line may be gone for a moment. A servo that answers its greeting again and still hides them does so.
            guard setup.hidesAgain() else { return greetAgain(at: now + ServoSetup.greetingInterval, now: now) }
            servos[index].hidesSettings = true
            talk.skip()
        // A servo that answers no writes still says whether its torque is off.
        case .torque(_, false) where phase == .ready && talk.attempts >= ServoSetup.retries: talk.skip()
        case .mode, .write, .pin, .torque, .torqueState, .faultDetail:
            // A servo that does not accept its settings is in an unknown state: it is greeted again.
            if talk.attempts >= ServoSetup.retries { greetAgain(at: now + ServoSetup.greetingInterval, now: now) }
        }
    }

    /// Greets the servos again because they have been silent, and then checks whether they have restarted.
    private mutating func greetAgain(at time: Seconds, now: Seconds) {
        let mayHaveRestarted = phase == .ready || setup.mayHaveRestarted
        begin(now: now, motionless: torque.isMotionless)
        setup.mayHaveRestarted = mayHaveRestarted
        setup.greet(at: time)
    }

    mutating func handle(_ packet: ServoPacket, now: Seconds, into reports: inout [DockReport]) {
        // An answer of another size is a late one to an earlier question.
        guard let index = servos.firstIndex(where: { $0.id == packet.id }), let question = talk.asked,
            packet.parameters.count == bus.longestAnswer(question)
        else { return }
        noteErrors(packet.errors, of: index)
        times.heard(now: now)
        switch question {
        case .identity(index):
            guard let (model, firmware) = bus.identified(packet.parameters), talk.answered(by: index, now: now) else {
                return
            }
            (servos[index].model, servos[index].firmware, servos[index].misses) = (model, firmware, 0)
            setup.greet(at: now)
            if servos.allSatisfy({ $0.model != nil }) { return identified(into: &reports) }
            reportSilence(of: 1 - index, into: &reports)
        case .memory(index, let part):
            guard talk.answered(by: index, now: now) else { return }
            servos[index].settings.read(packet.parameters, of: part, by: bus)
            settingsRead(of: index, into: &reports)
        case .mode(index):
            guard talk.answered(by: index, now: now), let mode = bus.mode, packet.parameters != mode.bytes else {
                return
            }
            // A late answer of the same size may be about something else, and the mode is kept.
            servos[index].wrongModes += 1
            guard servos[index].wrongModes > 1 else { return talk.plan.insert(question, at: 0) }
            // A rig that must not be moved is refused as it is.
            guard !forbidsMotion else { return settled(into: &reports) }
            // In a dry run, or while a hand moves the head, the servo's torque and its stored settings remain
            // unchanged.
            guard !torque.isMotionless else {
                setup.isUnfit = true
                return settled(into: &reports)
            }
            talk.plan = [.torque(index, false)] + bus.modeChange.map { .write(index, $0) } + talk.plan
        case .write(index, _), .torque(index, _), .pin(index):
            // What was refused counts as not answered, and is sent again. A servo that a fault has shut down cannot hold.
            if let why = bus.refusal(packet), !hasFault(index) {
                return reportRefusal(of: question, by: index, why, into: &reports)
            }
            if case .pin = question, let pose { stream.pin(at: pose) }
            if talk.answered(by: index, now: now) { settled(into: &reports) }
        case .torqueState(index):
            guard let state = packet.parameters.first, talk.answered(by: index, now: now) else { return }
            // The servo was not commanded to switch its torque off: it has restarted, or the fault in its error bits
            // has shut it down.
            if setup.mayHaveRestarted, !torque.isMotionless, state == 0, !hasFault(index) {
                // The greeting goes on, and ends with the torque.
                setup.mayHaveRestarted = false
                reports.append(.rebooted)
            }
            if phase == .ready, !torque.isMotionless, state == 0, !talk.plan.contains(.torque(index, true)),
                !hasFault(index)
            {
                begin(now: now, motionless: false)
                return reports.append(.rebooted)
            }
            guard torque.isMotionless else { return settled(into: &reports) }
            // The servo still holds: the command is sent again, and so is the question.
            if state != 0 { talk.plan = [.torque(index, false), .torqueState(index)] + talk.plan }
            settled(into: &reports)
        case .faultDetail(index):
            guard let detail = packet.parameters.first, talk.answered(by: index, now: now) else { return }
            servos[index].detail = detail
            settled(into: &reports)
        case .feedback, .feedbackOf(index):
            guard let reading = bus.reading(packet.parameters) else { return }
            servos[index].reading = reading
            let measured = talk.measured(now: now)
            guard talk.answered(by: index, now: now) else { return }
            if question == .feedbackOf(0) {
                return polling.halfRead()
            }
            polling.endReading()
            read(now: now, measured: measured, into: &reports)
        default: return
        }
    }

    private mutating func identified(into reports: inout [DockReport]) {
        phase = .configuring
        setup.heardBoth()
        talk.plan.removeAll { !$0.isAboutFault }
        if setup.mayHaveRestarted, !torque.isMotionless { talk.plan += servos.indices.map { .torqueState($0) } }
        talk.plan += servos.indices.flatMap { index in bus.storedParts.map { .memory(index, $0) } }
        if bus.mode != nil { talk.plan += servos.indices.map { .mode($0) } }
        let names = servos.map { bus.name(ofModel: $0.model ?? 0) }, firmware = servos.map(\.firmware)
        func both(_ words: [String]) -> String { words[0] == words[1] ? words[0] : words.joined(separator: " and ") }
        // The servos have no unique numbers: only their models and their IDs on the bus are known.
        let uid = servos.map { "\($0.id)-\($0.model ?? 0)" }.joined(separator: "+")
        reports.append(.identified(DockIdentity(model: both(names), firmware: both(firmware), uid: uid)))
    }

    /// Processes the positions of both servos, as measured at `measured`.
    private mutating func read(now: Seconds, measured: Seconds, into reports: inout [DockReport]) {
        guard let pose else { return }
        times.read(now: now, measured: measured)
        let later = now + ServoSetup.greetingInterval
        // With some settings a servo would not turn as it is commanded.
        if phase == .configuring, !setup.isPlanned, reportFindings(into: &reports) {
            guard torque.isMotionless else { return greetAgain(at: later, now: now) }
            setup.isUnfit = true
        }
        if !torque.isMotionless, phase == .configuring, reportPlace(into: &reports) {
            return greetAgain(at: later, now: now)
        }
        reports.append(.motion(MotionSample(time: times.measuredAt, pose: pose, rate: rate), deadmanTripped: false))
        let present = servos.compactMap { bus.fault($0.errors, detail: $0.detail) }.first
        if let change = fault.update(present) { reports.append(change) }
        guard phase == .configuring, setup.plan() else { return }
        if torque.isMotionless {
            if torque.isReleased {
                for index in servos.indices { talk.plan += [.torque(index, false), .torqueState(index)] }
            }
            return becomeReady(into: &reports)
        }
        planTorque()
    }

    /// Handles the completion of a question, which may be the last planned one.
    private mutating func settled(into reports: inout [DockReport]) {
        guard talk.plan.isEmpty else { return }
        if phase == .configuring, setup.isPlanned { becomeReady(into: &reports) }
        if torque.confirmRelease() { reports.append(.released) }
    }

    private mutating func becomeReady(into reports: inout [DockReport]) {
        phase = .ready
        setup.becameReady()
        polling.hasten(now: latest)
        reports.append(.ready)
    }

    /// Processes the error bits that every answer contains. Their details are requested once.
    private mutating func noteErrors(_ errors: UInt8, of index: Int) {
        servos[index].errors = errors
        guard bus.faultDetail != nil else { return }
        guard errors & 0x80 != 0 else {
            servos[index].detail = nil
            return
        }
        let question = ServoQuestion.faultDetail(index)
        if servos[index].detail == nil, talk.asked != question, !talk.plan.contains(question) {
            talk.plan.append(question)
        }
    }
}
