public import DockTypes

/// The names of the API's errors, with JSON-RPC's codes.
public enum APIErrorCode: String, Sendable, CaseIterable {
    /// The line is not JSON.
    case parseError
    /// It is JSON, but not a request.
    case invalidRequest
    /// The method does not exist.
    case methodNotFound
    /// A parameter is missing, unknown or out of its range.
    case invalidParameter
    /// There is no dock, or its port cannot be used.
    case notConnected
    /// The rig cannot do this.
    case notSupportedByDevice
    /// There is no subject at the point.
    case noSubjectFound
    /// Observations arrive too often.
    case frameRateTooHigh
    /// Observations arrive too infrequently.
    case frameRateTooLow
    /// This program does not support it.
    case notSupported
    /// A client with precedence owns the dock, or the mode does not allow it.
    case busy
    /// The value is outside the limits.
    case limitReached
    /// An answer did not arrive in time.
    case timeout
    /// The other side speaks another protocol.
    case protocolError
    /// A fault is latched.
    case faulted

    /// The code on the wire.
    public var number: Int {
        switch self {
        case .parseError: -32700
        case .invalidRequest: -32600
        case .methodNotFound: -32601
        case .invalidParameter: -32602
        case .notConnected: -32001
        case .notSupportedByDevice: -32002
        case .noSubjectFound: -32003
        case .frameRateTooHigh: -32004
        case .frameRateTooLow: -32005
        case .notSupported: -32006
        case .busy: -32007
        case .limitReached: -32008
        case .timeout: -32009
        case .protocolError: -32010
        case .faulted: -32011
        }
    }

    /// Creates the error that a program receives for an error of a dock. Errors that only occur at the start (a port
    /// that cannot be opened, an invalid profile) mean for a program that there is no dock.
    public init(_ code: DockError.Code) {
        self =
            switch code {
            case .invalidParameter: .invalidParameter
            case .notConnected, .cannotOpen, .permission, .portBusy, .otherDevice, .configuration: .notConnected
            case .notSupportedByDevice: .notSupportedByDevice
            case .noSubjectFound: .noSubjectFound
            case .frameRateTooHigh: .frameRateTooHigh
            case .frameRateTooLow: .frameRateTooLow
            case .notSupported: .notSupported
            case .busy: .busy
            case .limitReached: .limitReached
            case .timeout: .timeout
            case .protocolError: .protocolError
            case .faulted: .faulted
            }
    }
}
