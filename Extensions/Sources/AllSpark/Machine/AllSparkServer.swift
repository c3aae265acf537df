internal import PlainText

/// The server that the owner has chosen.
public struct AllSparkServer: Sendable, Equatable {
    /// The service under which servers announce themselves on the local network.
    public static let service = "_allspark._tcp.local"
    /// The port that a server has without another setting, and the page with its health.
    public static let usualPort = 8080, healthPath = "/api/health"

    /// The owner's name for it.
    public let name: String
    /// Where it is, as the owner typed it.
    public let address: String
    /// Whether the connection is encrypted. Without encryption is the owner's word, and never a fallback.
    public let isEncrypted: Bool
    /// The fingerprint of the certificate that the owner has accepted, or nil if an authority vouches for it.
    public let pin: String?

    /// Describes a server.
    public init(name: String, address: String, isEncrypted: Bool, pin: String? = nil) {
        (self.name, self.address) = (ForeignText.name(name), ForeignText.name(address))
        (self.isEncrypted, self.pin) = (isEncrypted, pin)
    }
}

/// What is known about the other end of a connection that was just made.
public struct PeerFacts: Sendable, Equatable {
    /// Whether the connection is encrypted, and the certificate was verified.
    public var isEncrypted: Bool
    /// The fingerprint of its certificate, if it is encrypted.
    public var certificate: String?
    /// The answer to the question for its health, if it was asked.
    public var health: ServerHealth?
    /// How this machine is connected, if that is known.
    public var medium: Medium?

    /// Describes the other end.
    public init(isEncrypted: Bool, certificate: String? = nil, health: ServerHealth? = nil, medium: Medium? = nil) {
        (self.isEncrypted, self.certificate, self.health, self.medium) = (isEncrypted, certificate, health, medium)
    }
}
