package import Glibc

/// The path through which the daemon and the verbs connect.
public enum ControlSocketPath {
    /// The service's socket (packaging/dockface.service).
    public static let service = "/run/dockface/dockface.sock"

    /// Returns the default path of the socket: `DOCKFACE_SOCKET`, otherwise a path below `XDG_RUNTIME_DIR`, otherwise
    /// `/run/dockface` for root and `/tmp/dockface-UID` for other users. Empty variables count as not set.
    public static func `default`(environment: [String: String], uid: UInt32) -> String {
        if let path = environment["DOCKFACE_SOCKET"], !path.isEmpty { return path }
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
            return folder + (folder.hasSuffix("/") ? "" : "/") + "dockface/dockface.sock"
        }
        return uid == 0 ? service : "/tmp/dockface-\(uid)/dockface.sock"
    }

    /// Returns the folder of a socket.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The maximum length of a path that fits into a socket address, in bytes.
    package static let longest = 107

    /// Calls `body` with the address of a path. Returns nil if the path is empty or too long.
    package static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        let bytes = Array(path.utf8)
        guard (1...longest).contains(bytes.count), !bytes.contains(0) else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
