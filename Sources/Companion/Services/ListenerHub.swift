public import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Processes

/// An update that a session sends to its listeners.
public enum SessionUpdate: Sendable, Equatable {
    /// A state has changed. Only the newest state of a topic counts.
    case state(Topic, SessionStatus)
    /// A frame was tracked, between two states of topic `tracking`, for listeners that want every frame.
    case frame(SessionStatus)
    /// An event that happened once.
    case notice(SessionNotice)
    /// A sentence or a sound for a program that plays them.
    case cue(Cue)
    /// A log line.
    case log(LogLevel, String)

    /// The topic to which it belongs.
    public var topic: Topic {
        switch self {
        case .state(let topic, _): topic
        case .frame: .tracking
        case .notice: .events
        case .cue: .cues
        case .log: .log
        }
    }
}

/// The listeners of a session: each has its topics and a closure that must not block.
final class ListenerHub: Sendable {
    private struct Listener {
        var topics: Set<Topic>
        var onUpdate: @Sendable (SessionUpdate) -> Void
        var onEnd: @Sendable () -> Void
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var next = 1
        var hasEnded = false
    }

    private let state = Locked(State())

    /// Adds a listener. Returns its number, or nil if the session has ended (and calls `onEnd`).
    func add(
        _ topics: Set<Topic>, onUpdate: @escaping @Sendable (SessionUpdate) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) -> Int? {
        let number: Int? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.listeners[state.next] = Listener(topics: topics, onUpdate: onUpdate, onEnd: onEnd)
            state.next += 1
            return state.next - 1
        }
        if number == nil { onEnd() }
        return number
    }

    func remove(_ number: Int) { state.withLock { $0.listeners[number] = nil } }

    /// All topics that have a listener.
    var audience: Set<Topic> {
        state.withLock { $0.listeners.values.reduce(into: []) { $0.formUnion($1.topics) } }
    }

    func tell(_ update: SessionUpdate) {
        let topic = update.topic
        let listeners = state.withLock { $0.listeners.values.filter { $0.topics.contains(topic) } }
        for listener in listeners { listener.onUpdate(update) }
    }

    /// Records that the session has ended. No further updates are sent.
    func end() {
        let all = state.withLock { state in
            state.hasEnded = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in all { listener.onEnd() }
    }
}

/// The calls that wait for their answers: at most 1,024, not counting stops.
final class WaitingCalls: Sendable {
    typealias Reply = @Sendable (Answer) -> Void

    private struct State {
        var waiting: [Int: Reply] = [:]
        var next = 1
        var hasEnded = false
    }

    private let state = Locked(State())
    static let capacity = 1024

    /// Adds a call and returns its number.
    /// - Throws: `busy` if too many calls wait, `notConnected` if the session has ended.
    func add(_ reply: @escaping Reply, isStop: Bool = false) throws(DockError) -> Int {
        try state.withLock { state throws(DockError) in
            guard !state.hasEnded else { throw Self.ending }
            guard isStop || state.waiting.count < Self.capacity else {
                throw DockError(.busy, "too many calls are waiting", hint: "wait for some answers first")
            }
            state.waiting[state.next] = reply
            state.next += 1
            return state.next - 1
        }
    }

    func answer(_ call: Int, _ answer: Answer) { state.withLock { $0.waiting.removeValue(forKey: call) }?(answer) }

    /// Ends all pending calls with a failure, because the session ends.
    func endAll() {
        let all = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for reply in all { reply(.failure(Self.ending)) }
    }

    private static let ending = DockError(.notConnected, "dockface is ending", hint: "start it again")
}
