internal import ControlProtocol
internal import DockTypes

/// A daemon's description of itself, its first message.
public struct ControlGreeting: Sendable, Equatable {
    /// Its version.
    public var version: String
    /// The version of the protocol.
    public var speaks: Int
    /// What it can do that older daemons cannot, by name, such as "pictures".
    public var features: Set<String> = []

    /// The version of the protocol that this library speaks.
    public static let speaks = 1
}

extension ControlGreeting {
    /// Reads the first line from a socket.
    /// - Throws: the daemon's refusal, such as `busy`; `protocolError` if it is another program or another version.
    init(_ line: [UInt8], from path: String) throws(DockError) {
        let first = JSONValue(json: line)
        // A daemon without a free slot sends an error and closes the connection.
        if let refusal = first?["error"] { throw ControlRefusal(refusal).error }
        guard first?["name"]?.string == "dockface", let speaks = first?["protocol"]?.integer else {
            throw DockError(
                .protocolError, "the program at \(path) is not dockface",
                hint: "give dockface's socket with --socket PATH")
        }
        version = first?["version"]?.string ?? "?"
        self.speaks = speaks
        features = Set((first?["features"]?.array ?? []).compactMap(\.string))
        guard speaks == Self.speaks else {
            throw DockError(
                .protocolError,
                "the dockface \(version) at \(path) speaks protocol \(speaks), this program speaks \(Self.speaks)",
                hint: "update the older one, and restart the daemon")
        }
    }

    /// Checks that the daemon has a feature.
    /// - Throws: `notSupported`, which says what to do.
    func require(_ feature: String, at path: String) throws(DockError) {
        guard !features.contains(feature) else { return }
        throw DockError(
            .notSupported, "the dockface \(version) at \(path) has no \(feature)",
            hint: "update it, and restart the daemon")
    }

    /// Returns the error for a line that is not JSON.
    static func invalid(_ line: [UInt8], from path: String) -> DockError {
        DockError(
            .protocolError, "\(path) sent invalid JSON: \(String(decoding: line.prefix(60), as: UTF8.self))",
            hint: "check that this is dockface's socket")
    }
}
