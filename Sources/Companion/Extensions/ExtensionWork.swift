internal import CPosix
internal import ControlProtocol
internal import Geometry
internal import Glibc
internal import Processes

/// The work of the thread that runs extensions.
final class ExtensionWork: PolledWork {
    private var children: [ExtensionChild]
    private let inbox: Locked<ExtensionInbox>
    private let listener: ExtensionSupervisor.Listener
    private var reported: [ExtensionReading] = []
    private var turnedAt: Seconds = -.infinity

    /// How long a killed process may take to disappear, in seconds. The system ends the rest with the daemon.
    private static let afterKill: Seconds = 0.5

    init(_ children: [ExtensionChild], inbox: Locked<ExtensionInbox>, listener: ExtensionSupervisor.Listener) {
        (self.children, self.inbox, self.listener) = (children, inbox, listener)
    }

    func turn() -> Bool {
        let now = cposix_monotonic_now()
        turnedAt = now
        let news = inbox.withLock { $0.take() }
        for index in children.indices {
            for item in news { children[index].hear(item, now: now) }
            say(children[index].reap(now: now), of: index)
            say(children[index].turn(now: now), of: index)
        }
        let readings = children.map(\.reading)
        if readings != reported {
            for (old, new) in zip(reported, readings) where new.state != old.state { announce(new) }
            reported = readings
            inbox.withLock { $0.children = readings }
            listener.onChange(readings)
        }
        return children.contains { !$0.isOver }
    }

    /// Logs a change that a person should know. The session logs what an extension reports, and that it is silent.
    private func announce(_ reading: ExtensionReading) {
        guard [.restarting, .failed, .over].contains(reading.state) else { return }
        listener.onLog("extension \(reading.words)", reading.state.isTrouble)
    }

    private func say(_ lines: [String], of index: Int) {
        // Programs on ExtensionKit begin their lines with their name, as they do in other shells.
        let name = children[index].name + ": "
        for line in lines { listener.onLog(line.hasPrefix(name) ? line : name + line, false) }
    }

    var deadline: Seconds? { children.compactMap { $0.deadline(after: turnedAt) }.min() }

    var waits: [pollfd] { children.flatMap { $0.waits(after: turnedAt) } }

    func handle(_ waits: [pollfd]) {
        let now = cposix_monotonic_now()
        for index in children.indices where waits[2 * index].revents != 0 { children[index].read(now: now) }
    }

    /// Ends all of them: they are asked at the same time, and killed if they do not end in time.
    func end() {
        for child in children { child.ask() }
        let deadline = cposix_monotonic_now() + ExtensionTimes.kill
        while true {
            var isOver = true
            for index in children.indices where !children[index].hasEnded() { isOver = false }
            if isOver { return }
            guard cposix_monotonic_now() < deadline else { break }
            poll(nil, 0, 5)
        }
        for child in children where child.isRunning {
            listener.onLog("extension \(child.name) is killed", true)
            child.kill()
        }
        let killed = cposix_monotonic_now() + Self.afterKill
        while children.contains(where: \.isRunning), cposix_monotonic_now() < killed {
            for index in children.indices { _ = children[index].hasEnded() }
            poll(nil, 0, 5)
        }
    }
}
