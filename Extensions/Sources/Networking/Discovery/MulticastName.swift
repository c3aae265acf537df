internal import PlainText

/// A name of the DNS: labels of bytes. Comparison ignores the case of ASCII letters (RFC 6762, section 16).
public struct MulticastName: Sendable, Hashable {
    /// The limits of RFC 1035, in bytes: one label, and the whole name with its lengths.
    static let longestLabel = 63, longest = 255

    /// The labels, without the empty one at the end. Any byte can occur in them.
    public let labels: [[UInt8]]
    /// The labels with their lengths, in small letters, for comparison.
    private let key: [UInt8]

    /// Creates a name of these labels, or nil if it is too long or a label is empty.
    public init?(labels: [[UInt8]]) {
        guard labels.allSatisfy({ (1...Self.longestLabel).contains($0.count) }),
            labels.reduce(1, { $0 + $1.count + 1 }) <= Self.longest
        else { return nil }
        self.labels = labels
        key = Self.key(labels[...])
    }

    /// Creates a name from text with dots, such as `_allspark._tcp.local`, or nil if it is too long or has an empty
    /// label. A label with a dot in it cannot be written like this.
    public init?(_ text: String) {
        self.init(
            labels: text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init))
    }

    /// The name in one plain line, with dots, for people.
    public var text: String { labels.map { Self.text(of: $0) }.joined(separator: ".") }

    /// A label as plain text.
    static func text(of label: [UInt8]) -> String { ForeignText.name(String(decoding: label, as: UTF8.self)) }

    /// The first label of an instance of a service, such as `desk` of `desk._allspark._tcp.local`; nil if the name is
    /// no instance of it.
    func instance(of service: MulticastName) -> [UInt8]? {
        guard labels.count == service.labels.count + 1, let first = labels.first else { return nil }
        return Self.key(labels.dropFirst()) == service.key ? first : nil
    }

    /// Whether two names are the same.
    public static func == (a: MulticastName, b: MulticastName) -> Bool { a.key == b.key }

    /// Hashes the name without its case.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private static func key(_ labels: ArraySlice<[UInt8]>) -> [UInt8] {
        var key: [UInt8] = []
        for label in labels {
            key.append(UInt8(truncatingIfNeeded: label.count))
            for byte in label { key.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) }
        }
        return key
    }
}
