internal import ControlProtocol
internal import DockTypes
internal import Processes

/// The registration of one listener, which ends with it.
final class ListenerPlace: Sendable {
    private weak let core: DockCore?
    private let topic: Topic
    private let everyFrame: Bool
    private let number = Locked<Int?>(nil)

    init(core: DockCore, topic: Topic, everyFrame: Bool) {
        (self.core, self.topic, self.everyFrame) = (core, topic, everyFrame)
    }

    func add(_ listener: any TopicListener) throws(DockError) {
        guard let core else { return }
        let new = try core.add(listener, everyFrame: everyFrame)
        number.withLock { $0 = new }
    }

    func leave() {
        guard let core, let old = number.withLock({ $0 }) else { return }
        core.remove(listener: old, of: topic, everyFrame: everyFrame)
    }
}
