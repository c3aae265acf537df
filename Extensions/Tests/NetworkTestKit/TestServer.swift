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
private final class FlushGate: ChannelOutboundHandler {
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

/// One connection.
private final class TestServerHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let behaviour: TestServer.Behaviour
    private let state: SeenBox
    private var opcode: WebSocketOpcode?
    private var bytes: [UInt8] = []
    private var count = 0
    private var file: String?
    private var hasPong = true
    private var pings: Scheduled<Void>?

    init(_ behaviour: TestServer.Behaviour, _ state: SeenBox) { (self.behaviour, self.state) = (behaviour, state) }

    private func note(_ change: (inout TestServer.Seen) -> Void) { state.value.withLock { change(&$0) } }

    func handlerAdded(context: ChannelHandlerContext) {
        note { $0.connections += 1 }
        if let greeting = behaviour.greeting { send(greeting, context) }
        for frame in behaviour.frames { context.writeAndFlush(wrapOutboundOut(frame), promise: nil) }
        context.triggerUserOutboundEvent(FlushGate.Release(), promise: nil)
        if let period = behaviour.pingEvery {
            schedulePing(period, context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { pings?.cancel() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func schedulePing(_ period: TimeAmount, _ context: ChannelHandlerContext) {
        pings = context.eventLoop.assumeIsolated().scheduleTask(in: period) {
            self.ping(context)
            self.schedulePing(period, context)
        }
    }

    private func ping(_ context: ChannelHandlerContext) {
        guard hasPong else {
            note { $0.cuts += 1 }
            return context.close(promise: nil)
        }
        hasPong = false
        context.writeAndFlush(
            wrapOutboundOut(.init(fin: true, opcode: .ping, data: ByteBuffer(string: "?"))), promise: nil)
    }

    private func send(_ text: String, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    private func close(_ code: UInt16, _ context: ChannelHandlerContext) {
        var data = ByteBuffer(integer: code)
        data.writeString("too large")
        context.writeAndFlush(wrapOutboundOut(.init(fin: true, opcode: .connectionClose, data: data)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard frame.maskKey != nil else { return context.close(promise: nil) }
        switch frame.opcode {
        case .ping:
            if behaviour.pongs {
                context.writeAndFlush(
                    wrapOutboundOut(.init(fin: true, opcode: .pong, data: frame.unmaskedData)), promise: nil)
            }
        case .pong:
            hasPong = true
            note { $0.pongs += 1 }
        case .connectionClose:
            var content = frame.unmaskedData
            let code = content.readInteger(as: UInt16.self) ?? 0
            note { $0.closes.append(code) }
            context.writeAndFlush(
                wrapOutboundOut(.init(fin: true, opcode: .connectionClose, data: ByteBuffer(integer: code))),
                promise: nil)
            context.close(promise: nil)
        default: take(frame, context)
        }
    }

    private func take(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        if frame.opcode != .continuation { (opcode, bytes, count) = (frame.opcode, [], 0) }
        let isFile = opcode == .binary
        count += frame.length
        if isFile { note { $0.fragments.append(frame.length) } }
        if !isFile || behaviour.keepsFiles { bytes += frame.unmaskedData.readableBytesView }
        if isFile, let limit = behaviour.tearsAt, count >= limit, !state.value.withLock({ $0.hasTorn }) {
            note { $0.hasTorn = true }
            return context.close(promise: nil)
        }
        if isFile, count > behaviour.largestFile { return close(1009, context) }
        guard frame.fin else { return }
        if isFile { takeFile(context) } else { take(String(decoding: bytes, as: UTF8.self), context) }
    }

    private func answer(_ isSuccess: Bool, _ python: String, _ node: String, _ context: ChannelHandlerContext) {
        guard behaviour.answers else { return }
        let words = behaviour.variant == .python ? python : node
        send(#"{"status":"\#(isSuccess ? "success" : "error")","message":"\#(words)"}"#, context)
    }

    private func take(_ text: String, _ context: ChannelHandlerContext) {
        note { $0.texts.append(text) }
        guard let members = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            return answer(false, "Invalid JSON", "Invalid JSON format", context)
        }
        switch members["type"] as? String {
        case "clientInfo": break
        case "chunkSaved": answer(true, "Chunk saved info received", "Chunk saved", context)
        case "test": answer(true, "Test message received", "Test message received", context)
        case "upload":
            file = members["filename"] as? String
            // Python opens the file now, and later misses its metadata.
            if behaviour.refuses {
                file = nil
                answer(false, "Failed to write file", "Failed to write file", context)
            }
        default:
            answer(
                false, "Unknown message type",
                "Invalid message format. Expected type: 'upload', 'test', or 'chunkSaved'",
                context)
        }
    }

    private func takeFile(_ context: ChannelHandlerContext) {
        guard let name = file else {
            return answer(
                false, "Metadata not received yet", "Metadata not received yet. Please send metadata first.", context)
        }
        file = nil
        let content = bytes
        note { $0.files[name] = content }
        answer(true, "Video uploaded successfully", "File uploaded successfully", context)
    }
}
