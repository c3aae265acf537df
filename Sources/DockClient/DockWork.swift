internal import CPosix
internal import ControlProtocol
internal import DockTypes
internal import Geometry
internal import Glibc
internal import Processes

/// The work of a `Dock`'s thread: it reads and writes the socket, rings for pictures, and connects again.
final class DockWork: PolledWork {
    private let core: DockCore
    private let path: String
    private let reconnects: Bool
    private var channel: LineChannel?
    private var reconnection = Reconnection()
    private var due: Seconds?
    private var bells: [PictureBellWatch] = []

    init(core: DockCore, channel: LineChannel, reconnects: Bool) {
        // The daemon that was found: another one may have answered at another path meanwhile.
        (self.core, path, self.channel, self.reconnects) = (core, channel.path, channel, reconnects)
    }

    func turn() -> Bool {
        if channel == nil, let moment = reconnection.due, cposix_monotonic_now() >= moment { connect() }
        due = core.due()
        flush()
        return true
    }

    var deadline: Seconds? { [due, channel == nil ? reconnection.due : nil].compactMap { $0 }.min() }

    var waits: [pollfd] {
        let events = Int16(POLLIN) | (core.hasOutput ? Int16(POLLOUT) : 0)
        bells = core.bells
        return [pollfd(fd: channel?.socket ?? -1, events: events, revents: 0)]
            + bells.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    }

    func handle(_ waits: [pollfd]) {
        for (bell, wait) in zip(bells, waits.dropFirst()) where wait.revents != 0 { bell.rang() }
        bells = []
        guard let channel, waits[0].revents & ~Int16(POLLOUT) != 0 else { return }
        do throws(DockError) {
            // Lines that came before the end count.
            defer { read(channel) }
            try channel.receive()
        } catch {
            lost(error)
        }
    }

    func end() { channel = nil }

    private func read(_ channel: LineChannel) {
        while self.channel != nil, let line = channel.nextLine() {
            do throws(DockError) {
                try core.receive(line) {
                    channel.takeDescriptors().map { ReceivedDescriptors(memory: $0.0, bell: $0.1) }
                }
            } catch {
                lost(error)
            }
        }
    }

    private func flush() {
        guard let channel else { return }
        do throws(DockError) {
            while case let piece = core.takeOutput(), !piece.isEmpty {
                let count = try channel.write(piece)
                // A stop may have been added meanwhile, behind the line that was just written.
                core.didSend(max(count, 0))
                guard count > 0 else { return }
            }
        } catch {
            lost(error)
        }
    }

    private func lost(_ error: DockError) {
        guard channel != nil else { return }
        channel = nil
        core.end(error, isClosed: !reconnects)
        if reconnects { reconnection.failed(now: cposix_monotonic_now()) }
    }

    private func connect() {
        do throws(DockError) {
            let (new, greeting) = try DockCore.connect(path)
            channel = new
            reconnection.connected()
            core.connected(greeting)
        } catch {
            core.end(error)
            reconnection.failed(now: cposix_monotonic_now())
        }
    }
}

extension DockCore {
    /// Connects, and reads the greeting.
    static func connect(
        _ path: String?, timeout: Seconds = 1
    ) throws(DockError) -> (channel: LineChannel, greeting: ControlGreeting) {
        let (channel, found) = try ControlClient.connect(path, timeout: timeout)
        guard let line = try channel.next(until: cposix_monotonic_now() + timeout) else { throw channel.silence }
        return (channel, try ControlGreeting(line, from: found))
    }
}
