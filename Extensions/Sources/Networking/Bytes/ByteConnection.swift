internal import NIOCore

/// An open connection that carries plain bytes, and is only read.
public struct ByteConnection: Sendable {
    /// The numeric address of the other side.
    public let address: String
    /// What arrives. It can be iterated once.
    public let chunks: ByteChunks

    private let channel: any Channel

    init(_ channel: any Channel, _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) {
        (self.channel, address) = (channel, channel.remoteAddress?.ipAddress ?? "?")
        chunks = ByteChunks(inbound)
    }

    /// Ends the connection, from any task.
    public func close() { channel.close(promise: nil) }
}

/// The bytes that arrive on a connection, in pieces of at most 64 KiB. It ends with the connection.
public struct ByteChunks: AsyncSequence, Sendable {
    private let inbound: NIOAsyncChannelInboundStream<ByteBuffer>

    init(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>) { self.inbound = inbound }

    /// Receives the bytes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var inner: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator

        /// Returns the next bytes, or nil at the end of the connection or of the task.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
            guard let buffer = try? await inner.next(isolation: actor) else { return nil }
            return Array(buffer.readableBytesView)
        }
    }

    /// Begins to receive.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(inner: inbound.makeAsyncIterator()) }
}
