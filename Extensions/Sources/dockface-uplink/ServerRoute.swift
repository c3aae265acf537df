import DockTypes
import Networking
import Synchronization
import Uplink

/// How the server is reached: with which encryption, and which certificate is accepted.
final class ServerRoute: Sendable {
    private let address: ServerAddress
    private let settings: UplinkSettings.LinkSettings
    /// The certificate of the accepted fingerprint, once it was seen.
    private let pin = Mutex<ServerCertificate?>(nil)

    /// Checks the settings.
    /// - Throws: `configuration`.
    init(_ settings: UplinkSettings) throws(DockError) {
        (address, self.settings) = (try UplinkPlace.address(settings), settings.link)
        if isPinned { try checkPin() } else { _ = try TransportPlan(address, trust: trust) }
        guard isEncrypted || settings.link.trust != .tls else {
            throw DockError(
                .configuration, "trust is \"tls\", but the connection is not encrypted",
                hint: "write wss://, or set trust to \"proof\"")
        }
    }

    private func checkPin() throws(DockError) {
        guard settings.tls.isEmpty || settings.tls == "pinned" else {
            throw DockError(
                .configuration, "tls is \"\(settings.tls)\", but there is a fingerprint",
                hint: "set tls to \"pinned\", or remove the fingerprint")
        }
        guard address.scheme != .plain else {
            throw DockError(
                .configuration, "\(address.text): ws:// has no certificate, but there is a fingerprint",
                hint: "write wss://")
        }
        guard Self.digits(settings.fingerprint).utf8.count == 64 else {
            throw DockError(
                .configuration,
                settings.fingerprint.isEmpty
                    ? "tls is \"pinned\", but there is no fingerprint" : "the fingerprint does not have 64 digits",
                hint: "set `fingerprint` to the digits that `dockface room` prints")
        }
    }

    /// The digits of a fingerprint, with or without colons.
    private static func digits(_ text: String) -> String { text.uppercased().filter(\.isHexDigit) }

    private var isPinned: Bool { settings.tls == "pinned" || !settings.fingerprint.isEmpty }

    /// The trust without a pin. `ws://` is the owner's word for no encryption; without a scheme it is encrypted.
    private var trust: TransportTrust {
        settings.tls == "off" || (settings.tls.isEmpty && address.scheme == .plain) ? .off : .system
    }

    /// Whether pictures can be read on their way.
    var isEncrypted: Bool { isPinned || trust != .off }

    /// The address with its scheme.
    var url: String { (isEncrypted ? "wss://" : "ws://") + address.text }

    /// Returns how to connect. Before the first connection with a pin the certificate is fetched, and compared.
    /// - Throws: `DockError`, `TransportFailure`, `CancellationError`.
    func plan() async throws -> TransportPlan {
        guard isPinned else { return try TransportPlan(address, trust: trust) }
        if let known = pin.withLock({ $0 }) { return try TransportPlan(address, trust: .pinned(known)) }
        let shown = try await CertificateProbe.certificate(of: address, limit: 5)
        guard Self.digits(shown.fingerprint) == Self.digits(settings.fingerprint) else {
            throw DockError(
                .permission, "the server shows another certificate: \(shown.fingerprint)",
                hint: "make sure that it is the right server, and that no other machine intercepts the connection")
        }
        pin.withLock { $0 = shown }
        return try TransportPlan(address, trust: .pinned(shown))
    }
}
