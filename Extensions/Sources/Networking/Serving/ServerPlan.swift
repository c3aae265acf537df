public import DockTypes
internal import NIOCore
internal import NIOSSL

/// Where a server listens, and its limits.
public struct ServerPlan: Sendable {
    /// The numeric address or the name to listen on.
    public var host: String
    /// The port; 0 for any free one.
    public var port: Int
    /// The certificate, or nil for a server without encryption.
    public var identity: ServerIdentity?
    /// The clients that may do without encryption although the server has a certificate.
    public var plainClients = PlainClients.none
    /// The limits of each connection.
    public var options = WebSocketOptions()
    /// The most WebSockets at one time; more are not opened.
    public var mostConnections = 64
    /// The most connections that have not completed their request, in all and of one address; more are closed at once.
    public var mostArriving = 128, mostArrivingOfOne = 64
    /// Origins of web pages that may connect. A browser names the page's origin, and programs name none.
    public var origins: Set<String> = []

    /// Creates a plan.
    public init(host: String, port: Int, identity: ServerIdentity? = nil) {
        (self.host, self.port, self.identity) = (host, port, identity)
    }
}

/// The clients that a server with a certificate serves without encryption, too.
public enum PlainClients: Sendable, Equatable {
    /// No client.
    case none
    /// Those on this machine, because no other machine sees what they send.
    case local
    /// All.
    case all

    /// Whether these clients include one with this address.
    func include(_ address: SocketAddress?) -> Bool {
        switch self {
        case .none: false
        case .local: address.map(Self.isLocal) ?? false
        case .all: true
        }
    }

    private static func isLocal(_ address: SocketAddress) -> Bool {
        switch address {
        case .v4, .v6:
            guard let ip = address.ipAddress else { return false }
            return ip.hasPrefix("127.") || ip == "::1" || ip.hasPrefix("::ffff:127.")
        case .unixDomainSocket: return true
        }
    }
}

/// A server's certificate with its chain, and its key.
public struct ServerIdentity: Sendable {
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// Reads both from texts in PEM form.
    /// - Throws: `configuration` if one of them cannot be read.
    public init(certificates: [UInt8], key: [UInt8]) throws(DockError) {
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificates), !chain.isEmpty else {
            throw DockError(
                .configuration, "the certificate cannot be read", hint: "name a file in PEM form with the whole chain")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: key, format: .pem) else {
            throw DockError(
                .configuration, "the key cannot be read", hint: "name a file in PEM form without a password")
        }
        (self.chain, self.key) = (chain, key)
    }

    /// The certificate of the server itself.
    public var certificate: ServerCertificate? { chain.first.flatMap { ServerCertificate($0) } }

    /// Checks that clients can accept the certificate, and that the key is its own.
    /// - Parameter now: the time, Unix seconds, or nil to accept a certificate that is valid at another time.
    /// - Throws: `configuration`.
    public func check(at now: Double?) throws(DockError) {
        _ = try context()
        guard let now, let certificate else { return }
        if now > certificate.validUntil {
            let time = ServerCertificate.words(ofTime: now - certificate.validUntil)
            throw DockError(
                .configuration, "the certificate expired \(time) ago",
                hint: "renew it, and check this machine's clock")
        }
        if now < certificate.validFrom {
            let time = ServerCertificate.words(ofTime: certificate.validFrom - now)
            throw DockError(
                .configuration, "the certificate becomes valid in \(time)", hint: "check this machine's clock")
        }
    }

    func context() throws(DockError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.shutdownTimeout = .seconds(1)
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw DockError(
                .configuration, "the certificate and the key do not belong together", hint: "name files of one pair")
        }
    }
}

/// The answer to a request for a page.
public struct ServedPage: Sendable, Equatable {
    /// The media type.
    public var type: String
    /// The content.
    public var body: [UInt8]

    /// Creates a page.
    public init(type: String, body: [UInt8]) { (self.type, self.body) = (type, body) }

    /// Creates a page of plain text.
    public init(text: String) { self.init(type: "text/plain; charset=utf-8", body: Array(text.utf8)) }

    /// Creates a page of JSON.
    public init(json: [UInt8]) { self.init(type: "application/json", body: json) }
}
