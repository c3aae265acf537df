internal import ControlProtocol
internal import DockClient
internal import DockTypes
internal import ExtensionKit
internal import Glibc
internal import Networking
internal import Teleop

/// The work of the program: the senders, the daemon's news, and what is due.
struct TeleopWork: Sendable {
    let configuration: TeleopConfiguration
    /// Whether the commands come from standard input.
    let readsInput: Bool
    /// Whether it only writes what it would do.
    let isDry: Bool

    init(_ configuration: TeleopConfiguration, readsInput: Bool, isDry: Bool) {
        (self.configuration, self.readsInput, self.isDry) = (configuration, readsInput, isDry)
    }

    /// Runs until the task is cancelled, or until standard input ends.
    func run(_ session: ExtensionSession) async throws {
        let (host, port) = try configuration.place()
        // A port that is taken is known before anything else begins.
        let server = readsInput ? nil : try await ByteServer(host: host, port: port)
        if let server { announce("\(host):\(server.port)", session) }
        let dock = isDry ? nil : try await session.connect()
        let desk = TeleopDesk(configuration.settings, dock: dock, log: session.log)
        session.report(.ready, readsInput ? "standard input" : "\(host):\(server?.port ?? port)")
        try await withThrowingTaskGroup { group in
            group.addTask { await desk.work() }
            group.addTask { await beat(desk, session) }
            if let dock { try follow(dock, desk, &group) }
            // The senders last: the first task that ends, ends the others.
            if let server {
                group.addTask { await serve(server, desk) }
            } else {
                group.addTask { await read(desk) }
            }
            try await group.next()
            group.cancelAll()
        }
        await desk.finish()
        try Task.checkCancellation()
    }

    private func announce(_ place: String, _ session: ExtensionSession) {
        session.log.note("waiting for a sender at \(place) until Ctrl-C" + (isDry ? " (dry run)" : ""))
        guard !configuration.isLocal, configuration.allowed.isEmpty else { return }
        session.log.warning(
            "every machine that reaches this port can turn the head: name the senders with --allow ADDRESS")
    }

    private func serve(_ server: ByteServer, _ desk: TeleopDesk) async {
        let senders = SenderPlaces(configuration.allowed)
        await server.run { connection in
            guard let number = senders.enter(connection) else {
                return await desk.turnAway(connection.address)
            }
            await desk.arrived(number, connection.address)
            for await bytes in connection.chunks { await desk.feed(bytes, from: number) }
            await desk.left(number, connection.address)
            senders.leave(number)
        }
    }

    private func read(_ desk: TeleopDesk) async {
        await desk.arrived(0, "standard input")
        while !Task.isCancelled, let bytes = await InputBytes.next() { await desk.feed(bytes, from: 0) }
        await desk.left(0, "standard input")
        // What was begun is held before the program ends.
        try? await Task.sleep(for: .milliseconds(50))
    }

    private func beat(_ desk: TeleopDesk, _ session: ExtensionSession) async {
        repeat {
            session.beat()
            await desk.complain()
        } while (try? await Task.sleep(for: .seconds(1))) != nil
    }

    private func follow(_ dock: Dock, _ desk: TeleopDesk, _ group: inout ThrowingTaskGroup<Void, any Error>) throws {
        let motion = try dock.updates(.motion)
        group.addTask {
            for await update in motion { await desk.learn(update.value) }
        }
        group.addTask {
            for await change in dock.connections {
                if case .connected = change {} else { await desk.lost() }
            }
        }
    }
}
