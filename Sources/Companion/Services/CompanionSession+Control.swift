internal import CPosix
internal import DockControl
internal import Geometry
internal import Synchronization

/// The session as programs see it.
extension CompanionSession {
    func openControlServer() throws -> ControlServer? { nil }

    func takeCall(_ line: String) {}

    func publish(_ update: SessionUpdate) { hub.tell(update) }

    /// Listens to topics; the newest states come at once. Returns what ends it.
    func listen(
        to topics: Set<Topic>, onUpdate: @escaping @Sendable (SessionUpdate) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) -> Int? {
        let number = hub.add(topics, onUpdate: onUpdate, onEnd: onEnd)
        audienceChanged()
        let status = self.status
        for topic in Topic.allCases where topics.contains(topic) && topic.isState { onUpdate(.state(topic, status)) }
        return number
    }

    func stopListening(_ number: Int) {
        hub.remove(number)
        audienceChanged()
    }

    /// Everything that is known now.
    var status: SessionStatus {
        let now = cposix_monotonic_now()
        return state.withLock { $0.status(now: now) }
    }

    private func audienceChanged() { send(.audience(hub.audience)) }
}

final class ControlServer { func stop() {} }
