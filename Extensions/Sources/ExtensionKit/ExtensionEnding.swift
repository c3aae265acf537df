public import DockTypes

/// How the work of an extension ended, as a pure value with its exit status.
public enum ExtensionEnding: Sendable, Equatable {
    /// It has done its work, or a signal ended it in order.
    case done
    /// It failed, for this reason.
    case failed(DockError)
    /// It failed with an error that it does not know.
    case broken(String)

    /// Judges the result of the work.
    /// - Parameter wasStopped: whether a signal asked it to end. Errors that a cancelled task reports do not count
    ///   then.
    init(_ result: Result<Void, any Error>, wasStopped: Bool) {
        switch result {
        case .success: self = .done
        case .failure(let error):
            switch error {
            case is CancellationError where wasStopped: self = .done
            case let error as DockError where wasStopped && [.timeout, .notConnected].contains(error.code): self = .done
            case let error as DockError: self = .failed(error)
            default: self = .broken("\(error)")
            }
        }
    }

    /// The exit status (sysexits): 0; the status of the error; 70 for an unknown error.
    public var exitStatus: Int32 {
        switch self {
        case .done: 0
        case .failed(let error): error.exitStatus
        case .broken: 70
        }
    }

    /// The line for the log, or nil if there is no error.
    public var complaint: String? {
        switch self {
        case .done: nil
        case .failed(let error): error.hint.isEmpty ? error.message : "\(error.message); \(error.hint)"
        case .broken(let text): text
        }
    }
}
