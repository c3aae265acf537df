internal import DockControl
internal import Geometry
internal import Processes

/// Limits the log lines of a session, separately for each subject, so that a dock or a detector that reports endlessly
/// neither fills a disk nor hides other lines.
struct LogLimits {
    private var buttons = LogGate(), notes = LogGate(), dock = LogGate(), detector = LogGate(), others = LogGate()
    private var shown = LogGate(), leases = LogGate(), near = LogGate()
    private var nextPreview: Seconds = 0

    /// The time between two lines of a dry run, in seconds.
    static let previewPeriod: Seconds = 1

    /// Returns whether a dry run may log another motion, and then starts the next period.
    mutating func previewIsDue(now: Seconds) -> Bool {
        guard now >= nextPreview else { return false }
        nextPreview = now + Self.previewPeriod
        return true
    }

    /// Returns the effects of an event without the log lines that exceed the limits.
    mutating func limited(_ effects: [SessionEffect], of event: SessionEvent, now: Seconds) -> [SessionEffect] {
        // Most events log nothing.
        guard effects.contains(where: { if case .log = $0 { true } else { false } }) else { return effects }
        return effects.compactMap { effect in
            guard case .log(let level, let text) = effect else { return effect }
            return pass(text, of: event, now: now).map { .log(level, $0) }
        }
    }

    private mutating func pass(_ text: String, of event: SessionEvent, now: Seconds) -> String? {
        switch event {
        case .loop(.accessory): buttons.pass(text, now: now)
        case .loop(.note), .loop(.lost): notes.pass(text, now: now)
        // Programs that come and go must not use up the lines about the dock's faults, nor those about near hands.
        case .loop(.leaseEnded), .clientClosed: leases.pass(text, now: now)
        case .loop: dock.pass(text, now: now)
        case .tracking: detector.pass(text, now: now)
        case .call(.show(.distances), _): near.pass(text, now: now)
        case .call(.show, _): shown.pass(text, now: now)
        default: others.pass(text, now: now)
        }
    }
}
