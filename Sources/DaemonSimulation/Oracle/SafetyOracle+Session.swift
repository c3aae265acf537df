internal import Companion
internal import DockControl
internal import Geometry

/// What people and programs requested, and the answers that they received.
extension SafetyOracle {
    /// The command was admitted and waits for the loop.
    func commanded(_ command: MotionCommand, by asker: RequestOrigin?, at time: Seconds) {
        owners.commandsOut += 1
        if let text = onSession.people.commanded(command, by: asker, at: time) { fail(.stopLasts, time, text) }
        if case .client(let client) = asker, owners.lease?.client == client {
            onSession.leases.admitted(command, from: client)
        }
        onWire.release.commanded(command)
        onWire.queue.asked(command, by: asker)
        if case .client(let client) = asker { checkOwner(command, client, time) }
        // Setting the mode releases the dock, unless the loop rejects it.
        if command == .emergencyStop { requests.emergencyAskedAt = time }
        if command == .clear {
            onWire.latch.releaseAsked()
            requests.clearAskedAt = time
        }
        if command == .torque(false) { requests.torqueIsAsked = true }
        if case .setMode = command {
            (owners.heldBefore, owners.personHolds) = (owners.personHolds, false)
            owners.takeovers.removeAll()
        } else if command.isOfPerson, asker.map({ !$0.isProgram }) ?? true {
            owners.takeovers.append(command)
        }
    }

    func answered(_ command: MotionCommand, by asker: RequestOrigin?, _ answer: MotionAnswer, at time: Seconds) {
        if case .orient = command, let ending = scenario.wholeEnding, case .obeys = ending {
            let isAdmitted = if case .success = answer { true } else { false }
            if time > scenario.duration - 4.6 { onSession.endings.ordered(from: axes.pose, isAdmitted: isAdmitted) }
        }
        if onWord != nil { onWord?(time, "\(command): \(answer)") }
        owners.commandsOut -= 1
        onWire.release.answered(command, answer)
        if time < scenario.duration,
            let wrong = onSession.people.answered(command, by: asker, answer, waiting: owners.commandsOut, at: time)
        {
            fail(wrong.rule, time, wrong.text)
        }
        if owners.commandsOut < 0 { fail(.everythingAnswered, time, "a command was answered twice") }
        let isDone = if case .success = answer { true } else { false }
        if let text = onWire.queue.answered(command, by: asker, isDone: isDone) { fail(.stopGoesFirst, time, text) }
        if case .client(let client) = asker, let text = onSession.leases.answered(command, from: client, answer) {
            fail(.deadLease, time, text)
        }
        if command == .clear { onWire.latch.released(isDone, at: time) }
        guard case .success(let receipt) = answer else {
            if case .setMode = command { owners.personHolds = owners.personHolds || owners.heldBefore }
            if command == .clear, case .failure(let error) = answer, error.code == .faulted, isSound(for: 3, at: time),
                onWire.latch.wantedSince == nil,
                let helloAt = wire.helloAt, time > helloAt + 1, axes.lying.isEmpty
            {
                fail(.latchClears, time, "clear was rejected, and dock and line have no fault")
            }
            return
        }
        let client: Int? = if case .client(let id) = asker { id } else { nil }
        switch command {
        case .stop:
            requests.prefixIsDue = true
            hold()
        case .emergencyStop:
            requests.isLatched = true
            requests.emergencyAt = requests.emergencyAskedAt
            onWire.latch.wanted(at: time)
            onAxes.accusations.emergencyStopped()
            hold()
        case .clear:
            if onWire.latch.isLatched, wire.isPlugged, requests.isLatched || loop?.state == .ready {
                fail(.clearIsTrue, time, "reported as cleared, and the dock reports a latch")
            }
            if requests.isLatched, requests.emergencyAt > requests.clearAskedAt {
                fail(.stillAfterStop, time, "a clear released an emergency stop that came after it")
            }
            onWire.latch.releaseAsked()
            onAxes.retreats.cleared()
            onAxes.deadEncoders.forgive(at: axes.pose)
            // Without a latch, a clear does nothing.
            if requests.isLatched { (requests.mustBeStill, requests.isTracking) = (true, false) }
            if requests.isLatched { onAxes.proof.cleared() }
            requests.isLatched = false
        case .setMode(let mode):
            onSession.endings.tracks()
            requests.mayStir = true
            requests.modeSetAt = time
            requests.isTracking = mode != .manual
            // A mode that was set after the stop lets tracking begin in the same turn, unless the stop latched.
            if mode != .manual, !requests.isLatched { requests.stopIsDue = false }
            // This includes manual mode: the head may move with the face's gestures again.
            if !requests.isLatched, !bounds.isSaving { requests.mustBeStill = false }
        case .chevron(_, let duration):
            requests.isTracking = false
            began(receipt, client, lasts: duration, at: time)
        case .velocity(_, let duration):
            began(receipt, client, lasts: duration, at: time)
        case .orient, .home, .animate:
            // A move whose speed was reduced under way may take this much longer.
            began(receipt, client, lasts: (receipt.duration ?? 0) + 30, at: time)
        case .gesture:
            if requests.mustBeStill, !requests.mayStir { fail(.stillAfterStop, time, "a gesture was admitted") }
            // The mode was set after the stop, in the same turn.
            requests.stopIsDue = false
        case .torque(false):
            // Another dock that has not identified itself has confirmed it, and the axes are those of our dock.
            if axes.hasTorque, !health.isSwapUnknown {
                fail(.torqueOffReportIsTrue, time, "torque was reported as off, and the motors hold")
            }
        case .torque(true):
            (requests.mustBeStill, requests.isTracking) = (true, false)
            wire.moving = nil
        case .setLimits(let pan, let tilt):
            apply(pan, .pan)
            apply(tilt, .tilt)
            bounds.limitsSetAt = time
        case .expect(_, let duration): onSession.lost.expected(until: time + duration, by: client)
        case .slow(let share, let duration): bounds.near.slowed(to: share, for: duration, at: time)
        case .cancel, .setFraming, .setRegion, .setSpeed: break
        }
        // If the dock was released after the command was issued, the command no longer holds it.
        if client == nil, command.isOfPerson, let index = owners.takeovers.firstIndex(of: command) {
            owners.takeovers.remove(at: index)
            owners.personHolds = true
        }
    }

