import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

@testable import Networking

/// One connection.
final class TestServerHandler: ChannelInboundHandler {
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
        default: receive(frame, context)
        }
    }

    private func receive(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
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
        if isFile { receiveFile(context) } else { receive(String(decoding: bytes, as: UTF8.self), context) }
    }

    private func answer(_ isSuccess: Bool, _ python: String, _ node: String, _ context: ChannelHandlerContext) {
        guard behaviour.answers else { return }
        let words = behaviour.variant == .python ? python : node
        send(#"{"status":"\#(isSuccess ? "success" : "error")","message":"\#(words)"}"#, context)
    }

    private func receive(_ text: String, _ context: ChannelHandlerContext) {
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

    private func receiveFile(_ context: ChannelHandlerContext) {
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
