public import DockTypes

/// The user's name for a port: a path, a USB serial number, a position on the USB, or a server on the network.
public enum PortName: Sendable, Equatable, CustomStringConvertible {
    /// A path: "/dev/ttyACM0", "/dev/serial/by-id/...", a pty.
    case path(String)
    /// The form "usb:SERIAL": the device with this number, wherever it is plugged in.
    case serial(String)
    /// The form "place:0000:00:14.0/1.2:00": any device that is plugged in there.
    case place(String)
    /// The form "tcp:HOST:PORT": a serial port that a server (ser2net) passes on unchanged.
    case server(host: String, port: UInt16)
    /// The word "none": there is no dock, and none is expected.
    case absent

    /// Reads a name as the user types it.
    /// - Throws: `DockError` with `invalidParameter`.
    public init(_ text: String) throws(DockError) {
        func rest(_ prefix: String) -> String? {
            text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
        }
        if text == "none" {
            self = .absent
        } else if let serial = rest("usb:") {
            guard !serial.isEmpty else { throw Self.wrong(text, "write usb:SERIAL") }
            self = .serial(serial)
        } else if let place = rest("place:") {
            guard place.contains("/") else { throw Self.wrong(text, "write the place as `dockface ports` shows it") }
            self = .place(place)
        } else if let server = rest("tcp:") {
            // An IPv6 address has colons, and is written in brackets.
            guard let colon = server.lastIndex(of: ":"), let port = UInt16(server[server.index(after: colon)...]),
                port > 0
            else { throw Self.wrong(text, "write tcp:HOST:PORT, as in tcp:192.168.0.7:2217") }
            var host = server[..<colon]
            if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
            guard !host.isEmpty else { throw Self.wrong(text, "write tcp:HOST:PORT, as in tcp:192.168.0.7:2217") }
            self = .server(host: String(host), port: port)
        } else {
            guard !text.isEmpty else {
                throw Self.wrong(text, "expected a path, usb:SERIAL, place:PLACE or tcp:HOST:PORT")
            }
            self = .path(text)
        }
    }

    private static func wrong(_ text: String, _ hint: String) -> DockError {
        DockError(.invalidParameter, "\"\(text)\" is not a port name", hint: hint)
    }

    /// The name as the user types it.
    public var description: String {
        switch self {
        case .path(let path): path
        case .serial(let serial): "usb:" + serial
        case .place(let place): "place:" + place
        case .absent: "none"
        case .server(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        }
    }
}
