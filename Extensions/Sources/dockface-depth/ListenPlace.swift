import DepthStream
import DockTypes
import ExtensionKit
import Networking

/// Where the program listens, and which senders it accepts.
struct ListenPlace: Sendable {
    /// The port that the app connects to.
    static let usualPort = 5000

    /// The numeric address or the name, and the port; 0 for any free one.
    let host: String, port: Int
    /// The addresses that may send; empty for all.
    let allowed: Set<SenderAddress>

    /// Checks the settings.
    /// - Throws: `configuration`.
    init(_ settings: DepthSettings) throws(DockError) {
        // Any free port is a place to listen, and no address of a server.
        let isAny = settings.listen.hasSuffix(":0")
        let text = isAny ? settings.listen.dropLast() + "1" : settings.listen
        let address = try ServerAddress(text, defaultPort: Self.usualPort)
        guard address.scheme == nil, address.path == "/", !address.host.allSatisfy(\.isNumber) else {
            throw DockError(
                .configuration, "\(settings.listen) is not an address to listen at",
                hint: "write ADDRESS:PORT, such as 0.0.0.0:\(Self.usualPort)")
        }
        (host, port, allowed) = (address.host, isAny ? 0 : address.port, try SenderAddress.list(settings.allow))
    }

    /// Returns a place, ADDRESS:PORT or ADDRESS, with another port.
    static func text(_ place: String, port: Int) -> String {
        // The colons of an address in brackets do not begin a port.
        let rest = place.lastIndex(of: "]") ?? place.startIndex
        let end = place[rest...].lastIndex(of: ":") ?? place.endIndex
        return "\(place[..<end]):\(port)"
    }

    /// The place as text, with the port at which it really listens.
    func text(port: Int) -> String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether only this machine can connect.
    var isLocal: Bool { host == "localhost" || SenderAddress(host)?.isLocal == true }

    /// Says where it listens, and what a person must know about that.
    func announce(port: Int, _ log: ExtensionLog) {
        log.note("listening on \(text(port: port)) until Ctrl-C; nothing is kept")
        guard !isLocal else { return }
        if allowed.isEmpty {
            log.warning(
                "EVERY program in the network can send pictures here: the stream is neither encrypted nor "
                    + "authenticated; pass --allow ADDRESS for each sender")
        } else {
            log.note("the stream is not encrypted: everyone in the network can see the pictures")
        }
    }
}
