internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// The handshake of a WebSocket (RFC 6455, section 4), on a channel that has its first handlers.
struct WebSocketUpgrade: Sendable {
    typealias AsyncChannel = NIOAsyncChannel<WebSocketEvent, Never>

    let address: ServerAddress
    let options: WebSocketOptions
    let record: EndingRecord
    let turn: SendTurn
    let userAgent: String

    private struct NoUpgrade: Error {}

    /// Sends the request. The future fails if the server does not agree.
    func begin(_ channel: any Channel, _ watcher: HandshakeWatcher) throws -> EventLoopFuture<AsyncChannel> {
        let upgrader = NIOTypedWebSocketClientUpgrader<AsyncChannel>(
            maxFrameSize: options.largestMessage, enableAutomaticErrorHandling: false
        ) { [options, record, turn] channel, _ in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    WebSocketHandler(options, record, turn, Self.meter(of: channel)))
                let strategy = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
                    lowWatermark: max(1, options.mostWaiting / 4), highWatermark: max(2, options.mostWaiting))
                return try AsyncChannel(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(backPressureStrategy: strategy, outboundType: Never.self))
            }
        }
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                upgradeRequestHead: head, upgraders: [upgrader],
                notUpgradingCompletionHandler: { $0.eventLoop.makeFailedFuture(NoUpgrade()) }))
        // The first message of the server often arrives in one packet with its agreement.
        configuration.leftOverBytesStrategy = .forwardBytes
        configuration.decoderConfiguration = .ofSmallAnswers
        let future = try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: configuration)
        let handler = try channel.pipeline.syncOperations.handler(
            type: NIOTypedHTTPClientUpgradeHandler<AsyncChannel>.self)
        try channel.pipeline.syncOperations.addHandler(AnswerWatcher(watcher), position: .before(handler))
        return future
    }

    private static func meter(of channel: any Channel) throws -> ByteMeter {
        try channel.pipeline.syncOperations.handler(type: ByteMeter.self)
    }

    /// The request offers no extension: one server stores compressed bytes if a ping interrupts a compressed message.
    private var head: HTTPRequestHead {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: address.path)
        head.headers = ["Host": address.hostHeader, "User-Agent": userAgent]
        return head
    }
}

/// Notes the status of the server's answer, and lets it pass.
private final class AnswerWatcher: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private struct Uninvited: Error {}

    private let watcher: HandshakeWatcher
    private var isDone = false

    init(_ watcher: HandshakeWatcher) { self.watcher = watcher }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // After the first part the bytes may be frames.
        guard !isDone, case .head(let head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        isDone = true
        watcher.answered(head)
        guard !head.headers.contains(name: "Sec-WebSocket-Extensions") else {
            return context.fireErrorCaught(Uninvited())
        }
        context.fireChannelRead(data)
    }
}
