internal import ControlProtocol
internal import Processes

/// The data of a topic at one moment.
public struct TopicUpdate<Value: Sendable>: Sendable {
    /// The data.
    public var value: Value
    /// The number of the topic's change in the daemon.
    public var sequence: Int
    /// Whether updates may be missing before it: it is the first, or the reader or the connection was slow.
    public var isSnapshot: Bool
    /// How many events were dropped before this one, because the reader was slow.
    public var lost: Int
}

/// The updates of a topic. A slow reader gets only the newest state, and at most the last 64 events; `lost` counts the
/// others. It goes on after a reconnection, and ends when the dock is closed or the reading task is cancelled.
public struct TopicUpdates<Value: Sendable>: AsyncSequence, Sendable {
    /// One update.
    public typealias Element = TopicUpdate<Value>

    let feed: TopicFeed<Value>
    /// The connection lasts as long as its sequences.
    let dock: Dock

    /// Returns an iterator. Several iterators of one sequence share its updates.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: feed, dock: dock) }

    /// The updates, one after another.
    public struct Iterator: AsyncIteratorProtocol {
        let feed: TopicFeed<Value>
        let dock: Dock

        /// Returns the next update, or nil if the dock was closed or the task was cancelled.
        public mutating func next() async -> TopicUpdate<Value>? { await feed.next() }
    }
}

/// Receives the events of a topic on the connection's thread.
protocol TopicListener: AnyObject, Sendable {
    var topic: Topic { get }
    /// Whether it ends with the present connection.
    var endsWithConnection: Bool { get }
    func put(_ event: DaemonEvent)
    func finish()
}

/// The updates of one topic that wait for one reader.
final class TopicFeed<Value: Sendable>: TopicListener {
    private struct State: Sendable {
        var queue = UpdateQueue<TopicUpdate<Value>>()
        var isOver = false
        var hasBegun = false
    }

    let endsWithConnection: Bool
    private let key: TopicKey<Value>
    private let state: Locked<State>
    private let waiters = Waiters()
    private let onBeat: @Sendable () -> Void
    private let onEnd: @Sendable () -> Void

    /// Creates a feed. `onEnd` is called when no reader is left.
    init(
        _ key: TopicKey<Value>, endsWithConnection: Bool, onBeat: @escaping @Sendable () -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.key = key
        self.endsWithConnection = endsWithConnection
        self.onBeat = onBeat
        self.onEnd = onEnd
        state = Locked(State())
    }

    deinit { onEnd() }

    var topic: Topic { key.topic }

    func put(_ event: DaemonEvent) {
        let isQueue = key.topic.isQueue
        // The snapshot of a queue has several entries. Another listener, or a new connection, brings old ones again.
        let hasBegun = state.withLock { state in
            defer { state.hasBegun = true }
            return state.hasBegun
        }
        guard !isQueue || !event.isSnapshot || !hasBegun else { return }
        let values = isQueue && event.isSnapshot ? event.data["recent"]?.array ?? [] : [event.data]
        var lost = event.lost
        let updates = values.compactMap { data -> TopicUpdate<Value>? in
            guard let value = key.read(data) else { return nil }
            defer { lost = 0 }
            return TopicUpdate(value: value, sequence: event.sequence, isSnapshot: event.isSnapshot, lost: lost)
        }
        guard !updates.isEmpty else { return }
        state.withLock { state in
            for update in updates { state.queue.add(update, isQueue: isQueue) }
        }
        waiters.wake()
    }

    func finish() {
        state.withLock { $0.isOver = true }
        waiters.wake()
    }

    func next() async -> TopicUpdate<Value>? {
        while true {
            let (update, isOver) = state.withLock { ($0.queue.next(), $0.isOver) }
            if let update {
                // A program that takes updates is alive. One that only waits may hang elsewhere.
                onBeat()
                return update
            }
            guard !isOver, await waiters.wait(unless: { state.withLock { !$0.queue.isEmpty || $0.isOver } }) else {
                return nil
            }
        }
    }
}

/// Updates that wait for their reader: the newest state, or at most 64 events.
struct UpdateQueue<Update: Sendable>: Sendable {
    private var waiting: [Update] = []

    /// The maximum number of events that wait.
    static var capacity: Int { 64 }

    var isEmpty: Bool { waiting.isEmpty }

    mutating func next() -> Update? { waiting.isEmpty ? nil : waiting.removeFirst() }
}

extension UpdateQueue {
    /// Adds an update. `isQueue`: every one counts; otherwise only the newest.
    mutating func add<Value>(_ new: Update, isQueue: Bool) where Update == TopicUpdate<Value> {
        guard isQueue else {
            var new = new
            // The reader has missed what this one replaces.
            if !waiting.isEmpty { new.isSnapshot = true }
            waiting = [new]
            return
        }
        waiting.append(new)
        guard waiting.count > Self.capacity else { return }
        let oldest = waiting.removeFirst()
        waiting[0].lost += oldest.lost + 1
    }
}
