package import Geometry

/// The loop's records of its own events, and the decision when they are passed on.
extension LoopCore {
    func record(_ event: LoopEvent) {
        switch event {
        case .dock(let state, _):
            let isNew = trace.record(state, mode: director.mode)
            // An emergency stop by hand also has a cause to examine.
            if isNew, case .faulted(let fault) = state { keepTrace(cause: fault.rawValue, now: recorder.now) }
        case .motionEnded(let over): recorder.ended(over)
        case .note(let text): recorder.note(text)
        case .inputEnded: recorder.note("the detections have ended")
        case .accessory, .battery, .leaseEnded, .letGo, .lost: break  // bytes, inputs, or unrelated to the dock
        }
    }

    /// Requests a trace for a cause. If there are several causes, the trace is named after the first. A trace for
    /// `asked` is passed on at once.
    package func keepTrace(cause: String, now: Seconds) {
        guard cause != "asked" else {
            recorder.now = now
            return outlet.onTrace(recorder.copy(cause: cause))
        }
        trace.request(cause: cause, now: now)
    }

    func handOverTrace(now: Seconds) {
        if let copy = trace.takeDue(now: now) { outlet.onTrace(copy) }
    }
}
