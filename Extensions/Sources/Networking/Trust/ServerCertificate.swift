internal import Crypto
public import DockTypes
internal import NIOSSL
internal import PlainText

/// The certificate of a server.
public struct ServerCertificate: Sendable, Hashable {
    /// Its bytes, DER.
    public let der: [UInt8]

    /// The largest certificate that is read, in bytes.
    public static let largest = 65_536

    /// Reads a certificate.
    /// - Throws: `configuration` if the bytes are none.
    public init(der: [UInt8]) throws(DockError) {
        guard der.count <= Self.largest, (try? NIOSSLCertificate(bytes: der, format: .der)) != nil else {
            throw DockError(.configuration, "this is not a certificate", hint: "use a certificate in DER form")
        }
        self.der = der
    }

    /// Reads the first certificate of a text in PEM form.
    /// - Throws: `configuration` if there is none.
    public init(pem: [UInt8]) throws(DockError) {
        guard pem.count <= Self.largest, let first = (try? NIOSSLCertificate.fromPEMBytes(pem))?.first,
            let der = try? first.toDERBytes()
        else { throw DockError(.configuration, "this is not a certificate", hint: "use a certificate in PEM form") }
        self.der = der
    }

    init?(_ certificate: NIOSSLCertificate) {
        guard let der = try? certificate.toDERBytes() else { return nil }
        self.der = der
    }

    /// SHA-256 of the certificate, as `openssl x509 -noout -fingerprint -sha256` prints it: 32 pairs of hexadecimal
    /// digits with colons.
    public var fingerprint: String {
        SHA256.hash(data: der).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count < 2 ? "0" + digits : digits
        }.joined(separator: ":")
    }

    /// Until when it is valid, Unix seconds.
    public var validUntil: Double { loaded.map { Double($0.notValidAfter) } ?? 0 }
    /// From when it is valid, Unix seconds.
    public var validFrom: Double { loaded.map { Double($0.notValidBefore) } ?? 0 }
    /// The common name that it gives itself, safe to show, or nil if it has none. It proves nothing.
    public var commonName: String? {
        loaded?.subjectName.last { $0.type == .commonName }.map { ForeignText.name($0.value) }
    }
    /// Whether its issuer has the same name as itself.
    public var isSelfSigned: Bool { loaded.map { $0.subjectName == $0.issuerName } ?? false }

    /// Returns a time in hours or days, in words.
    static func words(ofTime seconds: Double) -> String {
        seconds < 86_400 ? "\(Int(seconds / 3600)) h" : "\(Int(seconds / 86_400)) days"
    }

    var loaded: NIOSSLCertificate? { try? NIOSSLCertificate(bytes: der, format: .der) }
}