    func hold() {
        requests.mustBeStill = true
        requests.mayStir = false
        requests.isTracking = false
        requests.stopIsDue = true
    }

    private func began(_ receipt: MotionReceipt, _ client: Int?, lasts duration: Seconds, at time: Seconds) {
        if requests.isLatched { fail(.stillAfterStop, time, "\(receipt.text): admitted while a fault is latched") }
        requests.mustBeStill = false
        // A motion requested after the stop may follow it in the same turn.
        requests.stopIsDue = false
        requests.manualUntil = time + duration + 0.1
        owners.orphanedAt = nil
        owners.running = receipt.motion.map { ($0, client, client != nil && owners.lease?.client == client) }
        if let id = receipt.motion { owners.motionsOut.insert(id.value) }
    }

    private func apply(_ change: LimitChange, _ axis: Axis) {
        let own = rig.profile[axis]
        switch change {
        case .keep: break
        case .own: bounds.limits[axis] = nil
        case .set(let low, let high, let speed):
            let range = max(low, own.softRange.lowerBound)...max(low, min(high, own.softRange.upperBound))
            bounds.limits[axis] = (range, min(speed ?? own.maxSpeed, own.maxSpeed))
        }
    }

    private func checkOwner(_ command: MotionCommand, _ client: Int, _ time: Seconds) {
        switch command {
        case .expect:
            if let lease = owners.lease, lease.client != client, time < lease.until {
                fail(.oneOwner, time, "program \(client) turns the head, and program \(lease.client) has the lease")
            }
        case .chevron, .velocity, .orient, .home, .animate, .torque, .setLimits, .setSpeed:
            if owners.personHolds { fail(.oneOwner, time, "program \(client) moves what a person holds") }
            if let lease = owners.lease, lease.client != client, time < lease.until {
                fail(.oneOwner, time, "program \(client) writes, and program \(lease.client) has the lease")
            }
        default: break
        }
    }

    // MARK: the lease

    func asked(_ wish: ProgramWish, by client: Int, at time: Seconds) {
        expireLease(at: time)
        if owners.lease?.client == client { owners.lease?.until = time + 2 }
        // The program names the subject instead of the detector.
        if case .track = wish {
            requests.lastSightAt = max(requests.lastSightAt, time)
            onSession.lost.held(until: time)
            onSession.frames.spoil()
            onAxes.pole.spoil()
        }
    }

