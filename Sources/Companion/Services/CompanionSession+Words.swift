internal import CPosix
internal import DockControl
internal import DockTypes
internal import Processes
internal import RobotFace

/// The state of a stop that was executed before its turn.
enum StopAnswer: Sendable {
    /// The answer is known, but its turn has not come yet.
    case early(Answer)
    /// Its turn has come, but the answer is not known yet.
    case due
}

/// Processes the lines of standard input in order, except that a stop precedes everything that waits.
extension CompanionSession {
    /// Handles a line whose turn has come.
    func carryOut(_ line: WordBacklog.Line) {
        switch line {
        case .words(let text): carryOut(line: text)
        case .overtaken(let text):
            if Self.isCall(text) { carryOutCall(text, isOvertaken: true) } else { send(.overtaken(text)) }
        case .stopped(let number): tell(stop: number)
        case .ended: send(.tracking(.ended))
        }
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
            if case .command(let line) = event { return carryOut(line: line) }
            return send(.tracking(event))
        }
        switch event {
        case .command(let line):
            guard !thread.put(line) else { return }
            // A flood is not answered line by line, because this is the loop's thread.
            let now = cposix_monotonic_now()
            guard let text = intake.refusal(now: now) else { return }
            send(.stopAnswered(.failure(DockError(.busy, text, hint: "send them more slowly"))))
        case .ended: thread.putEnd()
        default: send(.tracking(event))
        }
    }

    private func carryOut(line: String) {
        if Self.isCall(line) { return carryOutCall(line) }
        send(.line(line, configuration.detections.isScene ? .cue : nil))
    }

    private static func isCall(_ line: String) -> Bool {
        line.drop { $0 == " " || $0 == "\t" }.first == "{"
    }

    /// Records that the turn of a stop has come.
    private func tell(stop number: Int) {
        if let answer = intake.turn(ofStop: number) { send(.stopAnswered(answer)) }
    }

    private func answered(stop number: Int, _ answer: Answer) {
        if intake.isDue(stop: number, answer) { send(.stopAnswered(answer)) }
    }
}
