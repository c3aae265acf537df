internal import NIOCore

/// An open connection that carries plain bytes, and is only written. One task sends.
public final class ByteSender: Sendable {
    private let channel: any Channel
    private let place: String

    private init(_ channel: any Channel, _ place: String) { (self.channel, self.place) = (channel, place) }

    /// Connects. The kernel keeps few bytes that are not sent yet, so that what is sent is not old.
    /// - Parameter limit: how long the connection may take, in seconds.
    /// - Throws: `TransportFailure`, `CancellationError`.
    public static func connect(_ plan: TransportPlan, limit: Double = 10) async throws -> ByteSender {
        let channel = try await Dialer(plan: plan, limit: limit).connect()
        do {
            // Without reading, the end of the other side would not be noticed.
            try await channel.pipeline.addHandler(DiscardingHandler()).get()
            try await channel.setOption(.autoRead, value: true).get()
        } catch {
            channel.close(promise: nil)
            throw TransportFailure(.torn, "\(plan.address.text) broke the connection off", hint: "check the receiver")
        }
        return ByteSender(channel, plan.address.text)
    }

    /// Sends bytes. It returns when the kernel has taken them. If it is cancelled, the connection ends.
    /// - Throws: `TransportFailure` if the connection has ended, `CancellationError`.
    public func send(_ bytes: [UInt8]) async throws {
        let channel = channel
        do {
            try await withTaskCancellationHandler {
                try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch {
            channel.close(promise: nil)
            if Task.isCancelled { throw CancellationError() }
            throw TransportFailure(.torn, "\(place) broke the connection off", hint: "see what the receiver says")
        }
    }

    /// Ends the connection, from any task.
    public func close() { channel.close(promise: nil) }
}

/// Throws away what a receiver says: the protocol has no answers.
private final class DiscardingHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
