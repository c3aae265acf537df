internal import PlainText

/// What went wrong with a dock: what happened, and what to do about it.
public struct DockError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; equality of errors is equality of codes.
    public enum Code: String, Sendable {
        /// No dock is attached, or it has gone.
        case notConnected
        /// The port exists and cannot be opened, or is no serial port.
        case cannotOpen
        /// The user may not open the port.
        case permission
        /// Another program holds the port.
        case portBusy
        /// Another device is at the port than the one that was there before.
        case otherDevice
        /// A value is outside its range.
        case invalidParameter
        /// No subject at the place that was tapped.
        case noSubjectFound
        /// The rig cannot do this.
        case notSupportedByDevice
        /// Somebody with precedence owns the motion, or the mode does not allow it.
        case busy
        /// Outside the limits of the rig or of the session.
        case limitReached
        /// Observations come faster than 60 a second.
        case frameRateTooHigh
        /// Observations come too slowly to steer by.
        case frameRateTooLow
        /// This program cannot do it.
        case notSupported
        /// A latched fault or emergency stop; it must be cleared by hand.
        case faulted
        /// An answer stayed out.
        case timeout
        /// The other side does not speak the protocol, or another version of it.
        case protocolError
        /// The profile names a driver that does not exist, or an option it does not know.
        case configuration
    }

    /// The kind of failure.
    public var code: Code
    /// What happened and where, as a clause: "/dev/ttyACM0 is in use".
    public var message: String
    /// What to do, as an imperative: "stop the other program, or pass --port".
    public var hint: String

    /// What happened, where and what to do: one line each. What they quote (a path, a word, a reason from elsewhere) need not be
    /// plain.
    public init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = ForeignText.line(message)
        self.hint = ForeignText.line(hint)
    }

    /// A message of several lines, as a file with several mistakes needs it; each of them is made plain.
    public init(_ code: Code, lines: [String], hint: String) {
        self.code = code
        message = lines.map { ForeignText.line($0) }.joined(separator: "\n")
        self.hint = ForeignText.line(hint)
    }

    /// Message and hint in one line.
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

    /// Errors with the same code are equal: a test compares the kind, not the wording.
    public static func == (a: DockError, b: DockError) -> Bool { a.code == b.code }
}
