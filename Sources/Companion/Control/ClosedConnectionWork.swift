internal import Geometry

/// The remainder of a connection that has closed, while its requests are still being executed. It is pure.
struct ClosedConnectionWork {
    /// The time after which its requests are given up, in seconds.
    static let patience: Seconds = 10

    private let closedAt: Seconds
    /// The number of stops that still wait. They were executed at once, and no request before them may start motion.
    var stops = 0
    /// Whether it closed while it held the lease, so that none of its remaining requests may move the dock.
    var lostLease = false

    init(closedAt: Seconds) { self.closedAt = closedAt }

    /// Returns whether its requests have waited too long.
    func isOverdue(now: Seconds) -> Bool { now - closedAt >= Self.patience }

    /// Returns whether the next request is executed. Queries are not, because no client reads their answers. Motion
    /// before a stop is not, because the stop was executed when the connection closed. Nor is any motion of a program
    /// that closed while it held the lease, nor what a program shows.
    mutating func admit(_ request: ControlRequest) -> Bool {
        guard case .success(let call) = request.call else { return false }
        if call.isStop { stops -= 1 }
        if lostLease, call == .command(.acquireControl) { return false }
        // It would be shown for a connection that is gone.
        if case .command(.show) = call { return false }
        return !call.isQuestion && !((stops > 0 || lostLease) && call.movesAfterStop)
    }
}
