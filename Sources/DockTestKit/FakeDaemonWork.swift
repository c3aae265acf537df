internal import Geometry
internal import Glibc
internal import Processes

/// The thread of a fake daemon: it accepts, reads and answers.
final class FakeDaemonWork: PolledWork {
    private let hub: FakeHub
    private var numbers: [Int] = []

    init(_ hub: FakeHub) { self.hub = hub }

    func turn() -> Bool { true }

    var deadline: Seconds? { nil }

    var waits: [pollfd] {
        let (listener, connections) = hub.waits()
        numbers = connections.map(\.number)
        return [listener] + connections.map(\.wait)
    }

    func handle(_ waits: [pollfd]) {
        if waits[0].revents != 0 { hub.accept() }
        for (number, wait) in zip(numbers, waits.dropFirst()) where wait.revents != 0 {
            if wait.revents & Int16(POLLOUT) != 0 { hub.flush(number) }
            guard wait.revents & ~Int16(POLLOUT) != 0 else { continue }
            for request in hub.read(number) {
                let steps = hub.steps(for: request)
                // Who has its answer finds it in the log, and who waits for it finds it answered.
                let wake = hub.log.add(request)
                hub.change { $0.reply(steps, to: request) }
                wake()
            }
        }
    }

    func end() { hub.end() }
}
