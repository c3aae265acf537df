public import ControlProtocol
public import DockTypes

/// An event that a daemon sends to subscribers.
public struct DaemonEvent: Sendable, Equatable {
    /// Its topic.
    public var topic: String
    /// The number of the change of the topic.
    public var sequence: Int
    /// Whether it is the whole state and not a change, because it is the first event or because events were omitted.
    public var isSnapshot: Bool
    /// The number of events that could not be sent, from 0 to 2^31.
    public var lost: Int
    /// The data, in the form of its topic.
    public var data: JSONValue
    /// All parameters, unchanged.
    public var parameters: JSONValue

    /// Reads a message. The result is nil if it is not an event.
    init?(_ message: JSONValue) {
        guard message["method"]?.string == "event", let parameters = message["params"],
            let topic = parameters["topic"]?.string
        else { return nil }
        self.topic = topic
        sequence = parameters["seq"]?.integer ?? 0
        isSnapshot = parameters["kind"]?.string == "snapshot"
        // Readers add these up, so a foreign number must not be able to overflow their sum.
        lost = min(max(parameters["lost"]?.integer ?? 0, 0), 1 << 31)
        data = parameters["data"] ?? .null
        self.parameters = parameters
    }
}

/// An error that a daemon sent.
public struct ControlRefusal: Error, Sendable, Equatable {
    /// The error object of JSON-RPC, unchanged.
    public var object: JSONValue

    init(_ object: JSONValue) { self.object = object }

    /// The same error for use in this program: name, message and hint. An unknown name becomes `protocolError`.
    public var error: DockError {
        let name = object["data"]?["name"]?.string ?? ""
        var message = object["message"]?.string ?? "refused without a reason"
        // On the wire the message begins with the name, for clients that read only the message.
        if !name.isEmpty, message.hasPrefix(name + ": ") { message.removeFirst(name.utf8.count + 2) }
        let hint = object["data"]?["hint"]?.string ?? ""
        return DockError(
            DockError.Code(rawValue: name) ?? .protocolError, message, hint: hint.isEmpty ? "try `dockface help`" : hint
        )
    }
}

extension DockError {
    /// The error as an error object of JSON-RPC. An error from this side of the connection has no code.
    public var asObject: JSONValue {
        .object([
            "message": .string("\(code.rawValue): \(message)"),
            "data": .object(["name": .string(code.rawValue), "hint": .string(hint)]),
        ])
    }
}
