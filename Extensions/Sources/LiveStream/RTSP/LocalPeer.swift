internal import Glibc

/// Who has connected to a socket of this machine. The kernel tells that of TCP only in a table.
enum LocalPeer {
    /// The longest table that is read, in bytes.
    private static let longest = 4 << 20

    /// Returns whether the program at the other end of a connection belongs to this user. Without the table that is not
    /// known, and is assumed.
    static func isOwn(_ descriptor: Int32) -> Bool {
        guard let port = Self.port(of: descriptor, getpeername), let door = Self.port(of: descriptor, getsockname),
            let table = table()
        else { return true }
        return owner(port: port, door: door, in: table) == getuid()
    }

    /// Returns the user of the connection from `port` to `door` in a table such as /proc/net/tcp, or nil if it is not there.
    static func owner(port: UInt16, door: UInt16, in table: String) -> uid_t? {
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ")
            guard fields.count > 7, fields[1].hasSuffix(hex(port)), fields[2].hasSuffix(hex(door)) else { continue }
            return uid_t(fields[7])
        }
        return nil
    }

    private static func hex(_ port: UInt16) -> String {
        let digits = String(port, radix: 16, uppercase: true)
        return ":" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func port(
        of descriptor: Int32,
        _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> UInt16? {
        var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &length) }
        }
        return status == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }

    private static func table() -> String? {
        let file = open("/proc/net/tcp", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < longest {
            let count = read(file, &part, part.count)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
