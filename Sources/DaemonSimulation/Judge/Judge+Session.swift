internal import Companion
internal import DockControl
internal import Geometry

/// What people and programs requested, and the answers that they received.
extension Judge {
    /// The command was admitted and waits for the loop.
    func commanded(_ command: MotionCommand, by asker: Asker?, at time: Seconds) {
        commandsOut += 1
        if let text = people.commanded(command, by: asker, at: time) { fail(.stopLasts, time, text) }
        if case .client(let client) = asker, lease?.client == client { leases.admitted(command, from: client) }
        release.commanded(command)
        queue.asked(command, by: asker)
        if case .client(let client) = asker { checkOwner(command, client, time) }
        // Setting the mode releases the dock, unless the loop rejects it.
        if command == .emergencyStop { emergencyAskedAt = time }
        if command == .clear {
            latch.releaseAsked()
            clearAskedAt = time
        }
        if command == .torque(false) { torqueIsAsked = true }
        if case .setMode = command {
            (heldBefore, personHolds) = (personHolds, false)
            takeovers.removeAll()
        } else if command.isOfPerson, asker.map({ !$0.isProgram }) ?? true {
            takeovers.append(command)
        }
    }

    func answered(_ command: MotionCommand, by asker: Asker?, _ answer: MotionAnswer, at time: Seconds) {
        if case .orient = command, let ending = story.wholeEnding, case .obeys = ending {
            let isAdmitted = if case .success = answer { true } else { false }
            if time > story.duration - 4.6 { endings.ordered(from: pose, isAdmitted: isAdmitted) }
        }
        if onWord != nil { onWord?(time, "\(command): \(answer)") }
        commandsOut -= 1
        release.answered(command, answer)
        if time < story.duration,
            let wrong = people.answered(command, by: asker, answer, waiting: commandsOut, at: time)
        {
            fail(wrong.rule, time, wrong.text)
        }
        if commandsOut < 0 { fail(.everythingAnswered, time, "a command was answered twice") }
        let isDone = if case .success = answer { true } else { false }
        if let text = queue.answered(command, by: asker, isDone: isDone) { fail(.stopGoesFirst, time, text) }
        if case .client(let client) = asker, let text = leases.answered(command, from: client, answer) {
            fail(.deadLease, time, text)
        }
        if command == .clear { latch.released(isDone, at: time) }
        guard case .success(let receipt) = answer else {
            if case .setMode = command { personHolds = personHolds || heldBefore }
            if command == .clear, case .failure(let error) = answer, error.code == .faulted, isSound(for: 3, at: time),
                latch.wantedSince == nil,
                let helloAt, time > helloAt + 1, lying.isEmpty
            {
                fail(.latchClears, time, "clear was rejected, and dock and line have no fault")
            }
            return
        }
        let client: Int? = if case .client(let id) = asker { id } else { nil }
        switch command {
        case .stop:
            prefixIsDue = true
            hold()
        case .emergencyStop:
            isLatched = true
            emergencyAt = emergencyAskedAt
            latch.wanted(at: time)
            accusations.emergencyStopped()
            hold()
        case .clear:
            if latch.isLatched, isPlugged, isLatched || loop?.state == .ready {
                fail(.clearIsTrue, time, "reported as cleared, and the dock reports a latch")
            }
            if isLatched, emergencyAt > clearAskedAt {
                fail(.stillAfterStop, time, "a clear released an emergency stop that came after it")
            }
            latch.releaseAsked()
            retreats.cleared()
            deadEncoders.forgive(at: pose)
            // Without a latch, a clear does nothing.
            if isLatched { (mustBeStill, isTracking) = (true, false) }
            if isLatched { proof.cleared() }
            isLatched = false
        case .setMode(let mode):
            endings.tracks()
            mayStir = true
            isTracking = mode != .manual
            // This includes manual mode: the head may move with the face's gestures again.
            if !isLatched, !isSaving { mustBeStill = false }
        case .chevron(_, let duration):
            isTracking = false
            began(receipt, client, lasts: duration, at: time)
        case .velocity(_, let duration):
            began(receipt, client, lasts: duration, at: time)
        case .orient, .home, .animate:
            // A move whose speed was reduced under way may take this much longer.
            began(receipt, client, lasts: (receipt.duration ?? 0) + 30, at: time)
        case .gesture:
            if mustBeStill, !mayStir { fail(.stillAfterStop, time, "a gesture was admitted") }
            // The mode was set after the stop, in the same turn.
            stopIsDue = false
        case .torque(false):
            if hasTorque { fail(.releaseIsTrue, time, "torque was reported as off, and the motors hold") }
        case .torque(true):
            (mustBeStill, isTracking) = (true, false)
            moving = nil
        case .setLimits(let pan, let tilt):
            take(pan, .pan)
            take(tilt, .tilt)
            limitsSetAt = time
        case .cancel, .setFraming, .setRegion, .setSpeed: break
        }
        // If the dock was released after the command was issued, the command no longer holds it.
        if client == nil, command.isOfPerson, let index = takeovers.firstIndex(of: command) {
            takeovers.remove(at: index)
            personHolds = true
        }
    }

    func hold() {
        mustBeStill = true
        mayStir = false
        isTracking = false
        stopIsDue = true
    }

    private func began(_ receipt: MotionReceipt, _ client: Int?, lasts duration: Seconds, at time: Seconds) {
        if isLatched { fail(.stillAfterStop, time, "\(receipt.text): admitted while a fault is latched") }
        mustBeStill = false
        // A motion requested after the stop may follow it in the same turn.
        stopIsDue = false
        manualUntil = time + duration + 0.1
        orphanedAt = nil
        running = receipt.motion.map { ($0, client, client != nil && lease?.client == client) }
        if let id = receipt.motion { motionsOut.insert(id.value) }
    }

