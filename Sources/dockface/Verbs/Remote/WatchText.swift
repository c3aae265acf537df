import Companion
import ControlProtocol
import DockClient
import Geometry

/// Turns events into lines for people: only changed facts, and a limited number of lines about a moving dock. The
/// caller passes the time.
struct WatchText {
    /// The shortest time between two lines about a moving dock, in seconds; 0 for no limit.
    let pace: Seconds
    /// The text that was printed last, by topic and label.
    private var said: [String: [String: String]] = [:]
    private var lastEnded: Int?
    private var nextMotion: Seconds = 0
    private var heldBack: JSONValue?

    init(pace: Seconds) { self.pace = pace }

    /// When a deferred line is due, or nil if there is none.
    var due: Seconds? { heldBack == nil ? nil : nextMotion }

    /// Returns the lines for an event.
    mutating func lines(_ event: DaemonEvent, now: Seconds) -> [String] {
        var lines = event.lost > 0 ? [event.topic.padded(11) + "\(event.lost) events were lost"] : []
        switch event.topic {
        case "events", "log", "cues", "detections":
            for one in event.data["recent"]?.array ?? (event.isSnapshot ? [] : [event.data]) {
                guard let text = TopicText.happening(event.topic, one) else { continue }
                lines.append(event.topic.padded(11) + text)
            }
        case "motion":
            // The end of a motion is never deferred, and pending lines precede it.
            if let end = ended(event.data) {
                lines += state("motion", event.data)
                if !event.isSnapshot { lines.append("motion".padded(11) + end) }
                (heldBack, nextMotion) = (nil, now + pace)
            } else if now >= nextMotion {
                lines += state("motion", event.data)
                if !lines.isEmpty { nextMotion = now + pace }
                heldBack = nil
            } else {
                heldBack = event.data
            }
        default: lines += state(event.topic, event.data)
        }
        return lines
    }

    /// Returns the deferred line, once it is due.
    mutating func dueLines(now: Seconds) -> [String] {
        guard let data = heldBack, now >= nextMotion else { return [] }
        heldBack = nil
        nextMotion = now + pace
        return state("motion", data)
    }

    private mutating func state(_ topic: String, _ data: JSONValue) -> [String] {
        let facts = TopicText.facts(topic, data)
        let changed = facts.filter { said[topic]?[$0.label] != $0.text }
        guard !changed.isEmpty else { return [] }
        said[topic] = Dictionary(facts.map { ($0.label, $0.text) }, uniquingKeysWith: { first, _ in first })
        return [topic.padded(11) + changed.map { "\($0.label) \($0.text)" }.joined(separator: ", ")]
    }

    /// Returns the end of a motion, if it has not been printed yet.
    private mutating func ended(_ data: JSONValue) -> String? {
        guard let id = data["ended"]?["id"]?.integer, id != lastEnded else { return nil }
        lastEnded = id
        return "\(data.member("ended").word("name")) (\(id)) ended: \(data.member("ended").word("outcome"))"
    }
}
