public import DockTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket
internal import Synchronization

/// A server for WebSockets and a few pages.
public final class WebSocketServer: Sendable {
    /// A connection that a client has opened.
    public struct Visit: Sendable {
        /// The path of the request, with its query.
        public let path: String
        /// The client's numeric address.
        public let address: String
        /// The connection.
        public let connection: WebSocketConnection
    }

    /// The port at which it listens.
    public let port: Int
    private let inbound: NIOAsyncChannel<EventLoopFuture<Arrival>, Never>
    private let options: WebSocketOptions

    private typealias Socket = NIOAsyncChannel<WebSocketEvent, Never>

    /// What a connection has become.
    private enum Arrival: Sendable {
        case visit(Socket, path: String, record: EndingRecord, turn: SendTurn)
        /// A page was asked for, and answered.
        case page
    }

    /// Begins to listen.
    /// - Parameters:
    ///   - accepts: whether a WebSocket is opened at a path. It is called on the network's thread.
    ///   - page: returns the page at a path for a client's address, or nil if there is none. It is called on the
    ///     network's thread.
    /// - Throws: `portBusy`, `permission`, `cannotOpen`, `configuration`.
    public init(
        _ plan: ServerPlan, accepts: @escaping @Sendable (String) -> Bool,
        page: @escaping @Sendable (String, String) -> ServedPage?
    ) async throws(DockError) {
        let tls: NIOSSLContext? = if let identity = plan.identity { try identity.context() } else { nil }
        let places = Places(plan)
        let bootstrap = ServerBootstrap(group: NetworkLoop.shared)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 64)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        do {
            inbound = try await bootstrap.bind(host: plan.host, port: plan.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try Self.build(channel, plan, tls, places, accepts, page)
                }
            }
        } catch {
            throw ListenWords.failure(error, host: plan.host, port: plan.port)
        }
        (port, options) = (inbound.channel.localAddress?.port ?? plan.port, plan.options)
    }

    /// Serves until the task is cancelled. Each visit has a task of its own, and the connection ends when `body` returns.
    public func run(_ body: @escaping @Sendable (Visit) async -> Void) async {
        let options = options
        try? await inbound.executeThenClose { arrivals in
            try await withThrowingDiscardingTaskGroup { group in
                for try await arrival in arrivals {
                    group.addTask { await Self.receive(arrival, options, body) }
                }
                group.cancelAll()
            }
        }
    }

    private static func receive(
        _ arrival: EventLoopFuture<Arrival>, _ options: WebSocketOptions,
        _ body: @Sendable (Visit) async -> Void
    ) async {
        // A client that never completes its request must not hold up the end of the server.
        let arrived = try? await AbandonableResult.wait(
            on: NetworkLoop.shared,
            discard: {
                if case .visit(let socket, _, _, _) = $0 { Task { try? await socket.executeThenClose { _ in } } }
            },
            { arrival })
        guard case .visit(let socket, let path, let record, let turn)? = arrived else { return }
        let address = socket.channel.remoteAddress?.ipAddress ?? "?"
        try? await socket.executeThenClose { inbound in
            let connection = WebSocketConnection(
                socket.channel, inbound, options, record, turn, certificate: nil, role: .server)
            await withTaskCancellationHandler {
                await body(Visit(path: path, address: address, connection: connection))
            } onCancel: {
                // What is being sent to a client that does not read would hold it up, too.
                Task { await connection.close(code: 1001) }
            }
            await connection.close(code: Task.isCancelled ? 1001 : 1000)
        }
    }

    // MARK: one connection

    private static func build(
        _ channel: any Channel, _ plan: ServerPlan, _ tls: NIOSSLContext?, _ places: Places,
        _ accepts: @escaping @Sendable (String) -> Bool, _ page: @escaping @Sendable (String, String) -> ServedPage?
    ) throws -> EventLoopFuture<Arrival> {
        let address = channel.remoteAddress?.ipAddress ?? ""
        guard let place = places.admit(address, channel) else {
            // It can be closed only after it has been registered.
            channel.eventLoop.execute { channel.close(promise: nil) }
            return channel.eventLoop.makeSucceededFuture(.page)
        }
        let pipeline = channel.pipeline.syncOperations, meter = ByteMeter(), origins = plan.origins
        try pipeline.addHandler(meter)
        if let tls {
            try pipeline.addHandler(PlainAnswer(tls, servesPlain: plan.plainClients.include(channel.remoteAddress)))
        }
        let options = plan.options
        let record = EndingRecord(channel.remoteAddress?.ipAddress ?? "a client"), turn = SendTurn()
        let upgrader = NIOTypedWebSocketServerUpgrader<Arrival>(
            maxFrameSize: min(options.largestMessage, options.largestFrame), enableAutomaticErrorHandling: false,
            shouldUpgrade: { channel, head in
                let isWelcome =
                    accepts(head.uri) && head.headers["Origin"].allSatisfy(origins.contains) && place.open()
                // The library would leave the connection open and without an answer.
                if !isWelcome { channel.close(promise: nil) }
                return channel.eventLoop.makeSucceededFuture(isWelcome ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    let meter = try channel.pipeline.syncOperations.handler(type: ByteMeter.self)
                    try channel.pipeline.syncOperations.addHandler(
                        WebSocketHandler(options, record, turn, meter, role: .server))
                    let strategy = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
                        lowWatermark: max(1, options.mostWaiting / 4), highWatermark: max(2, options.mostWaiting))
                    let socket = try Socket(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(backPressureStrategy: strategy, outboundType: Never.self))
                    return .visit(socket, path: head.uri, record: record, turn: turn)
                }
            })
        var configuration = NIOUpgradableHTTPServerPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(PageHandler(page, address))
                        return .page
                    }
                }))
        configuration.decoderConfiguration = .ofSmallAnswers
        let arrival = try pipeline.configureUpgradableHTTPServerPipeline(configuration: configuration)
        // A client that never completes its request must not keep a place.
        let limit = channel.eventLoop.scheduleTask(in: .duration(options.handshakeLimit)) {
            channel.close(promise: nil)
        }
        arrival.whenComplete { result in
            switch result {
            case .success(.visit): limit.cancel()
            // A page has the rest of the time.
            case .success(.page): break
            case .failure: channel.close(promise: nil)
            }
        }
        channel.closeFuture.whenComplete { _ in limit.cancel() }
        return arrival
    }
}

