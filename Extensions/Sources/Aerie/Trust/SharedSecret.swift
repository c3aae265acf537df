internal import Crypto

/// The secret that a server and its clients share, and what is signed with it. It is never sent.
public struct SharedSecret: Sendable, Equatable {
    /// The fewest bytes of a secret.
    public static let shortest = 32
    /// The most bytes of a secret.
    public static let longest = 1024

    private let bytes: [UInt8]

    /// Takes a secret: the UTF-8 of its text is the key, also if it looks like base64.
    /// The result is nil if it is shorter than 32 bytes or longer than 1024.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (Self.shortest...Self.longest).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Returns the signature of a client in the form that can be verified, base64.
    public func token(device: String, time: WireTime, nonce: String) -> String {
        signature("\(device):\(time.text):\(nonce)")
    }

    /// Returns the signature in the form of the source system, base64. No server can verify it unless the time is that
    /// of the envelope.
    public func sourceToken(device: String, time: WireTime) -> String { signature("\(device):\(time.text)") }

    /// Returns the proof of a server that it knows the secret, base64.
    public func proof(nonce: String, session: String) -> String { signature("server:\(nonce):\(session)") }

    private func signature(_ text: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: bytes))
        return String(decoding: Base64.encode(Array(code)), as: UTF8.self)
    }

    /// Whether two texts are equal. The time that it takes does not depend on where they differ.
    public static func agree(_ a: String, _ b: String) -> Bool {
        let a = Array(a.utf8), b = Array(b.utf8)
        var difference = UInt8(a.count == b.count ? 0 : 1)
        for index in a.indices { difference |= a[index] ^ (index < b.count ? b[index] : 0) }
        return difference == 0
    }

    /// Returns a new secret: 32 random bytes of the system, base64.
    public static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return String(decoding: Base64.encode(bytes), as: UTF8.self)
    }

    /// Returns a number that is used once: 32 random hexadecimal digits.
    public static func nonce() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: (0..<32).map { _ in digits[Int.random(in: 0..<16, using: &generator)] }, as: UTF8.self)
    }
}
