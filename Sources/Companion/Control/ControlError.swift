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

    /// The line is not JSON.
    static func parse(_ what: String) -> ControlError {
        ControlError(code: -32700, name: "parseError", message: what, hint: "send one JSON object a line, in UTF-8")
    }

    /// It is JSON, but not a request.
    static func invalidRequest(_ what: String) -> ControlError {
        ControlError(
            code: -32600, name: "invalidRequest", message: what,
            hint: #"send {"jsonrpc":"2.0","id":1,"method":"status"}"#)
    }

    /// The method does not exist.
    static func unknownMethod(_ name: String) -> ControlError {
        let near = Spelling.nearest(to: name, among: ControlMethods.rows.map(\.name))
        return ControlError(
            code: -32601, name: "methodNotFound", message: "unknown method \"\(name.prefix(40))\"",
            hint: near.map { "did you mean \"\($0)\"?" } ?? "see docs/CONTROL-API.md")
    }

    /// An error of the dock or of a decoder.
    init(_ error: DockError) {
        let row = Self.row(error.code)
        self.init(code: row.code, name: row.name.rawValue, message: error.message, hint: error.hint)
    }

    init(code: Int, name: String, message: String, hint: String) {
        self.code = code
        self.name = name
        self.message = ForeignText.line(message)
        self.hint = ForeignText.line(hint)
    }

    /// Errors that only occur at the start (a port that cannot be opened, an invalid profile) mean for a program that there is
    /// no dock.
    static func row(_ code: DockError.Code) -> (name: DockError.Code, code: Int) {
        switch code {
        case .invalidParameter: (code, -32602)
        case .notConnected, .cannotOpen, .permission, .portBusy, .otherDevice, .configuration: (.notConnected, -32001)
        case .notSupportedByDevice: (code, -32002)
        case .noSubjectFound: (code, -32003)
        case .frameRateTooHigh: (code, -32004)
        case .frameRateTooLow: (code, -32005)
        case .notSupported: (code, -32006)
        case .busy: (code, -32007)
        case .limitReached: (code, -32008)
        case .timeout: (code, -32009)
        case .protocolError: (code, -32010)
        case .faulted: (code, -32011)
        }
    }
}
