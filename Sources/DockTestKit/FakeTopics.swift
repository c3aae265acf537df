internal import ControlProtocol

/// The topics of a fake daemon, as a pure value: their newest data, and the numbers of their changes.
struct FakeTopics: Sendable {
    /// How many entries of a queue a new subscriber gets, as from the real daemon.
    static let remembered = 32

    private var states: [Topic: JSONValue] = [:]
    private var recent: [Topic: [JSONValue]] = [:]
    private var sequences: [Topic: Int] = [:]

    /// Records a change. Returns its event.
    mutating func change(_ topic: Topic, _ data: JSONValue, lost: Int = 0) -> JSONValue {
        sequences[topic, default: 0] += 1
        if topic.isRemembered {
            recent[topic, default: []].append(data)
            if let count = recent[topic]?.count, count > Self.remembered { recent[topic]?.removeFirst() }
        } else if !topic.isQueue {
            states[topic] = data
        }
        return event(topic, data, kind: "change", lost: lost)
    }

    /// Returns the event for a new subscriber: the newest state, or a sample if there was none; of a queue the last
    /// entries.
    func snapshot(_ topic: Topic) -> JSONValue {
        let data =
            topic.isQueue
            ? JSONValue.object(["recent": .array(recent[topic] ?? [])]) : states[topic] ?? topic.shape.sample
        return event(topic, data, kind: "snapshot", lost: 0)
    }

    private func event(_ topic: Topic, _ data: JSONValue, kind: String, lost: Int) -> JSONValue {
        var parameters: [String: JSONValue] = [
            "topic": .string(topic.rawValue), "kind": .string(kind), "seq": .number(sequences[topic] ?? 0),
            "data": data,
        ]
        if lost > 0 { parameters["lost"] = .number(lost) }
        return .object(["jsonrpc": .string("2.0"), "method": .string("event"), "params": .object(parameters)])
    }
}