    /// Keys were pressed, or words were typed.
    func heard(_ what: ScenarioEvent, at time: Seconds) {
        if let text = onSession.people.heard(what, at: time) { fail(.anyoneCanStop, time, text) }
        // The dock is free again, whatever held it and whatever is still unanswered.
        if what == .words("release") {
            (owners.personHolds, owners.heldBefore) = (false, false)
            owners.takeovers.removeAll()
        }
    }

    func programAnswered(_ wish: ProgramWish, _ client: Int, isDone: Bool, at time: Seconds) {
        if time < scenario.duration,
            let text = onSession.people.programAnswered(wish, isDone: isDone, waiting: owners.commandsOut)
        {
            fail(.anyoneCanStop, time, text)
        }
        guard isDone else { return }
        if wish == .acquire {
            owners.lease = (client, time + 2)
            // It came before the daemon had noticed that the lease was over.
            if let orphanedAt = owners.orphanedAt, time < orphanedAt, owners.running?.client == client {
                owners.orphanedAt = nil
            }
        }
        if wish == .release, owners.lease?.client == client { owners.lease = nil }
    }

    private func expireLease(at time: Seconds) {
        guard let old = owners.lease, time > old.until else { return }
        owners.lease = nil
        if owners.running?.isLeased == true, owners.running?.client == old.client {
            owners.orphanedAt = old.until + 0.25
        }
    }

    // MARK: the loop's events

    func happened(_ event: LoopEvent, at time: Seconds) {
        if onWord != nil { onWord?(time, "\(event)") }
        switch event {
        case .dock(.faulted(let fault), _):
            if !onAxes.accusations.allow(fault) {
                fail(.noFalseFault, time, "\(fault.rawValue), and there is no fault")
            }
            // The event is reported late, and the fault may have been cleared by now.
            guard case .faulted = loop?.state else { return }
            requests.isLatched = true
            hold()
        case .dock: break
        case .battery(let state):
            // The way home was not requested. After it everything is still. The loop may have read this before it
            // admitted a mode in the same turn.
            if state.isCritical, requests.modeSetAt != time { (requests.mustBeStill, requests.mayStir) = (true, false) }
        case .motionEnded(let over):
            // The way home of a critical battery is a motion without a request.
            if owners.motionsOut.remove(over.id.value) == nil, !(time < bounds.mayGoHomeUntil && over.name == "home") {
                fail(.everythingAnswered, time, "motion \(over.id.value) ended twice, or never began")
            }
            if owners.running?.id == over.id {
                owners.running = nil
                owners.orphanedAt = nil
            }
        case .letGo: letGo(at: time)
        case .leaseEnded(let ending): onSession.lost.leaseEnded(of: ending.program.value, at: time)
        case .accessory, .inputEnded, .note, .lost: break
        }
    }

    /// The loop has finished a turn.
    func turned(at time: Seconds, hasLink: Bool) {
        expireLease(at: time)
        turns(at: time, hasLink: hasLink)
        onSession.people.turned(at: time)
        defer { requests.prefixIsDue = false }
        if requests.stopIsDue {
            // A stop that was cut off must be sent as soon as the line has room and the pacer allows it. Shorter frames
            // may come before it.
            let isCut = wire.lastWriteWasCut || time - wire.cutAt < Self.longestPace
            requests.stopIsDue = isCut && hasLink && wire.moving != nil
            if requests.prefixIsDue, hasLink, !health.isSwapUnknown, wire.openedAt < time, !isCut,
                onWire.stops.prefixedAt < time
            {
                fail(.stopIsRepeated, time, "no resync prefix before the stop; the dock may have received half a frame")
            }
            if hasLink, !isCut, let moving = wire.moving {
                fail(
                    .stopIsWritten, time,
                    "the last set-point on the wire is still \(degrees(moving.pan))/s \(degrees(moving.tilt))/s")
            }
        }
        if owners.commandsOut > 160 { fail(.bounded, time, "\(owners.commandsOut) commands wait") }
    }

    /// The program has exited.
    func ended(at time: Seconds, isConnected: Bool) {
        if let ending = scenario.wholeEnding { check(ending, at: time) }
        if isConnected, !wire.lastFrameWasStop, !wire.lastWriteWasCut {
            fail(.lastMessageIsStop, time, "the last frame is not a stop")
        }
        if owners.commandsOut != 0 {
            fail(.everythingAnswered, time, "\(owners.commandsOut) commands were never answered")
        }
    }
}

extension RequestOrigin {
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
