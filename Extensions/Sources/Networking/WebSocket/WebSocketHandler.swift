internal import NIOCore
internal import NIOWebSocket

/// One connection on the network's thread: frames become messages, pings get pongs, and silence ends it.
final class WebSocketHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketEvent
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let options: WebSocketOptions
    private let record: EndingRecord
    private let turn: SendTurn
    private let meter: ByteMeter
    private let role: WebSocketRole
    private var assembler: MessageAssembler
    private var watch: LivenessWatch
    private var alarm: Scheduled<Void>?
    /// The newest ping that could not be answered yet. Older ones need no answer (RFC 6455, 5.5.3).
    private var unansweredPing: ByteBuffer?
    /// Whether a close frame was sent.
    private var isClosing = false

    init(
        _ options: WebSocketOptions, _ record: EndingRecord, _ turn: SendTurn, _ meter: ByteMeter,
        role: WebSocketRole = .client
    ) {
        (self.options, self.record, self.turn, self.meter, self.role) = (options, record, turn, meter, role)
        assembler = MessageAssembler(limit: min(options.firstMessage, options.largestMessage))
        watch = LivenessWatch(
            pingEvery: options.pingEvery, lostAfter: options.lostAfter, now: NIODeadline.now().seconds)
    }

    func handlerAdded(context: ChannelHandlerContext) { setAlarm(context) }

    func handlerRemoved(context: ChannelHandlerContext) { alarm?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: endTooLarge(context)
        case is NIOWebSocketError: violated("a frame that is not allowed", context)
        // The reason of anything else is that the network is gone.
        default: context.close(promise: nil)
        }
    }

    // MARK: reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3, (frame.maskKey != nil) == (role == .server) else {
            return violated("a frame that was not agreed upon", context)
        }
        switch frame.opcode {
        case .text: assemble(.text, frame, context)
        case .binary: assemble(.binary, frame, context)
        case .continuation: assemble(.continuation, frame, context)
        case .ping: answer(frame.unmaskedData, context)
        case .pong: break
        case .connectionClose: closed(frame.unmaskedData, context)
        default: violated("an unknown kind of frame", context)
        }
    }

    private func assemble(_ kind: MessageAssembler.Kind, _ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        let data = frame.unmaskedData
        let outcome = assembler.receive(kind, isLast: frame.fin, count: data.readableBytes) {
            Array(data.readableBytesView)
        }
        switch outcome {
        case .incomplete: break
        case .message(let event): context.fireChannelRead(wrapInboundOut(event))
        case .violation(let what): violated(what, context)
        case .tooLarge: endTooLarge(context)
        }
    }

    // MARK: pings

    private func answer(_ ping: ByteBuffer, _ context: ChannelHandlerContext) {
        unansweredPing = ping
        // A server that sends pings without reading the pongs must not fill the memory.
        if context.channel.isWritable { sendPong(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { sendPong(context) }
        context.fireChannelWritabilityChanged()
    }

    private func sendPong(_ context: ChannelHandlerContext) {
        guard let ping = unansweredPing, !isClosing else { return }
        unansweredPing = nil
        send(.pong, ping, context)
    }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: role.mask, data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    // MARK: time

    private func setAlarm(_ context: ChannelHandlerContext) {
        let wait = max(0.001, watch.deadline - NIODeadline.now().seconds)
        alarm = context.eventLoop.assumeIsolated().scheduleTask(in: .duration(wait)) { self.alarmed(context) }
    }

    private func alarmed(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now().seconds
        watch.heard(at: meter.isReading ? meter.lastByte.seconds : now)
        switch watch.due(now: now) {
        case .none: break
        case .ping: if !isClosing, context.channel.isWritable { send(.ping, ByteBuffer(), context) }
        case .lost:
            record.note(.silent, "was silent for \(options.lostAfter) s", hint: "check the server and the network")
            return context.close(promise: nil)
        }
        setAlarm(context)
    }

    // MARK: writing

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let frame = unwrapOutboundIn(data)
        let isLast = frame.fin, isLarge = frame.length >= options.fragment
        let done = promise ?? context.eventLoop.makePromise()
        done.futureResult.assumeIsolated().whenSuccess {
            // A network that takes a part of a file is there, even if the server's bytes are late.
            if isLarge { self.watch.heard(at: NIODeadline.now().seconds) }
            if isLast { self.sent(context) }
        }
        context.write(data, promise: done)
    }

    /// Tells the program that its message is on its way, in order with the messages that arrive.
    private func sent(_ context: ChannelHandlerContext) {
        // The program can send again as soon as it has the news.
        turn.end()
        context.fireChannelRead(wrapInboundOut(.sent))
        context.fireChannelReadComplete()
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        if let limit = event as? MessageLimit {
            assembler.limit = min(limit.bytes, options.largestMessage)
            promise?.succeed()
            return
        }
        guard let request = event as? CloseRequest else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        beginClose(request.code, request.reason, context)
        promise?.succeed()
    }

    // MARK: ends

    private func violated(_ what: String, _ context: ChannelHandlerContext) {
        record.note(.protocolViolation, "sent \(what)", hint: "check the server")
        beginClose(1002, "", context)
    }

    private func endTooLarge(_ context: ChannelHandlerContext) {
        record.note(.tooLarge, "sent more than \(assembler.limit) bytes at once", hint: "check the server")
        beginClose(1009, "", context)
    }

    private func closed(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        var data = data
        let code = data.readInteger(as: UInt16.self).map { Int($0) }
        let reason = String(decoding: data.readableBytesView, as: UTF8.self)
        let words = reason.isEmpty ? "" : ": \(reason)"
        record.note(
            .closed(code: code), "ended the connection (\(code.map(String.init) ?? "no code"))\(words)",
            hint: "see the server's log")
        if !isClosing { sendClose(code.map { UInt16($0) } ?? 1000, "", context) }
        context.close(promise: nil)
    }

    /// Ends the connection: a close frame, and the server has a moment to answer.
    private func beginClose(_ code: UInt16, _ reason: String, _ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        sendClose(code, reason, context)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: .duration(options.closeLimit)) { channel.close(promise: nil) }
    }

    private func sendClose(_ code: UInt16, _ reason: String, _ context: ChannelHandlerContext) {
        isClosing = true
        var data = context.channel.allocator.buffer(capacity: 125)
        // Other numbers are never sent (RFC 6455, 7.4).
        let isPermitted = (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
        data.writeInteger(isPermitted ? code : 1000)
        data.writeBytes(reason.utf8.prefix(100))
        send(.connectionClose, data, context)
    }
}

/// The program's request to accept messages of another size.
struct MessageLimit: Sendable {
    let bytes: Int
}

/// The program's request to end a connection.
struct CloseRequest: Sendable {
    let code: UInt16
    let reason: String
}
