import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

@testable import Networking

/// A WebSocket server that behaves like either of AllSpark's, and as badly as a test wants.
final class TestServer: Sendable {
    struct Behaviour: Sendable {
        enum Variant: Sendable { case python, node }

        var variant = Variant.python
        var identity: TestCertificates.Identity?
        /// The first message, or nil for none.
        var greeting: String? = #"{"type":"clientConfig","config":{"videoFormat":"mp4","audioFormat":"wav"}}"#
        /// The agreement and the greeting leave in one packet.
        var isInOnePacket = false
        /// Whether messages are answered at all, and whether files are refused.
        var answers = true, refuses = false
        /// How often a ping is sent. A client that has not answered by the next one is cut, as the Node server does.
        var pingEvery: TimeAmount?
        /// Whether pings of the client are answered.
        var pongs = true
        /// A file of more bytes ends with 1009.
        var largestFile = Int.max
        /// The first file breaks off after so many bytes.
        var tearsAt: Int?
        /// How often at most 16 KiB are read, for a slow network.
        var readEvery: TimeAmount?
        /// Frames that follow the greeting, as they are.
        var frames: [WebSocketFrame] = []
        /// Whether the content of files is kept, or only counted.
        var keepsFiles = true
        /// The answer to a request for a WebSocket, instead of an agreement.
        var status: HTTPResponseStatus?
    }

    /// What the server has seen.
    struct Seen: Sendable {
        var connections = 0, pongs = 0, cuts = 0
        var texts: [String] = []
        var files: [String: [UInt8]] = [:]
        /// The sizes of the frames of files.
        var fragments: [Int] = []
        var closes: [UInt16] = []
        var hasTorn = false
        /// The lines of the request.
        var headers: [(String, String)] = []
    }

    let port: Int
    private let channel: any Channel
    private let state: SeenBox

    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    init(_ behaviour: Behaviour = Behaviour()) async throws {
        let state = SeenBox()
        let tls = try behaviour.identity.map { try NIOSSLContext(configuration: $0.makeConfiguration()) }
        channel = try await ServerBootstrap(group: Self.group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: behaviour.readEvery == nil)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16_384))
            .childChannelOption(.maxMessagesPerRead, value: UInt(behaviour.readEvery == nil ? 4 : 1))
            .serverChannelOption(.socketOption(.so_rcvbuf), value: behaviour.readEvery == nil ? 262_144 : 32_768)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try Self.build(channel, behaviour, state, tls)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.state = state
        port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    var seen: Seen { state.value.withLock { $0 } }

    /// Waits until what the server has seen is this.
    func wait(until isRight: (Seen) -> Bool) async throws {
        while !isRight(seen) { try await Task.sleep(for: .milliseconds(5)) }
    }

    private static func build(
        _ channel: any Channel, _ behaviour: Behaviour, _ state: SeenBox, _ tls: NIOSSLContext?
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        if behaviour.isInOnePacket { try pipeline.addHandler(FlushGate()) }
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: 1 << 24, automaticErrorHandling: false,
            shouldUpgrade: { channel, head in
                state.value.withLock { $0.headers = head.headers.map { ($0.name, $0.value) } }
                return channel.eventLoop.makeSucceededFuture(behaviour.status == nil ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(TestServerHandler(behaviour, state))
                }
            })
        try pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { context in
                    context.pipeline.syncOperations.removeHandler(name: "page", promise: nil)
                }
            ))
        try pipeline.addHandler(PageHandler(behaviour), name: "page")
        if let period = behaviour.readEvery {
            let reading = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: period) { _ in
                channel.read()
            }
            channel.closeFuture.whenComplete { _ in reading.cancel() }
        }
    }
}

/// What the server has seen, behind a lock.
final class SeenBox: Sendable {
    let value = Mutex(TestServer.Seen())
}

/// Holds all flushes until one is released, so that several writes become one packet. The writer believes that its
/// bytes have left, because the next step of the agreement waits for that.
final class FlushGate: ChannelOutboundHandler {
    struct Release: Sendable {}

    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var isOpen = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOpen else { return context.write(data, promise: promise) }
        context.write(data, promise: nil)
        promise?.succeed()
    }

    func flush(context: ChannelHandlerContext) { if isOpen { context.flush() } }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is Release else { return context.triggerUserOutboundEvent(event, promise: promise) }
        isOpen = true
        context.flush()
        promise?.succeed()
    }
}

/// Answers what is no request for a WebSocket.
private final class PageHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let behaviour: TestServer.Behaviour

    init(_ behaviour: TestServer.Behaviour) { self.behaviour = behaviour }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        let time = behaviour.variant == .python ? "1795788303.2" : #""2026-11-27T14:05:03Z""#
        let body = head.uri == "/api/health" ? #"{"status":"ok","timestamp":\#(time),"uptime":3}"# : "no such page"
        let status = behaviour.status ?? (head.uri == "/api/health" ? .ok : .notFound)
        let headers: HTTPHeaders = ["Content-Length": "\(body.utf8.count)"]
        context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.triggerUserOutboundEvent(FlushGate.Release(), promise: nil)
    }
}
