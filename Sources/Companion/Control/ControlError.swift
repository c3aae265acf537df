internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Files
internal import PlainText

/// An error in the form that programs receive: JSON-RPC's code, DockKit's name, what happened and what to do.
struct ControlError: Error, Sendable, Equatable {
    var code: Int
    var name: String
    var message: String
    var hint: String

    /// The members of JSON-RPC's error object.
    var json: JSONValue {
        .object([
            "code": .number(code), "message": .string("\(name): \(message)"),
            "data": .object(["name": .string(name), "hint": .string(hint)]),
        ])
    }

    /// Returns the error for a line that is not JSON.
    static func parse(_ what: String) -> ControlError {
        ControlError(.parseError, what, hint: "send one JSON object a line, in UTF-8")
    }

    /// Returns the error for JSON that is not a request.
    static func invalidRequest(_ what: String) -> ControlError {
        ControlError(.invalidRequest, what, hint: #"send {"jsonrpc":"2.0","id":1,"method":"status"}"#)
    }

    /// Returns the error for a method that does not exist.
    static func unknownMethod(_ name: String) -> ControlError {
        let near = Spelling.nearest(to: name, among: MethodTable.rows.map(\.name))
        return ControlError(
            .methodNotFound, "unknown method \"\(name.prefix(40))\"",
            hint: near.map { "did you mean \"\($0)\"?" } ?? "see docs/CONTROL-API.md")
    }

    /// Converts an error of the dock or of a decoder.
    init(_ error: DockError) {
        self.init(APIErrorCode(error.code), error.message, hint: error.hint)
    }

    init(_ code: APIErrorCode, _ message: String, hint: String) {
        self.code = code.number
        name = code.rawValue
        self.message = ForeignText.line(message)
        self.hint = ForeignText.line(hint)
    }
}
