internal import NIOCore
internal import NIOWebSocket

/// An open WebSocket. One task receives, and one sends.
public final class WebSocketConnection: Sendable {
    /// The server's certificate, or nil without encryption.
    public let certificate: ServerCertificate?
    /// The numeric address of this machine in the connection, or nil if it is not known.
    public var localHost: String? { channel.localAddress?.ipAddress }
    /// What arrives. It can be iterated once. It ends with the connection; `ending` says why.
    public let events: WebSocketEvents

    let channel: any Channel
    private let options: WebSocketOptions
    private let record: EndingRecord
    private let turn: SendTurn
    private let role: WebSocketRole

    init(
        _ channel: any Channel, _ inbound: NIOAsyncChannelInboundStream<WebSocketEvent>,
        _ options: WebSocketOptions, _ record: EndingRecord, _ turn: SendTurn, certificate: ServerCertificate?,
        role: WebSocketRole = .client
    ) {
        (self.channel, self.options, self.record, self.role) = (channel, options, record, role)
        (self.turn, self.certificate) = (turn, certificate)
        events = WebSocketEvents(inbound)
    }

    /// How the connection has ended. While it is open, the value has no meaning.
    public var ending: WebSocketEnding { record.ending }

    // MARK: sending

    /// Sends a text message, in parts of the size that the options permit. The parts leave in groups, because each wait for
    /// the network's thread costs time. If the task is cancelled between two groups, the connection ends, because a message
    /// cannot be taken back.
    /// - Throws: `TransportFailure`: `busy` while another message is being sent, or the reason of the end.
    @concurrent
    public func send(text: [UInt8]) async throws {
        try await exclusively {
            var position = 0, waiting = 0
            let part = max(1, self.options.textPart)
            repeat {
                if position > 0, waiting == 0, Task.isCancelled {
                    self.abort("sent only a part of a message")
                    throw CancellationError()
                }
                let end = text.count - position > part ? position + part : text.count
                var buffer = self.channel.allocator.buffer(capacity: end - position + Self.headerRoom)
                Self.reserveHeader(&buffer)
                buffer.writeBytes(text[position..<end])
                let frame = self.frame(position == 0 ? .text : .continuation, isLast: end == text.count, buffer)
                waiting += end - position
                position = end
                if position == text.count || waiting >= Self.group {
                    try await self.flush(frame)
                    waiting = 0
                } else {
                    // If this fails, the last one of the group fails, too.
                    self.channel.write(frame, promise: nil)
                }
            } while position < text.count
        }
    }

    /// The size of a group of parts, in bytes. A pong waits for the group before it.
    static let group = 65_536

    /// Sends a file as one binary message, in fragments, one at a time. The memory that it needs does not depend on the
    /// size. If it fails or is cancelled, the connection ends, because a message cannot be taken back.
    /// - Parameter progress: called with the number of bytes that are on their way.
    /// - Throws: `TransportFailure`, `CancellationError`.
    @concurrent
    public func send(file: FileSource, progress: @Sendable (Int) -> Void = { _ in }) async throws {
        try await exclusively {
            do {
                try await withTaskCancellationHandler {
                    try await self.sendFragments(of: file, progress)
                } onCancel: {
                    self.channel.close(promise: nil)
                }
            } catch {
                self.abort("sent only a part of a file")
                throw Task.isCancelled ? CancellationError() : error
            }
        }
    }

    private func sendFragments(of file: FileSource, _ progress: @Sendable (Int) -> Void) async throws {
        var position = 0
        repeat {
            try Task.checkCancellation()
            let count = min(max(1, options.fragment), file.size - position)
            var buffer = channel.allocator.buffer(capacity: count + Self.headerRoom)
            Self.reserveHeader(&buffer)
            let start = position
            try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { room in
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]), at: start)
                return count
            }
            position += count
            try await flush(frame(start == 0 ? .binary : .continuation, isLast: position == file.size, buffer))
            progress(position)
        } while position < file.size
    }

    /// The longest header of a frame, which is written in front of the content without a copy.
    private static let headerRoom = 14

    private static func reserveHeader(_ buffer: inout ByteBuffer) {
        buffer.moveWriterIndex(to: headerRoom)
        buffer.moveReaderIndex(to: headerRoom)
    }

    private func frame(_ opcode: WebSocketOpcode, isLast: Bool, _ data: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: isLast, opcode: opcode, maskKey: role.mask, data: data)
    }

    /// Writes a frame behind those that wait, and waits until the network has taken all of them.
    private func flush(_ frame: WebSocketFrame) async throws {
        do {
            try await channel.writeAndFlush(frame).get()
        } catch {
            throw record.failure
        }
    }

    private func exclusively(_ body: () async throws -> Void) async throws {
        guard turn.begin() else {
            throw TransportFailure(.busy, "another message is being sent", hint: "wait for its end")
        }
        do {
            try await body()
        } catch {
            turn.end()
            throw error
        }
    }

    /// Accepts larger messages from now on, up to the limit of the options.
    public func accept(messagesOf bytes: Int) {
        channel.triggerUserOutboundEvent(MessageLimit(bytes: bytes), promise: nil)
    }

    // MARK: end

    /// Ends the connection: the server gets a close frame with this number (1000: done) and reason, and a moment to
    /// answer.
    public func close(code: UInt16 = 1000, reason: String = "") async {
        record.note(.closedHere, "was left", hint: "connect again")
        channel.triggerUserOutboundEvent(CloseRequest(code: code, reason: reason), promise: nil)
        try? await channel.closeFuture.get()
    }

    private func abort(_ reason: String) {
        record.note(.closedHere, "was left: this side \(reason)", hint: "connect again")
        channel.close(promise: nil)
    }
}

/// The events of one connection.
public struct WebSocketEvents: AsyncSequence, Sendable {
    private let inbound: NIOAsyncChannelInboundStream<WebSocketEvent>

    init(_ inbound: NIOAsyncChannelInboundStream<WebSocketEvent>) { self.inbound = inbound }

    /// Receives the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var inner: NIOAsyncChannelInboundStream<WebSocketEvent>.AsyncIterator

        /// Returns the next event, or nil at the end of the connection or of the task.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> WebSocketEvent? {
            try? await inner.next(isolation: actor)
        }
    }

    /// Begins to receive.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(inner: inbound.makeAsyncIterator()) }
}
