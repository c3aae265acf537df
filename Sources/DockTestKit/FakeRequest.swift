public import ControlProtocol

/// A request as it arrived at a fake daemon.
public struct FakeRequest: Sendable, Equatable {
    /// The number of the connection, from 1 on.
    public let connection: Int
    /// The whole line, without its end.
    public let line: String
    /// The id for the answer, or nil if none is wanted.
    public let id: JSONValue?
    /// The method; empty if the line is no request.
    public let method: String
    /// The parameters; null if there are none.
    public let parameters: JSONValue

    init(_ bytes: [UInt8], on connection: Int) {
        let json = JSONValue(json: bytes) ?? .null
        self.connection = connection
        line = String(decoding: bytes, as: UTF8.self)
        id = json["id"]
        method = json["method"]?.string ?? ""
        parameters = json["params"] ?? .null
    }

    /// A parameter by its name, or nil if it was not given.
    public subscript(name: String) -> JSONValue? { parameters[name] }

    /// The words of the method `command`, otherwise the method's name.
    public var words: String { method == "command" ? parameters["line"]?.string ?? "" : method }
}
