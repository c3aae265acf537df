internal import AllSpark
internal import Files
internal import Glibc

/// How this machine is connected, as the kernel describes the network interface.
enum LinkMedium {
    /// Returns the medium of the interface that has this numeric address, or nil if it is not known.
    static func of(_ address: String) -> Medium? {
        guard let interface = interface(with: address) else { return nil }
        let folder = "/sys/class/net/\(interface)"
        let facts = (try? StoredFile.read(folder + "/uevent")).flatMap { $0 } ?? ""
        let driver = link(folder + "/device/driver"), kind = (try? StoredFile.read(folder + "/type")).flatMap { $0 }
        return medium(
            facts: facts, driver: driver, isWireless: access(folder + "/phy80211", F_OK) == 0, kind: kind ?? "")
    }

    /// What the kernel's words about an interface mean.
    /// - Parameters:
    ///   - facts: its file `uevent`.
    ///   - driver: the name of its driver, or nil if it has none.
    ///   - isWireless: whether it belongs to a radio of IEEE 802.11.
    ///   - kind: its file `type`, a number of `linux/if_arp.h`.
    static func medium(facts: String, driver: String?, isWireless: Bool, kind: String) -> Medium? {
        let device = facts.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }?.dropFirst(8)
        switch device {
        case "wlan": return .wifi
        case "wwan": return .cellular
        case "bluetooth": return .bluetooth
        default: break
        }
        if isWireless { return .wifi }
        // A telephone at the cable. Network adapters at USB have drivers of their own.
        if let driver, ["rndis_host", "ipheth"].contains(driver) { return .usb }
        return kind.hasPrefix("1\n") && driver != nil ? .ethernet : nil
    }

    private static func interface(with address: String) -> String? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            if let place = entry.ifa_addr, let name = entry.ifa_name, text(of: place) == address {
                return String(cString: name)
            }
        }
        return nil
    }

    private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let family = Int32(address.pointee.sa_family)
        let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        guard family == AF_INET || family == AF_INET6 else { return nil }
        var host = [CChar](repeating: 0, count: 64)
        guard getnameinfo(address, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        // The scope of a local address is not part of it.
        let name = host.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }
        return String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func link(_ path: String) -> String? {
        var target = [CChar](repeating: 0, count: 1024)
        let count = readlink(path, &target, target.count)
        guard count > 0 else { return nil }
        let text = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: "/").last.map(String.init)
    }
}
