public import DockTypes
internal import Glibc

/// How the work of an extension ended, as a pure value with its exit status.
public enum ExtensionEnding: Sendable, Equatable {
    /// It has done its work, or a person has ended it with Ctrl-C.
    case done
    /// This signal has ended it in order. Its status differs from that of work that is done, because the daemon that
    /// runs it may not have sent the signal, and then starts it again.
    case stopped(Int32)
    /// It failed, for this reason.
    case failed(DockError)
    /// It failed with an error that it does not know.
    case broken(String)

    /// Judges the result of the work.
    /// - Parameter signal: the signal that asked it to end, or nil if none has. Errors that a cancelled task reports do
    ///   not count then.
    init(_ result: Result<Void, any Error>, signal: Int32?) {
        let orderly = signal.flatMap { $0 == SIGINT ? nil : ExtensionEnding.stopped($0) } ?? .done
        switch result {
        case .success: self = orderly
        case .failure(let error):
            switch error {
            case is CancellationError where signal != nil: self = orderly
            case let error as DockError where signal != nil && [.timeout, .notConnected].contains(error.code):
                self = orderly
            case let error as DockError: self = .failed(error)
            default: self = .broken("\(error)")
            }
        }
    }

    /// The exit status: 0; 128 and the number of the signal; the status of the error (sysexits), 70 for an unknown one.
    public var exitStatus: Int32 {
        switch self {
        case .done: 0
        case .stopped(let signal): 128 + signal
        case .failed(let error): error.exitStatus
        case .broken: 70
        }
    }

    /// The line for the log, or nil if there is no error.
    public var complaint: String? {
        switch self {
        case .done, .stopped: nil
        case .failed(let error): error.hint.isEmpty ? error.message : "\(error.message); \(error.hint)"
        case .broken(let text): text
        }
    }
}