    private func take(_ change: LimitChange, _ axis: Axis) {
        let own = profile[axis]
        switch change {
        case .keep: break
        case .own: limits[axis] = nil
        case .set(let low, let high, let speed):
            let range = max(low, own.softRange.lowerBound)...max(low, min(high, own.softRange.upperBound))
            limits[axis] = (range, min(speed ?? own.maxSpeed, own.maxSpeed))
        }
    }

    private func checkOwner(_ command: MotionCommand, _ client: Int, _ time: Seconds) {
        switch command {
        case .chevron, .velocity, .orient, .home, .animate, .torque, .setLimits, .setSpeed:
            if personHolds { fail(.oneOwner, time, "program \(client) moves what a person holds") }
            if let lease, lease.client != client, time < lease.until {
                fail(.oneOwner, time, "program \(client) writes, and program \(lease.client) has the lease")
            }
        default: break
        }
    }

    // MARK: the lease

    func asked(_ wish: ProgramWish, by client: Int, at time: Seconds) {
        expireLease(at: time)
        if lease?.client == client { lease?.until = time + 2 }
        // The program names the subject instead of the detector.
        if case .track = wish {
            lastSightAt = max(lastSightAt, time)
            lost.held(until: time)
            frames.spoil()
            pole.spoil()
        }
    }

    /// Keys were pressed, or words were typed.
    func heard(_ what: Happening, at time: Seconds) {
        if let text = people.heard(what, at: time) { fail(.anybodyStops, time, text) }
        // The dock is free again, whatever held it and whatever is still unanswered.
        if what == .words("release") {
            (personHolds, heldBefore) = (false, false)
            takeovers.removeAll()
        }
    }

    func told(_ wish: ProgramWish, _ client: Int, isDone: Bool, at time: Seconds) {
        if time < story.duration, let text = people.told(wish, isDone: isDone, waiting: commandsOut) {
            fail(.anybodyStops, time, text)
        }
        guard isDone else { return }
        if wish == .acquire { lease = (client, time + 2) }
        if wish == .release, lease?.client == client { lease = nil }
    }

    private func expireLease(at time: Seconds) {
        guard let old = lease, time > old.until else { return }
        lease = nil
        if running?.isLeased == true, running?.client == old.client { orphanedAt = old.until + 0.25 }
    }

    // MARK: the loop's events

    func happened(_ event: LoopEvent, at time: Seconds) {
        if onWord != nil { onWord?(time, "\(event)") }
        switch event {
        case .dock(.faulted(let fault), _):
            if !accusations.allow(fault) { fail(.fairAccusation, time, "\(fault.rawValue), and there is no fault") }
            // The event is reported late, and the fault may have been cleared by now.
            guard case .faulted = loop?.state else { return }
            isLatched = true
            hold()
        case .dock: break
        case .battery(let state):
            // The way home was not requested. After it everything is still.
            if state.isCritical { (mustBeStill, mayStir) = (true, false) }
        case .motionEnded(let over):
            // The way home of a critical battery is a motion without a request.
            if motionsOut.remove(over.id.value) == nil, !(time < mayGoHomeUntil && over.name == "home") {
                fail(.everythingAnswered, time, "motion \(over.id.value) ended twice, or never began")
            }
            if running?.id == over.id {
                running = nil
                orphanedAt = nil
            }
        case .letGo: letGo(at: time)
        case .accessory, .leaseEnded, .inputEnded, .note, .lost: break
        }
    }

    /// The loop has finished a turn.
    func turned(at time: Seconds, hasLink: Bool) {
        expireLease(at: time)
        turns(at: time, hasLink: hasLink)
        people.turned(at: time)
        defer { prefixIsDue = false }
        if stopIsDue {
            // A stop that was cut off must be sent as soon as the line has room and the pacer allows it. Shorter frames
            // may come before it.
            let isCut = lastWriteWasCut || time - cutAt < Self.longestPace
            stopIsDue = isCut && hasLink && moving != nil
            if prefixIsDue, hasLink, !isSwapUnknown, openedAt < time, !isCut, stops.prefixedAt < time {
                fail(.stopsAgain, time, "no resync prefix before the stop; the dock may have received half a frame")
            }
            if hasLink, !isCut, let moving {
                fail(
                    .stopIsWritten, time,
                    "the last set-point on the wire is still \(degrees(moving.pan))/s \(degrees(moving.tilt))/s")
            }
        }
        if commandsOut > 160 { fail(.bounded, time, "\(commandsOut) commands wait") }
    }

    /// The program has exited.
    func ended(at time: Seconds, isConnected: Bool) {
        if let ending = story.wholeEnding { check(ending, at: time) }
        if isConnected, !lastFrameWasStop, !lastWriteWasCut { fail(.lastWord, time, "the last frame is not a stop") }
        if commandsOut != 0 { fail(.everythingAnswered, time, "\(commandsOut) commands were never answered") }
    }
}

extension Asker {
    fileprivate var isProgram: Bool { if case .client = self { true } else { false } }
}

extension MotionCommand {
    /// Whether a person takes the dock with it.
    fileprivate var isOfPerson: Bool {
        switch self {
        case .chevron, .velocity, .orient, .home, .stop, .emergencyStop, .torque: true
        default: false
        }
    }
}
