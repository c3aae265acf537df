internal import Geometry

/// The events that wait for the next publication, and its time.
///
/// A state is published before the events that caused it, so a listener that receives "ready" finds the state ready.
struct EventOutbox {
    /// The capacity, which exceeds the number of events that a line can cause before the next publication. Events
    /// beyond it are dropped and counted. Ends of leases and motions go first: programs cause as many as they like, and
    /// must not keep out what the dock or a person at it has done.
    static let capacity = 256
    /// The longest time until a change is published, in seconds.
    static let delay: Seconds = 0.05

    private var events: [LoopEvent] = []
    private var dropped = 0
    /// When the next publication is due, or nil if nothing has changed.
    private(set) var dueAt: Seconds?
    /// The time of the last publication.
    private(set) var publishedAt: Seconds = 0

    init() { events.reserveCapacity(64) }

    /// Requests a publication soon, because something has changed.
    mutating func mark(now: Seconds) { dueAt = dueAt ?? now + Self.delay }

    /// Adds an event, to be published at once or with a publication that is already due.
    mutating func add(_ event: LoopEvent, now: Seconds) {
        dueAt = dueAt ?? now
        if events.count == Self.capacity {
            dropped += 1
            guard event.isOfDock, let other = events.firstIndex(where: { !$0.isOfDock }) else { return }
            events.remove(at: other)
        }
        events.append(event)
    }

    /// Returns whether to publish now, and counts that publication as done.
    /// - Parameter isQuiet: the detector's next line is at least a few milliseconds away, so this is a good moment.
    mutating func isDue(now: Seconds, isQuiet: Bool) -> Bool {
        guard let at = dueAt, now >= at || isQuiet else { return false }
        (dueAt, publishedAt) = (nil, now)
        return true
    }

    /// Passes the waiting events to `receive`, in order, after the number of dropped ones.
    mutating func drain(_ receive: (LoopEvent) -> Void) {
        if dropped > 0 { receive(.lost(dropped)) }
        dropped = 0
        for event in events { receive(event) }
        events.removeAll(keepingCapacity: true)
    }
}

extension LoopEvent {
    /// Whether the dock, or a person at it, caused the event.
    fileprivate var isOfDock: Bool {
        switch self {
        case .dock, .accessory, .letGo: true
        case .battery, .motionEnded, .leaseEnded, .inputEnded, .note, .lost: false
        }
    }
}
