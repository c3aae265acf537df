public import DockTypes
internal import NIOCore
internal import NIOPosix

/// A server for connections that carry plain bytes, without encryption, in one direction: it never answers.
public final class ByteServer: Sendable {
    /// The largest piece that is read at once, in bytes, and the most pieces of a connection that wait. A connection
    /// whose pieces are not taken is not read, and its sender has to wait.
    static let piece = 65_536, mostWaiting = 4

    /// The port at which it listens.
    public let port: Int
    private let inbound: NIOAsyncChannel<Socket, Never>

    private typealias Socket = NIOAsyncChannel<ByteBuffer, Never>

    /// Begins to listen.
    /// - Parameters:
    ///   - host: the numeric address or the name to listen on.
    ///   - port: the port; 0 for any free one.
    /// - Throws: `portBusy`, `permission`, `cannotOpen`.
    public init(host: String, port: Int) async throws(DockError) {
        let bootstrap = ServerBootstrap(group: NetworkLoop.shared)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 64)
            // A sender that lost its power is noticed at some time.
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: Self.piece, maximum: Self.piece))
        do {
            inbound = try await bootstrap.bind(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let strategy = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
                        lowWatermark: 1, highWatermark: Self.mostWaiting)
                    return try Socket(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(backPressureStrategy: strategy, outboundType: Never.self))
                }
            }
        } catch {
            throw ListenWords.failure(error, host: host, port: port)
        }
        self.port = inbound.channel.localAddress?.port ?? port
    }

    /// Serves until the task is cancelled. Each connection has a task of its own, and ends when `body` returns. `body`
    /// decides how many there are: it returns at once for one that is too many.
    public func run(_ body: @escaping @Sendable (ByteConnection) async -> Void) async {
        try? await inbound.executeThenClose { sockets in
            try await withThrowingDiscardingTaskGroup { group in
                for try await socket in sockets {
                    group.addTask {
                        try? await socket.executeThenClose { inbound in
                            await body(ByteConnection(socket.channel, inbound))
                        }
                    }
                }
                group.cancelAll()
            }
        }
    }
}
