public import DockTypes

/// Where a server is, as a person types it: `HOST`, `HOST:PORT`, `ws://HOST:PORT/PATH`, `wss://...`. An IPv6 address
/// stands in brackets if a port follows.
public struct ServerAddress: Sendable, Hashable {
    /// What the person says about encryption.
    public enum Scheme: String, Sendable {
        /// `ws://`: without.
        case plain = "ws"
        /// `wss://`: with TLS.
        case secure = "wss"
    }

    /// The scheme, or nil if the text has none.
    public let scheme: Scheme?
    /// The name or the numeric address, without brackets, in small letters.
    public let host: String
    /// The port, 1 to 65535.
    public let port: Int
    /// The path, `/` at least.
    public let path: String

    /// The longest text, in bytes.
    public static let longest = 1024

    /// Creates an address from its parts, which are trusted to be right.
    init(scheme: Scheme? = nil, host: String, port: Int, path: String = "/") {
        (self.scheme, self.host, self.port, self.path) = (scheme, host, port, path)
    }

    /// Reads an address. `defaultPort` is used for a text without a scheme and a port; `ws://` means port 80 and
    /// `wss://` port 443, as everywhere.
    /// - Throws: `configuration`, with what is wrong.
    public init(_ text: String, defaultPort: Int) throws(DockError) {
        guard text.utf8.count <= Self.longest else { throw Self.invalid("the address is too long") }
        var rest = Substring(text)
        if let mark = rest.firstRange(ofText: "://") {
            guard let scheme = Scheme(rawValue: rest[..<mark.lowerBound].lowercased()) else {
                throw Self.invalid("\(text): the scheme is neither ws nor wss")
            }
            self.scheme = scheme
            rest = rest[mark.upperBound...]
        } else {
            scheme = nil
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        path = slash == rest.endIndex ? "/" : String(rest[slash...])
        guard path.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw Self.invalid("\(text): the path has a character that a path cannot have")
        }
        let (host, port) = try Self.split(rest[..<slash], text)
        self.host = host.lowercased()
        switch (port, scheme) {
        case (let port?, _): self.port = port
        case (nil, .plain?): self.port = 80
        case (nil, .secure?): self.port = 443
        case (nil, nil): self.port = defaultPort
        }
        guard (1...65_535).contains(self.port) else { throw Self.invalid("\(text): the port is not 1 to 65535") }
    }

    /// The same server at another port, 1 to 65535; other numbers change nothing.
    public func at(port: Int) -> ServerAddress {
        guard (1...65_535).contains(port) else { return self }
        return ServerAddress(scheme: scheme, host: host, port: port, path: path)
    }

    /// The same server with a path after the one of this address. The path must begin with "/".
    func appending(path: String) -> ServerAddress {
        let base = self.path.hasSuffix("/") ? String(self.path.dropLast()) : self.path
        return ServerAddress(scheme: scheme, host: host, port: port, path: base + path)
    }

    /// Whether the host is a numeric address.
    public var isNumeric: Bool { NumericAddress.ipv4(host) != nil || isIPv6 }

    /// Whether the host is a numeric IPv6 address.
    var isIPv6: Bool { host.contains(":") }

    /// `HOST:PORT`, with brackets for IPv6.
    public var text: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The value of the header `Host`. A scope, which only this machine understands, is left out.
    var hostHeader: String {
        let name = host.firstIndex(of: "%").map { String(host[..<$0]) } ?? host
        return isIPv6 ? "[\(name)]:\(port)" : "\(name):\(port)"
    }

    // MARK: reading

    private static func split(_ authority: Substring, _ text: String) throws(DockError) -> (String, Int?) {
        guard !authority.contains("@") else { throw invalid("\(text): names and passwords are not supported") }
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { throw invalid("\(text): \"]\" is missing") }
            let host = String(authority[authority.index(after: authority.startIndex)..<end])
            guard NumericAddress.isIPv6(host) else { throw invalid("\(text): the brackets hold no IPv6 address") }
            let after = authority[authority.index(after: end)...]
            guard after.isEmpty || after.first == ":" else { throw invalid("\(text): \":\" is missing after \"]\"") }
            return (host, after.isEmpty ? nil : try port(after.dropFirst(), text))
        }
        // Two colons are an IPv6 address without a port.
        if authority.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1 {
            guard NumericAddress.isIPv6(String(authority)) else { throw invalid("\(text) is not an address") }
            return (String(authority), nil)
        }
        guard let colon = authority.firstIndex(of: ":") else { return (try name(authority, text), nil) }
        let number = try port(authority[authority.index(after: colon)...], text)
        return (try name(authority[..<colon], text), number)
    }

    private static func port(_ digits: Substring, _ text: String) throws(DockError) -> Int {
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits)
        else { throw invalid("\(text): the port is not a number") }
        return port
    }

    private static func name(_ name: Substring, _ text: String) throws(DockError) -> String {
        guard !name.isEmpty else { throw invalid("\(text): the host is missing") }
        let isLetter: (UInt8) -> Bool = { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard name.utf8.count <= 253, name.utf8.allSatisfy(isLetter) else {
            throw invalid("\(text): a host name has only letters, digits, \"-\", \"_\" and \".\"")
        }
        return String(name)
    }

    private static func invalid(_ message: String) -> DockError {
        DockError(.configuration, message, hint: "write HOST, HOST:PORT, ws://HOST:PORT or wss://HOST:PORT")
    }
}

extension Substring {
    /// The first place of an ASCII text.
    fileprivate func firstRange(ofText text: String) -> Range<Index>? {
        let wanted = Array(text.utf8)
        var at = startIndex
        while at < endIndex {
            if self[at...].utf8.starts(with: wanted) {
                return at..<utf8.index(at, offsetBy: wanted.count)
            }
            at = index(after: at)
        }
        return nil
    }
}
