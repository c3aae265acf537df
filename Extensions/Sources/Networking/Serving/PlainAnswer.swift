internal import NIOCore
internal import NIOSSL

/// The handler before TLS, which looks at the first byte. A client that speaks TLS gets it. A client that does not is
/// served if it may be, and otherwise gets an answer in plain HTTP, so that it can say what is wrong; without one it
/// would only see that the connection ended.
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

    private enum Client { case unknown, encrypted, plain, refused }

    private var client = Client.unknown
    private let tls: NIOSSLContext
    private let servesPlain: Bool

    init(_ tls: NIOSSLContext, servesPlain: Bool) { (self.tls, self.servesPlain) = (tls, servesPlain) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if client == .unknown {
            let bytes = unwrapInboundIn(data)
            guard let first = bytes.readableBytesView.first else { return }
            client = first == Self.handshake ? .encrypted : .plain
            if client == .plain, !servesPlain { refuse(context) }
            if client == .encrypted { encrypt(context) }
        }
        // What a client sends that is refused is not passed on.
        if client != .refused { context.fireChannelRead(data) }
    }

    private func encrypt(_ context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            try pipeline.addHandler(NIOSSLServerHandler(context: tls), position: .after(self))
        } catch {
            client = .refused
            context.close(promise: nil)
        }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        client = .refused
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: Self.answer))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }
}
