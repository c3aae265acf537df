internal import DockControl
internal import DockTypes
internal import Geometry

/// The results of commands, and their recipients.
extension SessionState {
    /// Passes an answer to the requester: a call gets the whole value, a person gets a line.
    mutating func finish(_ ticket: Ticket, _ answer: Answer, now: Seconds) -> [SessionEffect] {
        if let call = ticket.call { return [.reply(call: call, answer)] }
        if case .client = ticket.asker { return [] }
        let tag = ticket.tag.map { "#\($0) " } ?? ""
        let said: [SessionEffect]
        switch answer {
        case .success where ticket.isQuiet: said = []
        case .success(let outcome): said = say(tag + "ok " + Self.text(outcome.text, for: ticket), now: now)
        case .failure(let error):
            let name = error.code == .noSubjectFound ? "noSubjectFound: " : ""
            said = say("\(tag)error \(name)\(error.message): \(Self.text(error.hint, for: ticket))", now: now)
        }
        return said + Self.answered(ticket)
    }

    /// Returns the effect that lets the next line of standard input be executed, if one waits.
    static func answered(_ ticket: Ticket) -> [SessionEffect] { ticket.turn.map { [.lineAnswered(turn: $0)] } ?? [] }

    /// Returns a text for its reader. A person at the keys needs keys, because letters without a colon are also keys.
    private static func text(_ text: String, for ticket: Ticket) -> String {
        guard case .keys = ticket.asker else { return text }
        return text.replacing("type `dockface clear`", with: "press C twice")
            .replacing("`mode system` follows", with: "m follows")
    }

    mutating func refuse(_ ticket: Ticket, _ error: DockError, now: Seconds) -> [SessionEffect] {
        if ticket.isPersonal { arbiter.answered(nil) }
        if let takeover = ticket.takeover { arbiter.takeBack(takeover) }
        return finish(ticket, .failure(error), now: now)
    }

    /// Processes the loop's answer to a command that it has executed or refused.
    mutating func answered(_ ticket: Ticket, _ answer: MotionAnswer, now: Seconds) -> [SessionEffect] {
        settle(ticket.latch, answer)
        switch answer {
        // The daemon repeats a command that the dock has not confirmed, so the takeover is not undone.
        case .failure(let error) where error.code == .timeout: return finish(ticket, .failure(error), now: now)
        case .failure(let error):
            let log = ticket.firstMode.map { mode in
                SessionEffect.log(
                    .warning, "mode \(mode.rawValue) was not set: \(error.message); type `mode \(mode.rawValue)`")
            }
            return refuse(ticket, error, now: now) + (log.map { [$0] } ?? [])
        case .success(let receipt):
            if ticket.isPersonal { arbiter.answered(receipt.motion) }
            var effects: [SessionEffect] = []
            var value = ticket.value
            if let motion = receipt.motion { value = .motion(motion, duration: receipt.duration ?? 0) }
            if let mode = ticket.firstMode {
                effects.append(.log(.info, "mode \(mode.rawValue) set: the start checks have passed"))
            }
            if let mode = receipt.mode { value = .mode(mode) }
            if let limits = receipt.limits, let pan = limits.pan, let tilt = limits.tilt {
                value = .limits(pan: pan, tilt: tilt)
            }
            apply(value)
            return effects + finish(ticket, .success(Outcome(receipt.text, value)), now: now)
        }
    }

    private mutating func settle(_ step: Ticket.LatchStep?, _ answer: MotionAnswer) {
        switch (step, answer) {
        case (.latches, _): arbiter.emergencyStopped()
        case (.releases, .success): arbiter.cleared()
        case (.releases, .failure), (nil, _): break
        }
    }

    /// Records a new setting before the loop's next snapshot confirms it.
    private mutating func apply(_ value: Outcome.Value) {
        dock.apply(value)
        if case .share(let share) = value { input.speed = share }
    }

    /// Processes the answer to a request that tracking has executed or refused.
    mutating func served(
        _ ticket: Ticket, _ request: PipelineRequest, _ result: Result<Int, DockError>, now: Seconds
    ) -> [SessionEffect] {
        switch (request, result) {
        case (_, .failure(let error)): return finish(ticket, .failure(error), now: now)
        case (.tap, .success(let id)):
            return finish(ticket, .success(Outcome("subject \(id)", .subject(id))), now: now)
        case (.select(let ids), .success):
            let words = ids.isEmpty ? "automatic" : "subjects " + ids.map(String.init).joined(separator: " ")
            return finish(ticket, .success(Outcome(words, .subjects(ids))), now: now)
        case (.observe, .success(let count)):
            // Observations are accepted only in this mode.
            apply(.mode(.custom))
            let outcome = Outcome("\(count) subjects", .tracked(subjects: count, rate: custom.rate))
            return finish(ticket, .success(outcome), now: now)
        }
    }

    /// Reports that a trace was written, or could not be written. Without tickets a fault caused it.
    mutating func traced(_ tickets: [Ticket]?, _ answer: Answer, now: Seconds) -> [SessionEffect] {
        if let tickets {
            var effects: [SessionEffect] = []
            for ticket in tickets { effects += finish(ticket, answer, now: now) }
            return effects
        }
        switch answer {
        case .success(let outcome):
            guard case .trace(let path, _, _) = outcome.value else { return [] }
            return [.log(.warning, "the trace of the fault is in \(path): read it with `dockface replay`")]
        case .failure(let error):
            return [.log(.warning, "the trace of the fault could not be written: \(error.message): \(error.hint)")]
        }
    }

    /// Describes what the loop ended because a program lost control.
    static func words(_ ending: LeaseEnding) -> String {
        let what: String
        switch (ending.motion, ending.endedTracking) {
        case (let motion?, true): what = "its motion \(motion.name) and its tracking were stopped"
        case (let motion?, false): what = "its motion \(motion.name) was stopped"
        case (nil, true): what = "its tracking was stopped"
        case (nil, false): what = "it moved nothing"
        }
        return "a program lost control: \(what)"
    }

    // MARK: the camera

    /// Returns whether the camera executes this command, or a program that listens. Recordings need a program that
    /// says that it records, because many programs listen.
    func serves(_ command: CameraCommand) -> Bool {
        guard let camera = options.camera, camera.needsListener(for: command) else { return true }
        guard case .shutter = command else { return audience.programs.topics.contains(.events) }
        return desk.state?.isRecording == true || shown.hasRecorder
    }

    /// Adopts what programs say about their recordings, unless the camera records by itself.
    mutating func recordingChanged() -> [SessionEffect] {
        guard options.camera?.needsListener(for: .shutter(nil)) == true, let isRecording = shown.isRecording,
            desk.recorder(says: isRecording), let camera = desk.state
        else { return [] }
        return notice(.camera(camera))
    }

    /// Passes on changes of the camera. Programs that serve a camera also receive them.
    mutating func cameraChanged(_ actions: [CameraAction]) -> [SessionEffect] {
        guard !actions.isEmpty, let camera = desk.state else { return [] }
        let orders = actions.compactMap { action -> Bool? in
            switch action {
            case .startRecording: true
            case .stopRecording: false
            case .magnify, .select: nil
            }
        }
        return [.camera(actions)] + notice(.camera(camera)) + orders.flatMap { notice(.recording(isWanted: $0)) }
    }
}
