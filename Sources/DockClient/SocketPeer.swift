internal import Glibc

/// The process and the user at the other end of a Unix socket, as the kernel knows them.
package struct SocketPeer: Sendable, Equatable {
    /// The process.
    package let process: Int32
    /// The user.
    package let user: UInt32

    /// Reads it from a connection. The result is nil if it is unknown.
    package init?(of descriptor: Int32) {
        // The fields of `struct ucred`: process, user, group.
        var credentials = [UInt32](repeating: .max, count: 3)
        var size = socklen_t(12)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, size == 12 else { return nil }
        (process, user) = (Int32(bitPattern: credentials[0]), credentials[1])
    }
}
