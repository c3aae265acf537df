internal import DockWire
internal import Geometry

/// The dock's events in the order in which they were raised. The line may lose an event, and the dock then repeats it
/// after newer ones. Without this, the release of a button would be reported before its press.
struct DlpEvents: Sendable {
    /// How long an event waits for an earlier one, in seconds: three repetitions.
    static let patience: Seconds = 0.16
    /// The most events that a dock keeps (`EventQueue` of the firmware), and so the most that can wait here.
    static let capacity = 8

    private var window = EventWindow()
    private var bootID: UInt16?
    /// The id of the next event, or nil before the first.
    private var next: UInt8?
    private var waiting: [(event: EventReport, since: Seconds)] = []

    /// Handles an event of the dock. Returns the events that are to be reported now, in order.
    mutating func receive(_ event: EventReport, bootID boot: UInt16, now: Seconds) -> [EventReport] {
        guard window.isNew(id: event.id, bootID: boot) else { return overdue(now: now) }
        var ready: [EventReport] = []
        if boot != bootID {
            // What waited from before the reboot is complete now.
            ready = waiting.map(\.event)
            (bootID, next, waiting) = (boot, nil, [])
        }
        let ahead = Self.distance(from: next ?? event.id, to: event.id)
        let place = waiting.firstIndex { Self.distance(from: event.id, to: $0.event.id) > 0 } ?? waiting.endIndex
        // No earlier event is missing, or the dock has dropped those that are.
        let isDue = ahead - place <= Int(event.lost)
        if isDue { for index in 0..<place { waiting[index].since = -.infinity } }
        waiting.insert((event, isDue ? -.infinity : now), at: place)
        return ready + overdue(now: now)
    }

    /// Returns the events that need not wait any longer, in order.
    mutating func overdue(now: Seconds) -> [EventReport] {
        var ready: [EventReport] = []
        while let first = waiting.first,
            first.event.id == next || now - first.since > Self.patience || waiting.count > Self.capacity
        {
            waiting.removeFirst()
            ready.append(first.event)
            // A late event does not make the next one late.
            if Self.distance(from: next ?? first.event.id, to: first.event.id) >= 0 { next = first.event.id &+ 1 }
        }
        return ready
    }

    private static func distance(from a: UInt8, to b: UInt8) -> Int { Int(Int8(bitPattern: b &- a)) }
}
