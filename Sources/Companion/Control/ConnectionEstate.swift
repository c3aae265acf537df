internal import Geometry

/// What is left of a connection that has closed, while its requests are still carried out. Pure.
struct ConnectionEstate {
    /// Its requests are given up after this time, seconds.
    static let patience: Seconds = 10

    private let closedAt: Seconds
    /// Stops that still wait. They were carried out at once, and no request before them may start motion.
    var stops = 0
    /// It closed while it held the lease: none of its remaining requests may move the dock.
    var lostLease = false

    init(closedAt: Seconds) { self.closedAt = closedAt }

    /// Whether its requests have waited too long.
    func isOverdue(now: Seconds) -> Bool { now - closedAt >= Self.patience }

    /// Whether the next request is carried out. Queries are not, because no client reads their answers. Motion before a stop is not,
    /// because the stop was carried out when the connection closed. Nor is any motion of a program that closed while it held the
    /// lease.
    mutating func admit(_ request: ControlRequest) -> Bool {
        guard case .success(let call) = request.call else { return false }
        if call.isStop { stops -= 1 }
        if lostLease, call == .command(.acquireControl) { return false }
        return !call.isQuestion && !((stops > 0 || lostLease) && call.movesAfterStop)
    }
}
