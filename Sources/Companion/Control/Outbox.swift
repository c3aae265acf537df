internal import ControlProtocol
internal import PictureShare

/// The pending output of one client. Answers always wait. A slow reader gets the newest state once it has caught up, so
/// that the queue does not use up memory.
struct Outbox {
    /// The number of pending bytes above which events are held back.
    static let threshold = 1 << 16
    /// The number of pending bytes, mostly answers that the client requested but does not read, above which the
    /// connection ends.
    static let capacity = 1 << 18
    /// The number of waiting events for each topic in which every event counts.
    static let kept = 64

    private struct Waiting {
        var events: [ControlEvent] = []
        var lost = 0
    }

    /// What the client has subscribed to.
    private(set) var interest: TopicInterest = []
    /// The topics to which the client has subscribed.
    var topics: Set<Topic> { interest.topics }
    private var stale: Set<Topic> = []
    private var waiting: [Topic: Waiting] = [:]
    private var snapshotSequences: [Topic: Int] = [:]
    /// The last event of each topic that passed, whether the client gets it or not.
    private var offered: [Topic: Int] = [:]
    private var pending: [UInt8] = []
    private var sent = 0
    /// Descriptors that go with the byte at a place of `pending`.
    private struct Passed {
        var place: Int
        let opening: PictureOpening
        /// The length of the line, and the line that is sent instead if the system does not pass the descriptors on.
        let length: Int, refusal: [UInt8]?
    }

    /// The descriptors that wait to be sent, in the order of the places.
    private var openings: [Passed] = []

    /// The number of pending bytes.
    var count: Int { pending.count - sent }
    var isFull: Bool { count >= Self.threshold }
    /// The bytes to send next, and the descriptors that go with the first of them. One message carries those of one
    /// answer.
    var piece: (bytes: ArraySlice<UInt8>, opening: PictureOpening?) {
        let opening = openings.first.flatMap { $0.place == sent ? $0.opening : nil }
        let end = openings.first { $0.place > sent }?.place ?? pending.count
        return (pending[sent..<end], opening)
    }
    /// Whether descriptors wait to be sent.
    var hasOpening: Bool { !openings.isEmpty }
    /// Whether events are held back.
    var holdsEvents: Bool { !stale.isEmpty || waiting.contains { !$0.value.events.isEmpty } }

    /// Adds a line for which the client waits: the greeting or an answer. `new` go with its first bytes; `refusal` takes
    /// its place if the system does not pass them on.
    mutating func answer(_ line: [UInt8], with new: [PictureOpening] = [], refusal: [UInt8]? = nil) {
        for (index, opening) in new.enumerated() {
            openings.append(
                Passed(
                    place: pending.count + index, opening: opening, length: line.count + 1,
                    refusal: index == 0 ? refusal : nil))
        }
        pending += line
        pending.append(0x0A)
    }

    /// Subscribes to more topics. Each begins with a snapshot. `everyFrame`: topic `tracking` without its usual limit.
    mutating func subscribe(_ new: [Topic], everyFrame: Bool = false) {
        interest.topics.formUnion(new)
        if new.contains(.tracking) { interest.everyFrame = everyFrame }
        stale.formUnion(new)
    }

    /// Ends these subscriptions, or all of them if nil.
    mutating func unsubscribe(_ old: [Topic]?) {
        for topic in old ?? Topic.allCases {
            interest.topics.remove(topic)
            if topic == .tracking { interest.everyFrame = false }
            stale.remove(topic)
            waiting[topic] = nil
        }
    }

    /// Adds a change.
    mutating func offer(_ event: ControlEvent, line: [UInt8]) {
        if !event.topic.isRemembered { offered[event.topic] = event.sequence }
        // A snapshot may already contain it.
        guard topics.contains(event.topic), event.sequence > snapshotSequences[event.topic] ?? 0 else { return }
        switch event.pace {
        case .all: break
        case .everyFrame: guard interest.everyFrame else { return }
        case .usual: guard !interest.everyFrame else { return }
        }
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

    /// Adds snapshots of the topics that have changed meanwhile, and then the waiting events, if there is room.
    mutating func refill(_ snapshot: (Topic) -> ControlEvent) {
        for topic in Topic.allCases where stale.contains(topic) && !isFull {
            let event = snapshot(topic)
            stale.remove(topic)
            guard topic.isRemembered || !topic.isQueue else {
                // This snapshot is empty, so it contains none of the events that wait here or in the mailbox.
                let before = waiting[topic]?.events.first.map { $0.sequence - 1 } ?? offered[topic] ?? 0
                pending += ControlEvent(topic: topic, sequence: before, data: event.data).line(.snapshot, lost: 0)
                continue
            }
            snapshotSequences[topic] = event.sequence
            // Drops events that the snapshot already contains.
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

    /// Removes bytes that were sent.
    mutating func didSend(_ count: Int) {
        sent += count
        openings.removeAll { $0.place < sent }
        if sent == pending.count {
            pending.removeAll(keepingCapacity: pending.capacity <= Self.threshold)
            sent = 0
        } else if sent > Self.threshold {
            pending.removeFirst(sent)
            for index in openings.indices { openings[index].place -= sent }
            sent = 0
        }
    }

    /// Replaces the next line by its refusal, because the system does not pass its descriptors on. Returns false if the
    /// next byte has none.
    mutating func refuseOpening() -> Bool {
        guard let first = openings.first, first.place == sent, let refusal = first.refusal else { return false }
        let end = sent + first.length
        pending.replaceSubrange(sent..<end, with: refusal + [0x0A])
        openings.removeAll { $0.place < end }
        for index in openings.indices { openings[index].place += refusal.count + 1 - first.length }
        return true
    }

    /// Discards everything, because the client no longer reads.
    mutating func discard() {
        unsubscribe(nil)
        openings = []
        pending = []
        sent = 0
    }
}
