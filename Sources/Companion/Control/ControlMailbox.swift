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
        /// Returns the data. Some are encoded only here, on the server's thread.
        var data: @Sendable () -> JSONValue
        var lost = 0
        var pace = ControlEvent.Pace.all
    }

    /// The newest data of a state.
    private struct Newest: Sendable {
        var publication: Publication
        /// Whether only subscribers that want every frame get it.
        var isExtra: Bool
        /// Whether they already have it.
        var isTold = false
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
        var newest = [Newest?](repeating: nil, count: Topic.allCases.count)
        var publishedAt = [Seconds](repeating: -.infinity, count: Topic.allCases.count)
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
    func setAudience(_ interest: TopicInterest) {
        let frames = interest.everyFrame ? Self.everyFrame : 0
        audience.store(interest.topics.reduce(frames) { $0 | $1.bit }, ordering: .releasing)
    }

    /// The bit of an audience that wants every frame.
    private static let everyFrame: UInt32 = 1 << 31

    func hasAudience(_ topic: Topic) -> Bool { audience.load(ordering: .acquiring) & topic.bit != 0 }

    func deliver(_ delivery: Delivery) {
        ring { state in
            state.deliveries.append(delivery)
            return true
        }
    }

    /// Counts a change, and keeps it if the topic has subscribers. `isExtra`: only for those that want every frame.
    func publish(_ topic: Topic, isExtra: Bool = false, _ data: () -> JSONValue) {
        guard hasAudience(topic) else { return encode(topic, isExtra: isExtra, nil) }
        let encoded = data()
        encode(topic, isExtra: isExtra) { encoded }
    }

    /// The same, but `encoder` is called on the server's thread.
    func encode(_ topic: Topic, isExtra: Bool = false, _ encoder: (@Sendable () -> JSONValue)?) {
        ring { state in
            let index = topic.index
            state.sequences[index] += 1
            guard let encoder else { return false }
            let new = Publication(topic: topic, sequence: state.sequences[index], data: encoder)
            guard topic.isQueue else {
                // A change for all that waits must not be hidden by one for some.
                let isExtra = isExtra && state.newest[index]?.isExtra ?? true
                defer { state.newest[index] = Newest(publication: new, isExtra: isExtra) }
                // If an entry was already waiting, the thread has already been woken, unless it has published that one.
                return state.newest[index].map(\.isTold) ?? true
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

    /// Takes the answers, and the publications except states that were sent too recently.
    /// `withPublications`: false leaves all publications for the next call, which must not wait for the descriptor.
    func drain(now: Seconds, withPublications: Bool = true) -> Contents {
        _ = cposix_counter_take(wake)
        return locked { state in
            var contents = Contents(deliveries: state.deliveries)
            state.deliveries = []
            state.isRung = false
            guard withPublications else { return contents }
            contents.publications = state.queue
            state.queue = []
            for (at, topic) in Topic.allCases.enumerated() {
                if state.lost[at] > 0 {
                    if let first = contents.publications.firstIndex(where: { $0.topic == topic }) {
                        contents.publications[first].lost = state.lost[at]
                    }
                    state.lost[at] = 0
                }
                guard var new = state.newest[at] else { continue }
                let due = state.publishedAt[at] + topic.interval, isDue = now >= due && !new.isExtra
                if isDue {
                    if new.isTold { new.publication.pace = .usual }
                    contents.publications.append(new.publication)
                    state.newest[at] = nil
                    state.publishedAt[at] = now
                    continue
                }
                if topic == .tracking, !new.isTold, audience.load(ordering: .acquiring) & Self.everyFrame != 0 {
                    var extra = new.publication
                    extra.pace = .everyFrame
                    contents.publications.append(extra)
                    state.newest[at]?.isTold = true
                }
                if new.isExtra {
                    state.newest[at] = nil
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