/// Bounds the connections: those that are open, and those that have not completed their request.
private final class Places: Sendable {
    private struct Taken {
        var open = 0
        var arriving: [String: Int] = [:]
    }

    private let plan: ServerPlan
    private let taken = Mutex(Taken())

    init(_ plan: ServerPlan) { self.plan = plan }

    /// The place of one connection, which it keeps until it ends.
    final class Place: Sendable {
        private let places: Places
        private let address: String
        private let isOpen = Mutex(false)

        fileprivate init(_ places: Places, _ address: String) { (self.places, self.address) = (places, address) }

        /// Becomes an open connection. Returns whether there is room for one.
        func open() -> Bool {
            isOpen.withLock { isOpen in
                guard !isOpen, places.open(address) else { return false }
                isOpen = true
                return true
            }
        }

        fileprivate func end() { places.end(address, wasOpen: isOpen.withLock { $0 }) }
    }

    /// Returns a place for a connection that arrives, or nil.
    func admit(_ address: String, _ channel: any Channel) -> Place? {
        let hasTaken = taken.withLock { taken in
            let all = taken.arriving.values.reduce(0, +), own = taken.arriving[address] ?? 0
            guard all < plan.mostArriving, own < plan.mostArrivingOfOne else { return false }
            taken.arriving[address] = own + 1
            return true
        }
        guard hasTaken else { return nil }
        let place = Place(self, address)
        channel.closeFuture.whenComplete { _ in place.end() }
        return place
    }

    private func open(_ address: String) -> Bool {
        taken.withLock { taken in
            guard taken.open < plan.mostConnections else { return false }
            taken.open += 1
            Self.leave(address, &taken)
            return true
        }
    }

    private func end(_ address: String, wasOpen: Bool) {
        taken.withLock { taken in
            if wasOpen { taken.open -= 1 } else { Self.leave(address, &taken) }
        }
    }

    private static func leave(_ address: String, _ taken: inout Taken) {
        let rest = (taken.arriving[address] ?? 1) - 1
        taken.arriving[address] = rest > 0 ? rest : nil
    }
}

/// Answers requests for pages, one on each connection.
private final class PageHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let page: @Sendable (String, String) -> ServedPage?
    private let address: String
    private var isDone = false

    init(_ page: @escaping @Sendable (String, String) -> ServedPage?, _ address: String) {
        (self.page, self.address) = (page, address)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone, case .head(let head) = unwrapInboundIn(data) else { return }
        isDone = true
        let found = head.method == .GET ? page(head.uri, address) : nil
        let answer = found ?? ServedPage(text: head.method == .GET ? "no such page\n" : "only GET is answered\n")
        let status: HTTPResponseStatus = found != nil ? .ok : head.method == .GET ? .notFound : .methodNotAllowed
        let headers: HTTPHeaders = [
            "Content-Type": answer.type, "Content-Length": "\(answer.body.count)", "Connection": "close",
            "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        ]
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
