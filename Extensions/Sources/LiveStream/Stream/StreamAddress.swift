public import DockTypes

/// Where a stream goes: `rtsp://HOST:PORT/PATH` or `srt://HOST:PORT?OPTIONS`.
///
/// Such an address often carries a secret. Only `shown` may be written anywhere.
public struct StreamAddress: Sendable, Equatable {
    /// The protocol.
    public enum Scheme: String, Sendable, CaseIterable { case rtsp, srt }

    /// The protocol.
    public let scheme: Scheme
    /// The address without user, path and options.
    public let shown: String
    /// What must not be written anywhere.
    let secrets: [String]
    /// The address for ffmpeg, and the options that ffmpeg reads from a pipe, where no other user sees them.
    let target: String, hidden: [(key: String, value: String)]
    /// Whether the receiver calls us.
    let isListener: Bool
    /// The user and the password of a server of RTSP, and where it is. ffmpeg does not learn them (`RTSPDoor`).
    let login: (access: RTSPAccess, host: String, port: String, path: String)?

    /// The longest address, in bytes.
    static let longest = 2048
    /// The options of SRT that are secrets.
    private static let hiddenOptions: Set<String> = ["passphrase", "streamid"]

    /// Whether the address has a password or a passphrase.
    public var hasSecret: Bool { login != nil || !hidden.isEmpty }

    /// Reads an address.
    /// - Throws: `configuration`. The error does not repeat the address.
    public init(_ text: String) throws(DockError) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Self.flaw("it has spaces or other letters than those of ASCII", "write %20 for a space")
        }
        guard let end = text.firstRange(of: "://"), let scheme = Scheme(rawValue: text[..<end.lowerBound].lowercased())
        else { throw Self.flaw("it is neither rtsp:// nor srt://", "write rtsp://HOST:8554/NAME or srt://HOST:PORT") }
        let rest = text[end.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }, tail = rest[authority.endIndex...]
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let user = authority.lastIndex(of: "@").map { authority[..<$0] }
        guard let port = Self.port(of: place) else {
            throw Self.flaw("it names no host, or a wrong port", "write \(scheme.rawValue)://HOST:PORT")
        }
        guard port != nil || scheme == .rtsp else { throw Self.flaw("it names no port", "write srt://HOST:PORT") }
        self.scheme = scheme
        shown = "\(scheme.rawValue)://\(place)"
        var secrets = [text, String(tail.drop { $0 == "/" })]
        if let user { secrets += [String(user)] + user.split(separator: ":").map(String.init) }
        guard scheme == .srt else {
            (target, hidden, isListener) = (shown + tail, [], false)
            login = user.map { user in
                let name = user.prefix { $0 != ":" }, password = user.dropFirst(name.count + 1)
                let access = RTSPAccess(user: Self.decoded(name), password: Self.decoded(password))
                let host = place.prefix(while: { $0 != "]" }).drop { $0 == "[" }
                let isNumber = place.first == "["
                let bare = isNumber ? host : place.prefix { $0 != ":" }
                return (access, String(bare), String(port ?? 554), String(tail))
            }
            self.secrets = Self.worthHiding(secrets + (login.map { [$0.access.password] } ?? []))
            return
        }
        login = nil
        guard user == nil else { throw Self.flaw("SRT has no user", "write ?streamid=...&passphrase=...") }
        let options = tail.drop { $0 == "/" || $0 == "?" }.split(separator: "&").map { option in
            let key = String(option.prefix { $0 != "=" })
            return (key: key, value: String(option.dropFirst(key.count + 1)))
        }
        // A line of ffmpeg's file of options ends at 999 letters.
        guard options.allSatisfy({ $0.value.utf8.count < 999 }) else { throw Self.flaw("an option is too long", "") }
        let open = options.filter { !Self.hiddenOptions.contains($0.key) }.map { "\($0.key)=\($0.value)" }
        target = shown + (open.isEmpty ? "" : "?" + open.joined(separator: "&"))
        hidden = options.filter { Self.hiddenOptions.contains($0.key) }.map { ($0.key, $0.value) }
        isListener = options.contains { $0.key == "mode" && $0.value == "listener" }
        self.secrets = Self.worthHiding(secrets + hidden.map(\.value))
    }

    /// Returns the port of `HOST` or `HOST:PORT`: nil if it is no such text, and `.some(nil)` without a port.
    private static func port(of place: Substring) -> Int?? {
        // An IPv6 address is in brackets.
        let isBracketed = place.first == "["
        let bracketed = place.firstIndex(of: "]").map { place[...$0] }
        guard let host = isBracketed ? bracketed : place.prefix(while: { $0 != ":" }),
            host.count > (isBracketed ? 2 : 0)
        else { return nil }
        let tail = place[host.endIndex...]
        guard !tail.isEmpty else { return .some(nil) }
        guard tail.first == ":", let port = Int(tail.dropFirst()), (1...65_535).contains(port) else { return nil }
        return .some(port)
    }

    /// Returns a text whose `%20` and the like are letters again.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = [], rest = Array(text.utf8)[...]
        while let first = rest.popFirst() {
            let digits = rest.prefix(2)
            if first == UInt8(ascii: "%"), digits.count == 2,
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(first)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func worthHiding(_ secrets: [String]) -> [String] {
        // Longer ones first, because they contain shorter ones.
        secrets.filter { !$0.isEmpty }.sorted { $0.utf8.count > $1.utf8.count }
    }

    private static func flaw(_ what: String, _ hint: String) -> DockError {
        DockError(.configuration, "the address of the stream cannot be used: \(what)", hint: hint)
    }

    /// Returns a text without the secrets of the address.
    func redacted(_ text: String) -> String {
        secrets.reduce(text) { text, secret in
            // A short path such as `a` would take every `a` away.
            guard secret.utf8.count > 2 else { return text }
            return text.replacing(secret, with: "***")
        }
    }

    /// Whether both are the same.
    public static func == (a: StreamAddress, b: StreamAddress) -> Bool {
        a.target == b.target && a.login?.access == b.login?.access && a.hidden.map(\.key) == b.hidden.map(\.key)
            && a.hidden.map(\.value) == b.hidden.map(\.value)
    }
}
