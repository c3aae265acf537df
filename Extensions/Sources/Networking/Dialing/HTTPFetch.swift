internal import NIOCore
internal import NIOHTTP1

/// One GET of a small text, such as the health of a server.
public struct HTTPFetch: Sendable {
    /// The largest answer, in bytes.
    public static let largest = 65_536

    private let dialer: Dialer

    /// Prepares requests to a server. `limit`: how long the connection and the answer may take, each, in seconds.
    public init(_ plan: TransportPlan, limit: Double = 10) { dialer = Dialer(plan: plan, limit: limit) }

    /// Returns the answer to `GET path`, if its status is 200.
    /// - Throws: `TransportFailure`, `CancellationError`.
    public func body(of path: String) async throws -> [UInt8] {
        let channel = try await dialer.connect()
        let host = dialer.plan.address.hostHeader
        let answer = try await dialer.open(channel) { channel, watcher in
            let promise = channel.eventLoop.makePromise(of: [UInt8].self)
            let decoder = HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: .ofSmallAnswers)
            try channel.pipeline.syncOperations.addHandler(HTTPRequestEncoder())
            try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(decoder))
            try channel.pipeline.syncOperations.addHandler(FetchHandler(path, host, watcher, promise))
            return promise.futureResult
        }
        channel.close(promise: nil)
        return answer.value
    }
}

extension NIOHTTPDecoderLimitConfiguration {
    /// The limits for the head of an answer: one line of 16 KiB, 64 KiB and 100 lines in all.
    static var ofSmallAnswers: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        (limits.maxHeaderFieldSize, limits.maxHeaderListSize, limits.maxHeaderFieldCount) = (16_384, 65_536, 100)
        return limits
    }
}

private final class FetchHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private struct Surplus: Error {}

    private let path: String, host: String
    private let watcher: HandshakeWatcher
    private let promise: EventLoopPromise<[UInt8]>
    private var body: [UInt8] = []

    init(_ path: String, _ host: String, _ watcher: HandshakeWatcher, _ promise: EventLoopPromise<[UInt8]>) {
        (self.path, self.host, self.watcher, self.promise) = (path, host, watcher, promise)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
        head.headers = ["Host": host, "Connection": "close", "Accept": "application/json"]
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head) where head.status == .ok: break
        case .head(let head):
            watcher.answered(head)
            promise.fail(Surplus())
        case .body(let part):
            guard body.count + part.readableBytes <= HTTPFetch.largest else { return promise.fail(Surplus()) }
            body += part.readableBytesView
        case .end: promise.succeed(body)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { promise.fail(error) }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
