internal import CPosix
internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Geometry
internal import Glibc
internal import Processes
internal import Synchronization

/// Entries from other threads for the server's thread: answers and publications. No caller waits here, and all queues
/// are bounded: the newest data of each state, 64 entries of events and of the log, and no more answers than pending
/// requests.
final class ControlMailbox: Sendable {
    /// An answer and its recipient.
    struct Delivery: Sendable {
        var client: Int
        var ticket: RequestQueue.Ticket
        var reply: ControlReply
    }

    /// Published data.
    struct Publication: Sendable {
        var topic: Topic
        var sequence: Int
        var data: JSONValue
        var lost = 0
    }

    /// The work for the server's thread.
    struct Contents {
        var deliveries: [Delivery] = []
        var publications: [Publication] = []
        /// When the next state that must not be sent yet is due, CLOCK_MONOTONIC.
        var due: Seconds?
    }

    /// The maximum number of waiting entries of a topic in which every change counts.
    static let kept = 64

    private struct State {
        var deliveries: [Delivery] = []
        var sequences = [Int](repeating: 0, count: Topic.allCases.count)
        var newest = [Publication?](repeating: nil, count: Topic.allCases.count)
        var told = [Seconds](repeating: -.infinity, count: Topic.allCases.count)
        var queue: [Publication] = []
        var lost = [Int](repeating: 0, count: Topic.allCases.count)
        var isRung = false
    }

    /// The descriptor that is readable when entries wait.
    let wake: Int32
    private let state = Locked(State())
    private let audience = Atomic<UInt32>(0)

    /// Creates an empty mailbox.
    /// - Throws: `DockError` if the system has no descriptors left.
    init() throws(DockError) { wake = try WaitDescriptors.wake() }

    deinit { close(wake) }

    /// Sets the topics with subscribers. Changes of other topics are not kept.
    func setAudience(_ topics: Set<Topic>) {
        audience.store(topics.reduce(0) { $0 | $1.bit }, ordering: .releasing)
    }

    func hasAudience(_ topic: Topic) -> Bool { audience.load(ordering: .acquiring) & topic.bit != 0 }

    func deliver(_ delivery: Delivery) {
        ring { state in
            state.deliveries.append(delivery)
            return true
        }
    }

    /// Counts a change, and keeps it if the topic has subscribers.
    func publish(_ topic: Topic, _ data: () -> JSONValue) {
        let kept = hasAudience(topic) ? data() : nil
        ring { state in
            let index = topic.index
            state.sequences[index] += 1
            guard let kept else { return false }
            let new = Publication(topic: topic, sequence: state.sequences[index], data: kept)
            guard topic.isQueue else {
                defer { state.newest[index] = new }
                // If an entry was already waiting, the thread has already been woken.
                return state.newest[index] == nil
            }
            if state.queue.count(where: { $0.topic == topic }) == Self.kept {
                if let oldest = state.queue.firstIndex(where: { $0.topic == topic }) { state.queue.remove(at: oldest) }
                state.lost[index] += 1
            }
            state.queue.append(new)
            return true
        }
    }

    /// Returns the number of a topic's last change.
    func sequence(of topic: Topic) -> Int { locked { $0.sequences[topic.index] } }

    /// Wakes the server's thread without an entry.
    func ring() { cposix_wake_ring(wake) }

    /// Takes all entries except states that were sent too recently.
    func drain(now: Seconds) -> Contents {
        _ = cposix_counter_take(wake)
        return locked { state in
            var contents = Contents(deliveries: state.deliveries, publications: state.queue)
            state.deliveries = []
            state.queue = []
            state.isRung = false
            for (at, topic) in Topic.allCases.enumerated() {
                if state.lost[at] > 0 {
                    if let first = contents.publications.firstIndex(where: { $0.topic == topic }) {
                        contents.publications[first].lost = state.lost[at]
                    }
                    state.lost[at] = 0
                }
                guard let new = state.newest[at] else { continue }
                let due = state.told[at] + topic.interval
                if now >= due {
                    contents.publications.append(new)
                    state.newest[at] = nil
                    state.told[at] = now
                } else {
                    contents.due = min(contents.due ?? due, due)
                }
            }
            return contents
        }
    }

    private func ring(_ body: (inout State) -> Bool) {
        let mustRing = locked { state in
            let isNew = body(&state) && !state.isRung
            if isNew { state.isRung = true }
            return isNew
        }
        if mustRing { cposix_wake_ring(wake) }
    }

    private func locked<Result>(_ body: (inout State) -> Result) -> Result {
        return state.withLock { state in
            return body(&state)
        }
    }
}

extension Topic {
    /// Its index in `allCases`.
    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    fileprivate var bit: UInt32 { 1 << UInt32(index) }
}
