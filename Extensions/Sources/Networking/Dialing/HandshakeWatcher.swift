internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// The handler after TLS: it notes how the handshake goes. It changes nothing.
final class HandshakeWatcher: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let meter: ByteMeter
    private let tls: NIOSSLClientHandler?
    private var trace = HandshakeTrace()
    private var expiry: Scheduled<Void>?

    init(_ meter: ByteMeter, _ tls: NIOSSLClientHandler?) { (self.meter, self.tls) = (meter, tls) }

    /// What was seen until now.
    var seen: HandshakeTrace {
        var trace = trace
        trace.firstBytes = meter.firstBytes
        return trace
    }

    /// The server's certificate. It is known even while it is being rejected.
    var certificate: ServerCertificate? { (tls?.peerCertificate ?? nil).flatMap { ServerCertificate($0) } }

    /// Closes the connection unless `finish` is called in time.
    func limit(to amount: TimeAmount, on channel: any Channel) {
        expiry = channel.eventLoop.assumeIsolated().scheduleTask(in: amount) {
            self.trace.isTimedOut = true
            channel.close(promise: nil)
        }
    }

    /// The connection is usable, or has failed.
    func finish() { expiry?.cancel() }

    /// Notes the status of the server's answer.
    func answered(_ head: HTTPResponseHead) {
        guard trace.status == nil else { return }
        trace.status = Int(head.status.code)
        // 426 alone may also mean another version of WebSocket.
        trace.asksForTLS = head.status == .upgradeRequired && head.headers["Upgrade"].contains { $0.hasPrefix("TLS/") }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Plain text arrives only when TLS is ready.
        if tls != nil { trace.isSecured = true }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !trace.isSecured, trace.certificate == nil {
            trace.certificate = certificate
            trace.isWrongName = (error as? NIOSSLExtraError) == .failedToValidateHostname
            trace.isRejected = trace.isWrongName || String(describing: error).contains("CERTIFICATE_VERIFY_FAILED")
        }
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        expiry?.cancel()
        context.fireChannelInactive()
    }
}
