internal import ControlProtocol
internal import Geometry
internal import Glibc

/// What a signal asks for, as a pure value.
struct StopRequest: Sendable, Equatable {
    /// What to do next.
    enum Order: Sendable, Equatable {
        /// Cancel the work, and give it `grace`.
        case cancel
        /// End the process now, with this status.
        case endNow(Int32)
        /// Nothing new.
        case none
    }

    /// How long the work may take to end, in seconds.
    static let grace = ExtensionTimes.end
    /// A second Ctrl-C counts only after this time, in seconds. A terminal and a parent may both pass on the first one.
    static let pause: Seconds = 0.5

    /// The first signal, or nil if none has arrived.
    private(set) var first: Int32?
    private var since: Seconds = 0

    /// Records a signal.
    mutating func received(_ signal: Int32, now: Seconds) -> Order {
        guard first != nil else {
            (first, since) = (signal, now)
            return .cancel
        }
        // Only a person who presses the keys again is impatient. A TERM after the Ctrl-C is the parent's usual order.
        guard signal == SIGINT, now - since >= Self.pause else { return .none }
        return .endNow(128 + signal)
    }

    /// The status of a process whose work did not end within `grace`.
    var overdueStatus: Int32 { 128 + (first ?? SIGTERM) }
}
