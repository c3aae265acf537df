internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// Makes connections: name, TCP, and the first two handlers. What follows them is the caller's.
struct Dialer: Sendable {
    let plan: TransportPlan
    /// How long a connection and its handshake may take, each.
    let limit: Double

    /// How many bytes may wait in the kernel without being sent.
    var unsent = WebSocketOptions().unsent

    /// The option TCP_NOTSENT_LOWAT (tcp(7)).
    private static let lowWater = NIOBSDSocket.Option(rawValue: 25)

    /// Connects. The channel does not read yet.
    /// - Throws: `TransportFailure`, `CancellationError`.
    func connect() async throws -> any Channel {
        let loop = NetworkLoop.shared
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(.duration(limit))
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(
                ChannelOptions.Types.SocketOption(level: .tcp, name: Self.lowWater),
                value: SocketOptionValue(clamping: unsent))
        let host = plan.numericHost ?? plan.address.host, port = plan.address.port
        do {
            return try await AbandonableResult.wait(on: loop, discard: { $0.close(promise: nil) }) {
                bootstrap.connect(host: host, port: port)
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw ConnectWords(plan: plan).failure(error)
        }
    }

    /// Adds the meter, TLS and the watcher to a channel, then what `build` adds, and begins to read. It waits for the
    /// future that `build` returns.
    /// - Throws: `TransportFailure`, `CancellationError`. The channel is closed then.
    func open<Value: Sendable>(
        _ channel: any Channel, isProbe: Bool = false,
        _ build: @escaping @Sendable (any Channel, HandshakeWatcher) throws -> EventLoopFuture<Value>
    ) async throws -> Opened<Value> {
        let plan = plan, limit = limit
        let outcome = channel.eventLoop.flatSubmit { () -> EventLoopFuture<Outcome<Value>> in
            let meter = ByteMeter()
            do {
                let tls =
                    try isProbe
                    ? TransportTrust.makeProbe(for: plan.address) : plan.trust.makeHandler(for: plan.address)
                let watcher = HandshakeWatcher(meter, tls)
                try channel.pipeline.syncOperations.addHandler(meter)
                if let tls { try channel.pipeline.syncOperations.addHandler(tls) }
                try channel.pipeline.syncOperations.addHandler(watcher)
                watcher.limit(to: .duration(limit), on: channel)
                let future = try build(channel, watcher)
                channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
                return future.assumeIsolated().map { value in
                    watcher.finish()
                    return .opened(Opened(value: value, certificate: watcher.certificate))
                }.flatMapErrorThrowing { error in
                    watcher.finish()
                    channel.close(promise: nil)
                    return .failed(watcher.seen, String(describing: error))
                }.nonisolated()
            } catch {
                channel.close(promise: nil)
                let failure = TransportFailure(
                    .tlsFailed, "TLS with \(plan.address.text) cannot begin (\(error))", hint: "check the host name")
                return channel.eventLoop.makeFailedFuture(failure)
            }
        }
        let result: Outcome<Value>
        do {
            result = try await withTaskCancellationHandler {
                try await outcome.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch let failure as TransportFailure {
            throw failure
        } catch {
            result = .failed(HandshakeTrace(), String(describing: error))
        }
        return try unpack(result, channel)
    }

    private func unpack<Value: Sendable>(_ outcome: Outcome<Value>, _ channel: any Channel) throws -> Opened<Value> {
        if Task.isCancelled {
            channel.close(promise: nil)
            throw CancellationError()
        }
        switch outcome {
        case .opened(let opened): return opened
        case .failed(let trace, let reason):
            throw HandshakeDiagnosis(plan: plan, trace: trace, now: unixTime()).failure(reason)
        }
    }

    /// A usable connection.
    struct Opened<Value: Sendable>: Sendable {
        let value: Value
        let certificate: ServerCertificate?
    }

    private enum Outcome<Value: Sendable>: Sendable {
        case opened(Opened<Value>)
        case failed(HandshakeTrace, String)
    }
}
