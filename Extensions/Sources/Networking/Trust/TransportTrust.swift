public import DockTypes

/// Which server this machine believes, in the owner's words.
public enum TransportTrust: Sendable, Hashable {
    /// One whose certificate an authority of the system vouches for, with the right name.
    case system
    /// One whose certificate one of these authorities vouches for, with the right name.
    case authorities([ServerCertificate])
    /// The one with exactly this certificate, as it was shown at the first use. Its name and its dates do not matter,
    /// because nothing but the key identifies it.
    case pinned(ServerCertificate)
    /// Any, and without encryption.
    case off
}

/// Where to connect and how, without contradictions. There is no way from an encrypted plan to a plain one.
public struct TransportPlan: Sendable, Hashable {
    /// The server.
    public let address: ServerAddress
    /// Which certificate is accepted.
    public let trust: TransportTrust
    /// The numeric address to connect to, if the name must not be resolved: one found by mDNS, for example.
    public var numericHost: String?

    /// Creates a plan.
    /// - Throws: `configuration` if the address says `ws://` and the trust asks for encryption, or the other way round.
    public init(_ address: ServerAddress, trust: TransportTrust, numericHost: String? = nil) throws(DockError) {
        switch (address.scheme, trust) {
        case (.plain?, .system), (.plain?, .authorities), (.plain?, .pinned):
            throw DockError(
                .configuration, "\(address.text): ws:// has no encryption, but the settings ask for it",
                hint: "write wss://, or switch tls off if you accept that others can read along")
        case (.secure?, .off):
            throw DockError(
                .configuration, "\(address.text): wss:// is encrypted, but the settings switch tls off",
                hint: "write ws://, or set tls to system or pinned")
        default: break
        }
        (self.address, self.trust, self.numericHost) = (address, trust, numericHost)
    }

    /// The same plan with a path after that of the address.
    public func at(path: String) -> TransportPlan {
        TransportPlan(address.appending(path: path), trust, numericHost)
    }

    private init(_ address: ServerAddress, _ trust: TransportTrust, _ numericHost: String?) {
        (self.address, self.trust, self.numericHost) = (address, trust, numericHost)
    }

    /// Whether the connection is encrypted.
    public var isEncrypted: Bool { trust != .off }
}
