internal import DockTypes
internal import Files
internal import Geometry
internal import Teleop

/// What a person can set: in `teleop.toml`, in `DOCKFACE_TELEOP_*`, and on the command line.
struct TeleopConfiguration: Sendable, Equatable {
    var settings = TeleopSettings()
    /// The address and the port to listen on.
    var listen = "127.0.0.1:6789"
    /// The addresses that may connect; empty for all.
    var allowed: [String] = []
    /// What the other gesture of the hand does, as it is written. If it is empty, the gesture does nothing.
    var gripper = ""

    /// Returns the host and the port.
    /// - Throws: `configuration` if the text names none.
    func place() throws(DockError) -> (host: String, port: Int) {
        guard let colon = listen.lastIndex(of: ":"), let port = Int(listen[listen.index(after: colon)...]),
            (0...65_535).contains(port), colon > listen.startIndex
        else {
            throw DockError(
                .configuration, "listen: \(listen) is not an address with a port",
                hint: "write 127.0.0.1:6789, for instance")
        }
        var host = String(listen[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        return (host, port)
    }

    /// Reads what the hand's other gesture does into the settings.
    /// - Throws: `configuration` if it may not do that.
    mutating func readGripper() throws(DockError) {
        guard !gripper.isEmpty else { return }
        guard let sign = HandSign(gripper) else {
            throw DockError(
                .configuration, "gripper: a hand may not do \"\(gripper)\"", hint: "it may do \(HandSign.forms)")
        }
        settings.gripper = sign
    }

    /// Whether only programs of this machine can connect.
    var isLocal: Bool { listen.hasPrefix("127.") || listen.hasPrefix("localhost:") || listen.hasPrefix("[::1]:") }

    /// The keys of `teleop.toml`.
    static let rows: [FileRow<TeleopConfiguration>] = [
        FileRow("listen", .text, get: { .text($0.listen) }) { $0.listen = $1.text },
        FileRow("allow", .texts(most: 16), get: { $0.allowed.isEmpty ? nil : .texts($0.allowed) }) {
            $0.allowed = $1.texts
        },
        FileRow("gain", .number(TeleopSettings.gains), get: { .number($0.settings.gain) }) {
            $0.settings.gain = $1.number
        },
        FileRow("mirror", .flag, get: { .flag($0.settings.isMirrored) }) { $0.settings.isMirrored = $1.flag },
        FileRow("silence", .number(TeleopSettings.silences), get: { .number($0.settings.silence) }) {
            $0.settings.silence = $1.number
        },
        FileRow("smoothing", .number(TeleopSettings.smoothings), get: { .number($0.settings.smoothing) }) {
            $0.settings.smoothing = $1.number
        },
        FileRow("gripper", .text, get: { $0.gripper.isEmpty ? nil : .text($0.gripper) }) { $0.gripper = $1.text },
        FileRow("reset", .flag, get: { .flag($0.settings.allowsReset) }) { $0.settings.allowsReset = $1.flag },
    ]
}
