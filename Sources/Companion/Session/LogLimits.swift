internal import DockControl
internal import Geometry
internal import Processes

/// How many lines of the log a session tells, by what they are about: a dock or a detector that never stops telling does not fill
/// a disk, and does not hide what another has to say.
struct LogLimits {
    private var buttons = LogGate(), notes = LogGate(), dock = LogGate(), detector = LogGate(), others = LogGate()

    /// The effects of an event, without the lines that are too many.
    mutating func limited(_ effects: [SessionEffect], of event: SessionEvent, now: Seconds) -> [SessionEffect] {
        // Most events have nothing to log.
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
        case .loop: dock.pass(text, now: now)
        case .tracking: detector.pass(text, now: now)
        default: others.pass(text, now: now)
        }
    }
}
