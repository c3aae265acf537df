public import DockTypes

/// Why a connection could not be made, or has ended: what happened, where, and what to do.
public struct TransportFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, Equatable {
        /// No such name.
        case nameNotFound
        /// The machine is there, but no program listens at the port.
        case refused
        /// There is no way to the machine.
        case unreachable
        /// No connection, or no answer, in time.
        case timedOut
        /// The server closed the connection without an answer.
        case closedWithoutAnswer
        /// The port expects TLS, and the connection was plain.
        case needsTLS
        /// The port answered something other than TLS.
        case needsPlain
        /// The certificate is no longer valid, or not yet.
        case expired, notYetValid
        /// The certificate is for another name.
        case wrongName
        /// The certificate vouches for itself.
        case selfSigned
        /// No accepted authority vouches for the certificate.
        case unknownAuthority
        /// The certificate is not the accepted one.
        case changedPin
        /// TLS failed for another reason.
        case tlsFailed
        /// The server answered with this HTTP status, and no WebSocket was opened.
        case notWebSocket(status: Int)
        /// The answer is not HTTP.
        case notHTTP
        /// The server broke the protocol, or sent a message that is too large.
        case protocolViolation, tooLarge
        /// No byte arrived for too long.
        case silent
        /// The connection broke off without a close frame.
        case torn
        /// The server ended the connection with this number, or without one.
        case closed(code: Int?)
        /// This side has ended the connection.
        case closedHere
        /// The file to send has become shorter, or cannot be read.
        case file
        /// Another message is being sent.
        case busy
    }

    /// The kind of failure.
    public let kind: Kind
    /// What happened and where.
    public let message: String
    /// What to do.
    public let hint: String

    init(_ kind: Kind, _ message: String, hint: String) {
        let error = DockError(.notConnected, message, hint: hint)
        (self.kind, self.message, self.hint) = (kind, error.message, error.hint)
    }

    /// The message and the hint.
    public var description: String { "\(message); \(hint)" }

    /// The same as an error for a person.
    public var error: DockError { DockError(code, message, hint: hint) }

    private var code: DockError.Code {
        switch kind {
        case .timedOut, .silent: .timeout
        case .notWebSocket, .notHTTP, .protocolViolation, .tooLarge, .needsTLS, .needsPlain: .protocolError
        case .expired, .notYetValid, .wrongName, .selfSigned, .unknownAuthority, .changedPin, .tlsFailed: .permission
        case .busy: .busy
        case .file: .cannotOpen
        case .nameNotFound, .refused, .unreachable, .closedWithoutAnswer, .torn, .closed, .closedHere: .notConnected
        }
    }
}
