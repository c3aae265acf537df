internal import NIOCore

/// The handler before TLS. A client that does not speak TLS gets an answer in plain HTTP, so that it can say what is
/// wrong; otherwise it would only see that the connection ended. A client that speaks TLS does not notice it.
final class PlainAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The first byte of a handshake of TLS (RFC 8446, section 5.1).
    private static let handshake: UInt8 = 22
    /// The protocol that the answer names (RFC 9110, section 15.5.22). A client recognises a port with TLS by it.
    static let upgrade = "TLS/1.2"
    private static let body = "this port expects TLS: use wss:// or https://\n"
    private static let answer =
        "HTTP/1.1 426 Upgrade Required\r\nUpgrade: \(upgrade)\r\nConnection: Upgrade, close\r\n"
        + "Content-Type: text/plain; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"

    private enum Client { case unknown, encrypted, plain }

    private var client = Client.unknown

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if client == .unknown {
            let bytes = unwrapInboundIn(data)
            guard let first = bytes.readableBytesView.first else { return }
            client = first == Self.handshake ? .encrypted : .plain
            if client == .plain { refuse(context) }
        }
        // What a plain client sends is not passed on.
        if client == .encrypted { context.fireChannelRead(data) }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.answer))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }
}
