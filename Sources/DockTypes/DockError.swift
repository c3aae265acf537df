internal import PlainText

/// An error about a dock: what happened, and what to do about it.
public struct DockError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure. Two errors are equal if their codes are equal.
    public enum Code: String, Sendable {
        /// No dock is attached, or it has disappeared.
        case notConnected
        /// The port exists but cannot be opened, or it is not a serial port.
        case cannotOpen
        /// The user has no permission to open the port.
        case permission
        /// Another program holds the port.
        case portBusy
        /// The device at the port is not the earlier one.
        case otherDevice
        /// A value is outside its range.
        case invalidParameter
        /// There is no subject at the tapped point.
        case noSubjectFound
        /// The rig cannot do this.
        case notSupportedByDevice
        /// A client with precedence owns the motion, or the mode does not allow the command.
        case busy
        /// The value is outside the limits of the rig or the session.
        case limitReached
        /// Observations arrive faster than 60 a second.
        case frameRateTooHigh
        /// Observations arrive too slowly for tracking.
        case frameRateTooLow
        /// This program does not support it.
        case notSupported
        /// A fault or an emergency stop is latched. A person must clear it.
        case faulted
        /// An answer did not arrive in time.
        case timeout
        /// The other side does not speak the protocol, or speaks another version.
        case protocolError
        /// The profile names an unknown driver or an unknown option of a driver.
        case configuration
    }

    /// The kind of failure.
    public var code: Code
    /// What happened and where, as a clause: "/dev/ttyACM0 is in use".
    public var message: String
    /// What to do, as an imperative: "stop the other program, or pass --port".
    public var hint: String

    /// Creates an error with a message and a hint of one line each. Quoted text (a path, a word, a reason from
    /// elsewhere) may contain control characters, which are escaped.
    public init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = ForeignText.line(message)
        self.hint = ForeignText.line(hint)
    }

    /// Creates an error with a message of several lines, for a file with several mistakes. Each line is escaped.
    public init(_ code: Code, lines: [String], hint: String) {
        self.code = code
        message = lines.map { ForeignText.line($0) }.joined(separator: "\n")
        self.hint = ForeignText.line(hint)
    }

    /// The code, the message and the hint in one line.
    public var description: String { "\(code.rawValue): \(message); \(hint)" }

    /// The exit status for a program that ends with this error (sysexits): 69, 75, 77 or 78.
    public var exitStatus: Int32 {
        switch code {
        case .permission: 77
        case .portBusy: 75
        case .configuration: 78
        default: 69
        }
    }

    /// Compares only the codes, so that a test checks the kind of error and not its wording.
    public static func == (a: DockError, b: DockError) -> Bool { a.code == b.code }
}
