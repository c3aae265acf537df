public import DockTypes
internal import Glibc

/// The numeric address of a sender, in one form: an IPv4 address inside of IPv6 is the IPv4 address, and a scope is left
/// out.
public struct SenderAddress: Sendable, Hashable, CustomStringConvertible {
    private let bytes: [UInt8]

    /// Reads an address; nil if the text is none.
    public init?(_ text: String) {
        var four = in_addr(), six = in6_addr()
        let plain = text.split(separator: "%", maxSplits: 1).first.map(String.init) ?? text
        if inet_pton(AF_INET, plain, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, plain, &six) == 1 {
            let all = withUnsafeBytes(of: six) { Array($0) }
            let isMapped = all.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
            bytes = isMapped ? Array(all.suffix(4)) : all
        } else {
            return nil
        }
    }

    /// Whether it is this machine.
    public var isLocal: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The address as text.
    public var description: String {
        var text = [CChar](repeating: 0, count: 46)
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, 46) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Reads a list of addresses that may connect.
    /// - Throws: `configuration` for a text that is no numeric address.
    public static func list(_ texts: [String]) throws(DockError) -> Set<SenderAddress> {
        var list: Set<SenderAddress> = []
        for text in texts {
            guard let address = SenderAddress(text) else {
                throw DockError(
                    .configuration, "\(text) is not a numeric address",
                    hint: "allow addresses such as 192.168.1.20; `ip address` or the phone's settings show them")
            }
            list.insert(address)
        }
        return list
    }
}
