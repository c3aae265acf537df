internal import Crypto

/// A user and a password, and what a server asks for to see them (RFC 2617, RFC 7616).
struct RTSPAccess: Sendable, Equatable {
    /// What a server asks for.
    enum Challenge: Sendable, Equatable {
        case basic
        case digest(realm: String, nonce: String, opaque: String?, hasQop: Bool, isSHA256: Bool)
    }

    let user: String, password: String
    private(set) var challenge: Challenge?

    init(user: String, password: String) { (self.user, self.password) = (user, password) }

    /// Receives the header fields `WWW-Authenticate` of an answer. Returns whether they ask for something new that can
    /// be answered.
    mutating func receive(_ fields: [String]) -> Bool {
        let found = fields.compactMap(Self.challenge)
        // A password itself leaves only if the server knows nothing better.
        let new = found.first { $0 != .basic } ?? found.first
        guard let new, new != challenge else { return false }
        challenge = new
        return true
    }

    private static func challenge(_ field: String) -> Challenge? {
        if field.lowercased().hasPrefix("basic") { return .basic }
        guard field.lowercased().hasPrefix("digest ") else { return nil }
        let values = values(field.dropFirst("digest ".count))
        let algorithm = values["algorithm"]?.uppercased() ?? "MD5"
        guard let realm = values["realm"], let nonce = values["nonce"], ["MD5", "SHA-256"].contains(algorithm) else {
            return nil
        }
        return .digest(
            realm: realm, nonce: nonce, opaque: values["opaque"], hasQop: values["qop"] != nil,
            isSHA256: algorithm == "SHA-256")
    }

    /// Reads `name="value", other=value`.
    private static func values(_ text: Substring) -> [String: String] {
        var result: [String: String] = [:], rest = text
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].filter { !" ,\t".contains($0) }.lowercased()
            rest = rest[rest.index(after: equals)...]
            let isQuoted = rest.first == "\""
            if isQuoted { rest = rest.dropFirst() }
            let value = rest.prefix { isQuoted ? $0 != "\"" : $0 != "," }
            result[name] = String(value)
            rest = rest[value.endIndex...].dropFirst()
        }
        return result
    }

    /// Returns the value of the header field `Authorization` for a request, or nil if nothing was asked for.
    func authorization(method: String, uri: String, clientNonce: String = Self.random()) -> String? {
        switch challenge {
        case nil: return nil
        case .basic: return "Basic " + Self.base64(Array("\(user):\(password)".utf8))
        case .digest(let realm, let nonce, let opaque, let hasQop, let isSHA256):
            func hash(_ text: String) -> String {
                let bytes = Array(text.utf8)
                return isSHA256 ? Self.hex(SHA256.hash(data: bytes)) : Self.hex(Insecure.MD5.hash(data: bytes))
            }
            let secret = hash("\(user):\(realm):\(password)"), request = hash("\(method):\(uri)")
            let middle = hasQop ? "\(nonce):00000001:\(clientNonce):auth" : nonce
            var parts = [
                "username=\"\(user)\"", "realm=\"\(realm)\"", "nonce=\"\(nonce)\"", "uri=\"\(uri)\"",
                "response=\"\(hash("\(secret):\(middle):\(request)"))\"",
            ]
            if hasQop { parts += ["qop=auth", "nc=00000001", "cnonce=\"\(clientNonce)\""] }
            if let opaque { parts.append("opaque=\"\(opaque)\"") }
            if isSHA256 { parts.append("algorithm=SHA-256") }
            return "Digest " + parts.joined(separator: ", ")
        }
    }

    private static func random() -> String { String(UInt64.random(in: 0 ... .max), radix: 16) }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let number = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
            for place in 0...part.count { text.append(letters[number >> (18 - 6 * place) & 63]) }
            text += String(repeating: "=", count: 3 - part.count)
        }
        return text
    }
}
