package import Geometry

/// What the loop records of its own doings, and when it hands the record on.
extension LoopCore {
    /// After a fault the record goes on for so long, seconds: it shows the braking, too.
    static let traceDelay: Seconds = 0.5

    func record(_ event: LoopEvent) {
        switch event {
        case .dock(let state, _):
            recorder.state(state, mode: director.mode)
            let isNew = state != recordedState
            recordedState = state
            // An emergency stop by hand has its reasons, too.
            if isNew, case .faulted(let fault) = state { keepTrace(cause: fault.rawValue, now: recorder.now) }
        case .motionEnded(let over): recorder.ended(over)
        case .note(let text): recorder.note(text)
        case .inputEnded: recorder.note("the detections have ended")
        case .accessory, .battery, .leaseEnded, .letGo, .lost: break  // on the wire, an input, or not the dock's
        }
    }

    /// The record is wanted, for this cause; of several, the first names it. What is `asked` for comes at once.
    package func keepTrace(cause: String, now: Seconds) {
        guard cause != "asked" else {
            recorder.now = now
            return outlet.onTrace(recorder.copy(cause: cause))
        }
        if traceDue == nil { traceDue = (now + Self.traceDelay, cause) }
    }

    func handOverTrace(now: Seconds) {
        guard let due = traceDue, now >= due.at else { return }
        traceDue = nil
        outlet.onTrace(recorder.copy(cause: due.cause))
    }
}
