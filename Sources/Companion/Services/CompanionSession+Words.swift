internal import CPosix
internal import DockControl
internal import DockTypes
internal import Processes
internal import RobotFace

/// The state of a stop that was executed before its turn.
enum StopAnswer: Sendable {
    /// The answer is known, but its turn has not come yet.
    case early(Answer)
    /// Its turn has come, and the ticket waits for the answer.
    case due(Ticket)
}

/// Processes the lines of standard input in order, each after the answer to the one before it, except that a stop
/// precedes everything that waits.
extension CompanionSession {
    /// Handles a line whose turn has come.
    func carryOut(_ line: WordBacklog.Line, turn: Int) {
        switch line {
        case .words(let text, false): send(.line(text, wordTicket(turn: turn)))
        case .words(let text, true): send(.overtaken(text, wordTicket(turn: turn)))
        case .call(let text, let isOvertaken): carryOutCall(text, isOvertaken: isOvertaken)
        case .stopped(let number, let tag):
            var ticket = Ticket.words
            (ticket.turn, ticket.tag) = (turn, tag)
            if let answer = intake.turn(ofStop: number, ticket) { send(.stopAnswered(answer, ticket)) }
        case .ended: send(.tracking(.ended))
        }
    }

    /// Returns the ticket of words from standard input, or from a scene.
    private func wordTicket(turn: Int? = nil) -> Ticket {
        var ticket = configuration.detections.isScene ? Ticket.cue : .words
        ticket.turn = turn
        return ticket
    }

    /// Executes a stop that was just read. The turn of its line comes later.
    func carryOutAtOnce(_ urgent: WordBacklog.Urgent) {
        switch urgent {
        case .call(let line): carryOutStops(line)
        case .stop(let number, let command): call(command, from: .words) { [self] in answered(stop: number, $0) }
        }
    }

    /// Handles an event on the detections' stream, on the loop's thread, which must not wait for the effects of words.
    func receive(_ event: TrackingEvent) {
        guard let thread = intake.thread.withLock({ $0 }) else {
            if case .command(let line) = event { return carryOutNow(line) }
            return send(.tracking(event))
        }
        switch event {
        case .command(let line):
            guard !thread.put(line) else { return }
            // A flood is not answered line by line, because this is the loop's thread.
            let now = cposix_monotonic_now()
            guard let text = intake.refusal(now: now) else { return }
            send(.stopAnswered(.failure(DockError(.busy, text, hint: "send them more slowly")), .words))
        case .ended: thread.putEnd()
        default: send(.tracking(event))
        }
    }

    /// Handles a line before the session's thread starts, or after it has ended.
    private func carryOutNow(_ line: String) {
        if WordBacklog.isCall(line) { return carryOutCall(line) }
        send(.line(line, wordTicket()))
    }

    private func answered(stop number: Int, _ answer: Answer) {
        if let ticket = intake.ticket(ofStop: number, answer) { send(.stopAnswered(answer, ticket)) }
    }
}
