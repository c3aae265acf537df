internal import Glibc

/// Numeric addresses as text.
enum NumericAddress {
    /// The IPv4 address, or nil if the text is none.
    static func ipv4(_ text: String) -> in_addr? {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1 ? address : nil
    }

    /// Whether the text is an IPv6 address, also one with a scope such as `fe80::1%eth0`.
    static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first, inet_pton(AF_INET6, String(number), &address) == 1 else { return false }
        // The scope is the name of an interface.
        guard parts.count == 2 else { return true }
        return (1...15).contains(parts[1].utf8.count)
            && parts[1].utf8.allSatisfy { (0x21..<0x7F).contains($0) && !Array("/[]%".utf8).contains($0) }
    }
}
