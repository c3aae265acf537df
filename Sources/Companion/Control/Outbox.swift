/// What one client has still to read. Answers always wait; of events a slow reader gets the newest state when it has
/// caught up, so that its slowness costs no memory.
struct Outbox {
    /// With so many bytes waiting, events are held back.
    static let threshold = 1 << 16
    /// With so many bytes waiting, most of them answers that it asked for and does not read, the connection ends.
    static let capacity = 1 << 18
    /// So many events wait for a slow reader, of each topic where every one counts.
    static let kept = 64

    private struct Waiting {
        var events: [ControlEvent] = []
        var lost = 0
    }

    /// Topics that the client listens to.
    private(set) var topics: Set<Topic> = []
    private var stale: Set<Topic> = []
    private var waiting: [Topic: Waiting] = [:]
    private var told: [Topic: Int] = [:]
    private var pending: [UInt8] = []
    private var sent = 0

    /// Bytes that wait.
    var count: Int { pending.count - sent }
    var isFull: Bool { count >= Self.threshold }
    /// What is to be sent next.
    var bytes: ArraySlice<UInt8> { pending[sent...] }
    /// Events are held back for room.
    var holdsEvents: Bool { !stale.isEmpty || waiting.contains { !$0.value.events.isEmpty } }

    /// A line that the client waits for: greeting or answer.
    mutating func answer(_ line: [UInt8]) {
        pending += line
        pending.append(0x0A)
    }

    /// From now on the client listens to these, too; a snapshot of each comes first.
    mutating func subscribe(_ new: [Topic]) {
        topics.formUnion(new)
        stale.formUnion(new)
    }

    /// The client listens to these no more; nil: to none.
    mutating func unsubscribe(_ old: [Topic]?) {
        for topic in old ?? Topic.allCases {
            topics.remove(topic)
            stale.remove(topic)
            waiting[topic] = nil
        }
    }

    /// Something changed.
    mutating func offer(_ event: ControlEvent, line: [UInt8]) {
        // A snapshot may have told it already.
        guard topics.contains(event.topic), event.sequence > told[event.topic] ?? 0 else { return }
        guard isFull || stale.contains(event.topic) || waiting[event.topic] != nil else {
            pending += line
            return
        }
        guard event.topic.isQueue else {
            stale.insert(event.topic)
            return
        }
        var queue = waiting[event.topic] ?? Waiting()
        if queue.events.count == Self.kept {
            let oldest = queue.events.removeFirst()
            queue.lost += 1 + oldest.lost
        }
        queue.events.append(event)
        waiting[event.topic] = queue
    }

    /// Once there is room: snapshots of what changed meanwhile, then the events that waited.
    mutating func refill(_ snapshot: (Topic) -> ControlEvent) {
        for topic in Topic.allCases where stale.contains(topic) && !isFull {
            let event = snapshot(topic)
            stale.remove(topic)
            told[topic] = event.sequence
            // What the snapshot tells already need not be told again.
            waiting[topic]?.events.removeAll { $0.sequence <= event.sequence }
            if waiting[topic]?.events.isEmpty == true { waiting[topic] = nil }
            pending += event.line(.snapshot, lost: 0)
        }
        for topic in Topic.allCases where !stale.contains(topic) {
            guard var queue = waiting[topic] else { continue }
            while !queue.events.isEmpty, !isFull {
                let event = queue.events.removeFirst()
                pending += event.line(.change, lost: queue.lost + event.lost)
                queue.lost = 0
            }
            waiting[topic] = queue.events.isEmpty ? nil : queue
        }
    }

    /// So many bytes are out.
    mutating func didSend(_ count: Int) {
        sent += count
        if sent == pending.count {
            pending.removeAll(keepingCapacity: pending.capacity <= Self.threshold)
            sent = 0
        } else if sent > Self.threshold {
            pending.removeFirst(sent)
            sent = 0
        }
    }

    /// Nobody reads any more.
    mutating func discard() {
        unsubscribe(nil)
        pending = []
        sent = 0
    }
}
