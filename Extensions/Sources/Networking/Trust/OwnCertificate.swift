internal import Crypto
public import DockTypes

/// A new certificate that vouches for itself, with its key: for a server whose clients know its fingerprint.
///
/// It names no machine, and is valid without end (RFC 5280, section 4.1.2.5), because a client that compares the
/// fingerprint looks at neither. A machine whose clock is wrong at its first start therefore makes a good one, too.
public struct OwnCertificate: Sendable {
    /// The certificate, DER.
    public let certificate: [UInt8]
    /// The key, as a text in PEM form (PKCS #8).
    public let key: String

    /// Makes both: a key of the curve P-256, and a certificate of that key.
    /// - Parameter name: the common name.
    /// - Throws: `cannotOpen` if the library cannot sign.
    public init(name: String) throws(DockError) {
        let key = P256.Signing.PrivateKey(), body = Self.body(name, of: Array(key.publicKey.derRepresentation))
        guard let signature = try? key.signature(for: body) else {
            throw DockError(
                .cannotOpen, "no certificate can be made", hint: "make one with openssl, and name its files")
        }
        certificate = DER.sequence(
            body, Self.algorithm, DER.value(.bits, [0] + Array(signature.derRepresentation)))
        self.key = key.pemRepresentation + "\n"
    }

    // MARK: the form (RFC 5280, section 4.1)

    /// ecdsa-with-SHA256 (RFC 5758, section 3.2).
    private static let algorithm = DER.sequence(DER.value(.object, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))

    /// What is signed.
    private static func body(_ name: String, of key: [UInt8]) -> [UInt8] {
        let version = DER.value(.version, DER.value(.integer, [2]))
        let commonName = DER.sequence(DER.value(.object, [0x55, 0x04, 0x03]), DER.value(.text, Array(name.utf8)))
        let names = DER.sequence(DER.value(.set, commonName))
        let dates = DER.sequence(
            DER.value(.shortTime, Array("200101000000Z".utf8)), DER.value(.time, Array("99991231235959Z".utf8)))
        return DER.sequence(version, DER.value(.integer, serial()), algorithm, names, dates, names, key, extensions)
    }

    /// A random number of 127 bits at most, which is positive and has no leading zero.
    private static func serial() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return [UInt8.random(in: 1...0x7F, using: &generator)]
            + (1..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// It is no authority (basicConstraints), and is for servers (extKeyUsage).
    private static var extensions: [UInt8] {
        let constraints = DER.sequence(
            DER.value(.object, [0x55, 0x1D, 0x13]), DER.value(.flag, [0xFF]), DER.value(.octets, DER.sequence()))
        let server = DER.value(.object, [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01])
        let usage = DER.sequence(
            DER.value(.object, [0x55, 0x1D, 0x25]), DER.value(.octets, DER.sequence(server)))
        return DER.value(.extensions, DER.sequence(constraints, usage))
    }
}

/// Values in DER form (X.690). Only what a certificate needs is written, and nothing is read.
enum DER {
    /// The kinds of values, with their first byte.
    enum Tag: UInt8 {
        case flag = 0x01, integer = 0x02, bits = 0x03, octets = 0x04, object = 0x06, text = 0x0C, shortTime = 0x17
        case time = 0x18, sequence = 0x30, set = 0x31
        /// The two parts of a certificate with a number of their own.
        case version = 0xA0, extensions = 0xA3
    }

    /// Returns a value with its kind and its length.
    static func value(_ tag: Tag, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag.rawValue, UInt8(content.count)] + content }
        var length: [UInt8] = [], rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag.rawValue, 0x80 | UInt8(length.count)] + length + content
    }

    /// Returns a value that has others as its parts.
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(.sequence, parts.flatMap { $0 }) }
}
