public import DockControl

/// Something that a daemon tells those who subscribed.
public struct DaemonEvent: Sendable, Equatable {
    /// What it is about.
    public var topic: String
    /// Counts the changes of the topic.
    public var sequence: Int
    /// The whole state, not a change: it is the first, or some were left out.
    public var isSnapshot: Bool
    /// So many could not be sent.
    public var lost: Int
    /// The state, by topic.
    public var data: JSONValue
    /// All of it, as it came.
    public var parameters: JSONValue

    /// Reads a message; nil: it is no event.
    init?(_ message: JSONValue) {
        guard message["method"]?.string == "event", let parameters = message["params"],
            let topic = parameters["topic"]?.string
        else { return nil }
        self.topic = topic
        sequence = parameters["seq"]?.integer ?? 0
        isSnapshot = parameters["kind"]?.string == "snapshot"
        lost = parameters["lost"]?.integer ?? 0
        data = parameters["data"] ?? .null
        self.parameters = parameters
    }
}

/// A daemon's "no".
public struct ControlRefusal: Error, Sendable, Equatable {
    /// The error object of JSON-RPC, as it came.
    public var object: JSONValue

    init(_ object: JSONValue) { self.object = object }

    /// As an error of this program: the same name, message and hint. A name that is not known becomes `protocolError`.
    public var error: DockError {
        let name = object["data"]?["name"]?.string ?? ""
        var message = object["message"]?.string ?? "refused without a reason"
        // On the wire the message begins with the name, for those who look at nothing else.
        if !name.isEmpty, message.hasPrefix(name + ": ") { message.removeFirst(name.utf8.count + 2) }
        let hint = object["data"]?["hint"]?.string ?? ""
        return DockError(
            DockError.Code(rawValue: name) ?? .protocolError, message, hint: hint.isEmpty ? "try `dockface help`" : hint
        )
    }
}

extension DockError {
    /// As an error object of JSON-RPC. What was found on this side of the connection has no code.
    public var asObject: JSONValue {
        .object([
            "message": .string("\(code.rawValue): \(message)"),
            "data": .object(["name": .string(code.rawValue), "hint": .string(hint)]),
        ])
    }
}
