import ControlProtocol
import CPosix
import DockClient
import DockTypes
import Geometry
import Glibc

/// The session of a demo as its story sees it: a client of its control socket. It belongs to the story's thread.
final class StoryStage {
    private let client: ControlClient
    private let hasFace: Bool
    private var caption = "", shownAt: Seconds = -.infinity

    /// The layer of the words, the place of its first line in the picture, the distance of the next one, and how long the
    /// daemon shows them, in seconds.
    private static let layer = "story", place = Point(x: 0.03, y: 0.2), next = 0.05, ttl: Seconds = 2
    /// The longest line and the most lines, so that a narrow terminal shows them.
    private static let columns = 74, lines = 2
    /// The time between two looks at the state of the session, in seconds, and how near the head must come, in radians.
    private static let step: Seconds = 0.1, near = Double.degrees(2)
    /// How far the head turns away, in radians.
    private static let away = Double.degrees(70)

    /// Waits until the dock is ready and pictures come; nil if that takes too long, or if the story was stopped.
    init?(socket: String, hasFace: Bool, patience: Seconds, isStopped: () -> Bool) {
        let deadline = cposix_monotonic_now() + patience
        self.hasFace = hasFace
        while cposix_monotonic_now() < deadline, !isStopped() {
            if let client = try? ControlClient(path: socket), Self.isReady(client, deadline, isStopped) {
                self.client = client
                return
            }
            Self.pause(Self.step)
        }
        return nil
    }

    private static func isReady(_ client: ControlClient, _ deadline: Seconds, _ isStopped: () -> Bool) -> Bool {
        while cposix_monotonic_now() < deadline, !isStopped() {
            guard let status = try? client.call("status") else { return false }
            let dock = status["accessory"]?["dock"]?.string, sources = status["detector"]?["sources"]?.array ?? []
            if dock == "ready", sources.contains(where: { $0["state"]?.string == "running" }) { return true }
            pause(step)
        }
        return false
    }

    /// Waits until the dock is ready again after an interruption. Returns false if a person has the head or has stopped it,
    /// because that ends the story, or if the dock does not become ready in time.
    func isFreeAgain(within time: Seconds, isStopped: () -> Bool) -> Bool {
        let end = cposix_monotonic_now() + time
        while cposix_monotonic_now() < end, !isStopped() {
            guard let accessory = (try? client.call("status"))?["accessory"] else { return false }
            guard accessory["stoppedBy"]?.string != "person", accessory["control"]?.string != "keys",
                accessory["control"]?.string != "words"
            else { return false }
            if accessory["dock"]?.string == "ready" { return true }
            refresh()
            Self.pause(Self.step)
        }
        return false
    }

    /// Tells people what happens: over the face, or as a line.
    func show(_ words: String) {
        guard hasFace else { return note("find: \(words)") }
        caption = words
        shownAt = -.infinity
        refresh()
    }

    /// Shows the words again before their time is over.
    func refresh() {
        let now = cposix_monotonic_now()
        guard hasFace, !caption.isEmpty, now - shownAt >= Self.ttl / 2 else { return }
        shownAt = now
        let labels = Self.wrapped(caption).enumerated().map { row, text in
            let place = SIMD3(Self.place.x, Self.place.y + Double(row) * Self.next, 0)
            return LayerItem.label(text, at: place, colour: .cyan).json(in: .picture)
        }
        // A layer that appears last is drawn over the others.
        for items in [[], labels] {
            _ = try? client.call(
                "setLayer",
                [
                    "name": .string(Self.layer), "space": .string(LayerSpace.picture.rawValue),
                    "ttl": .number(Self.ttl), "items": .array(items),
                ], timeout: 2)
        }
    }

    /// Divides words into lines, at spaces.
    private static func wrapped(_ words: String) -> [String] {
        var lines = [""]
        for word in words.split(separator: " ") {
            if lines[lines.count - 1].count + word.count >= columns { lines.append("") }
            lines[lines.count - 1] += lines[lines.count - 1].isEmpty ? word : " " + word
        }
        return lines.prefix(Self.lines).map { String($0.prefix(columns)) }
    }

    /// Shows the words for a while.
    func hold(for time: Seconds, isStopped: () -> Bool) {
        let end = cposix_monotonic_now() + time
        while cposix_monotonic_now() < end, !isStopped() {
            refresh()
            Self.pause(Self.step)
        }
    }

    /// Turns the head until the place is out of the picture, or until the time is over.
    func lookAway(from place: PanTilt, within time: Seconds, isStopped: () -> Bool) {
        let target = PanTilt(pan: place.pan > 0 ? place.pan - Self.away : place.pan + Self.away, tilt: 0)
        guard
            (try? client.call("setOrientation", ["pan": .number(target.pan), "tilt": .number(target.tilt)])) != nil
        else { return }
        let end = cposix_monotonic_now() + time
        while cposix_monotonic_now() < end, !isStopped() {
            refresh()
            let pose = (try? client.call("status"))?["motion"]?["position"]?.panTilt
            if let pose, (pose - target).magnitude < Self.near { return }
            Self.pause(Self.step)
        }
    }

    private static func pause(_ time: Seconds) { usleep(UInt32(time * 1e6)) }
}
