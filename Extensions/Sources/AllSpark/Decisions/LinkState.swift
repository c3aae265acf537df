/// What a person sees of the connection.
public enum LinkState: Sendable, Equatable {
    /// The owner wants no connection.
    case off
    /// There is none, and why: red.
    case disconnected(String)
    /// An attempt is running: orange.
    case connecting
    /// There is one, without encryption, by the owner's word: green.
    case connected
    /// There is one to the server with the right certificate: green, with a lock.
    case secure

    /// The colour.
    public enum Colour: String, Sendable { case none, red, orange, green }

    /// The colour of the indicator.
    public var colour: Colour {
        switch self {
        case .off: .none
        case .disconnected: .red
        case .connecting: .orange
        case .connected, .secure: .green
        }
    }

    /// Whether a lock is shown beside it.
    public var hasLock: Bool { self == .secure }

    /// The state in words, for a server of this name.
    public func text(_ server: String) -> String {
        switch self {
        case .off: "no connection to \(server)"
        case .disconnected(let reason): "not connected to \(server): \(reason)"
        case .connecting: "connecting to \(server)"
        case .connected: "connected to \(server) without encryption"
        case .secure: "connected to \(server), encrypted"
        }
    }
}
