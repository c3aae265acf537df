internal import NIOCore

/// Shows the certificate of a server, so that its owner can compare the fingerprint before it is pinned.
public enum CertificateProbe {
    /// Fetches the certificate. It begins TLS and ends it when the certificate arrives, so nothing else is sent.
    /// - Parameter limit: how long the connection and the handshake may take, each, in seconds.
    /// - Throws: `TransportFailure`, `CancellationError`.
    public static func certificate(of address: ServerAddress, numericHost: String? = nil, limit: Double = 10)
        async throws -> ServerCertificate
    {
        let plan = try TransportPlan(
            ServerAddress(scheme: nil, host: address.host, port: address.port), trust: .system, numericHost: numericHost
        )
        let dialer = Dialer(plan: plan, limit: limit)
        let channel = try await dialer.connect()
        let shown = try await dialer.open(channel, isProbe: true) { channel, watcher in
            // The handshake always fails. What was seen until then is the result.
            let promise = channel.eventLoop.makePromise(of: ServerCertificate.self)
            try channel.pipeline.syncOperations.addHandler(ProbeEnd(watcher, promise))
            return promise.futureResult
        }
        channel.close(promise: nil)
        return shown.value
    }
}

/// Ends a probe with the certificate, or with the error.
private final class ProbeEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let watcher: HandshakeWatcher
    private let promise: EventLoopPromise<ServerCertificate>

    init(_ watcher: HandshakeWatcher, _ promise: EventLoopPromise<ServerCertificate>) {
        (self.watcher, self.promise) = (watcher, promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let certificate = watcher.seen.certificate { promise.succeed(certificate) } else { promise.fail(error) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
