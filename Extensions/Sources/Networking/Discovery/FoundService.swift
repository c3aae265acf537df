internal import Glibc
internal import PlainText

/// A server that has been found. It is offered, and never joined by itself.
public struct FoundService: Sendable, Hashable {
    /// Its name, as its owner wrote it, in one plain line. It identifies the server, and proves nothing.
    public let name: String
    /// The name of its machine, for TLS. It may have several labels, which the system often cannot resolve.
    public let host: String
    /// The port.
    public let port: Int
    /// Its numeric addresses, IPv4 first, as its own answer names them; at most 8.
    public let addresses: [String]
    /// What it says about itself, `key=value`, plain; at most 16 lines. AllSpark's servers say nothing.
    public let details: [String]

    static let mostAddresses = 8, mostDetails = 16

    init(
        name: MulticastName, host: MulticastName, port: Int, addresses: Set<MulticastRecord.Content>,
        details: [[UInt8]]
    ) {
        self.name = name.labels.first.map { MulticastName.text(of: $0) } ?? ""
        (self.host, self.port) = (host.text, port)
        let texts = addresses.compactMap { Self.text(of: $0) }
        self.addresses = Array(texts.sorted(by: Self.isBefore).prefix(Self.mostAddresses))
        self.details = details.prefix(Self.mostDetails).map { ForeignText.line(bytes: $0, longest: 200) }
    }

    /// Its address, or nil if the name of its machine is not one that an address can have.
    public var address: ServerAddress? {
        host.contains(":") ? nil : try? ServerAddress("\(host):\(port)", defaultPort: port)
    }

    /// IPv4 first, then in the order of characters.
    private static func isBefore(_ a: String, _ b: String) -> Bool {
        (a.contains(":") ? 1 : 0, a) < (b.contains(":") ? 1 : 0, b)
    }

    private static func text(of content: MulticastRecord.Content) -> String? {
        switch content {
        case .address4(let bytes): numeric(bytes, AF_INET)
        case .address6(let bytes): numeric(bytes, AF_INET6)
        case .pointer, .service, .text: nil
        }
    }

    private static func numeric(_ bytes: [UInt8], _ family: Int32) -> String? {
        guard bytes.count == (family == AF_INET ? 4 : 16) else { return nil }
        var text = [CChar](repeating: 0, count: 46)
        guard inet_ntop(family, bytes, &text, 46) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
