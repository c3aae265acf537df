internal import NIOCore
internal import NIOSSL

extension TransportTrust {
    /// Returns the handler that encrypts a connection to a server of this address, or nil if it is not encrypted.
    /// - Throws: errors of the library, for a name that TLS cannot carry.
    func makeHandler(for address: ServerAddress) throws -> NIOSSLClientHandler? {
        switch self {
        case .off: nil
        case .system: try Self.verifying(.default, address)
        case .authorities(let authorities):
            try Self.verifying(.certificates(authorities.compactMap(\.loaded)), address)
        case .pinned(let pin): try Self.deciding(address) { $0 == pin }
        }
    }

    /// Returns a handler that rejects each certificate, and so shows it without sending anything.
    static func makeProbe(for address: ServerAddress) throws -> NIOSSLClientHandler {
        try deciding(address) { _ in false }
    }

    /// The library verifies the chain, the dates and the name. Without a host name it compares the numeric address.
    private static func verifying(_ roots: NIOSSLTrustRoots, _ address: ServerAddress) throws -> NIOSSLClientHandler {
        var configuration = configuration
        configuration.trustRoots = roots
        configuration.certificateVerification = .fullVerification
        return try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: configuration), serverHostname: address.nameForTLS)
    }

    /// We verify. The library would still compare the name after our decision, so that is switched off.
    private static func deciding(
        _ address: ServerAddress, _ accepts: @escaping @Sendable (ServerCertificate) -> Bool
    ) throws -> NIOSSLClientHandler {
        var configuration = configuration
        configuration.certificateVerification = .noHostnameVerification
        return try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: configuration), serverHostname: address.nameForTLS,
            customVerificationCallback: { chain, promise in
                let certificate = chain.first.flatMap { ServerCertificate($0) }
                promise.succeed(certificate.map(accepts) ?? false ? .certificateVerified : .failed)
            })
    }

    private static var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // A server that does not answer our end is not waited for.
        configuration.shutdownTimeout = .seconds(1)
        return configuration
    }
}

extension ServerAddress {
    /// The name that TLS announces. It carries no numeric addresses.
    fileprivate var nameForTLS: String? { isNumeric ? nil : host }
}
