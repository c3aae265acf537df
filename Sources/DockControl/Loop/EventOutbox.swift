internal import Geometry

/// Events that wait for the next publishing, and when that is.
///
/// A state is published before the events that brought it about. Whoever hears "ready" and then looks finds it so.
struct EventOutbox {
    /// More events than a line can bring before the next publishing. What comes on top is dropped and counted.
    static let capacity = 256
    /// A change is published after at most this, seconds.
    static let delay: Seconds = 0.05

    private var events: [LoopEvent] = []
    private var dropped = 0
    /// When the next publishing is due; nil: nothing has changed.
    private(set) var dueAt: Seconds?
    /// When the last publishing was.
    private(set) var publishedAt: Seconds = 0

    init() { events.reserveCapacity(64) }

    /// Something has changed that others want to know, soon.
    mutating func mark(now: Seconds) { dueAt = dueAt ?? now + Self.delay }

    /// An event to publish at once, or with what is due already.
    mutating func add(_ event: LoopEvent, now: Seconds) {
        if events.count < Self.capacity { events.append(event) } else { dropped += 1 }
        dueAt = dueAt ?? now
    }

    /// Whether to publish now; that publishing then counts as done.
    /// - Parameter isQuiet: the next line of the detector is at least some milliseconds away, so this is a good moment.
    mutating func isDue(now: Seconds, isQuiet: Bool) -> Bool {
        guard let at = dueAt, now >= at || isQuiet else { return false }
        (dueAt, publishedAt) = (nil, now)
        return true
    }

    /// Hands the waiting events to `receive`, in order; first how many were dropped.
    mutating func drain(_ receive: (LoopEvent) -> Void) {
        if dropped > 0 { receive(.lost(dropped)) }
        dropped = 0
        for event in events { receive(event) }
        events.removeAll(keepingCapacity: true)
    }
}
