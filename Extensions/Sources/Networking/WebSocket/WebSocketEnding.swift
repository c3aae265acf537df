internal import Synchronization

/// How a connection has ended.
public struct WebSocketEnding: Sendable, Equatable {
    /// The number in the server's close frame, if it sent one.
    public let code: Int?
    /// What happened.
    public let failure: TransportFailure

    /// Whether one of the sides ended it in agreement: this one, or the server with 1000 or 1001.
    public var isOrderly: Bool {
        switch failure.kind {
        case .closedHere: true
        case .closed(let code): code == 1000 || code == 1001
        default: false
        }
    }
}

/// The ending of one connection: the first reason counts.
final class EndingRecord: Sendable {
    private let place: String
    private let state = Mutex<TransportFailure?>(nil)

    init(_ place: String) { self.place = place }

    /// Notes a reason, unless there is one.
    func note(_ kind: TransportFailure.Kind, _ what: String, hint: String) {
        let failure = TransportFailure(kind, "\(place) \(what)", hint: hint)
        state.withLock { if $0 == nil { $0 = failure } }
    }

    /// The reason. A connection without one broke off.
    var failure: TransportFailure {
        state.withLock { $0 }
            ?? TransportFailure(.torn, "\(place) broke the connection off", hint: "check the server and the network")
    }

    var ending: WebSocketEnding {
        let failure = failure
        if case .closed(let code) = failure.kind { return WebSocketEnding(code: code, failure: failure) }
        return WebSocketEnding(code: nil, failure: failure)
    }
}
