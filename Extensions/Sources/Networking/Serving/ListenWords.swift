internal import DockTypes
internal import Glibc
internal import NIOCore

/// Finds words for a port at which a server cannot listen.
enum ListenWords {
    static func failure(_ error: any Error, host: String, port: Int) -> DockError {
        let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?:
            return DockError(
                .portBusy, "another program is already listening on \(place)", hint: "end it, or choose another port")
        case EACCES?:
            return DockError(.permission, "this user may not listen on \(place)", hint: "choose a port above 1023")
        case EADDRNOTAVAIL?:
            return DockError(.cannotOpen, "this machine has no address \(host)", hint: "see `ip address`")
        default:
            return DockError(.cannotOpen, "cannot listen on \(place): \(error)", hint: "check the address and the port")
        }
    }
}
