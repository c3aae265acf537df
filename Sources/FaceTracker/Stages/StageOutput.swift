internal import Geometry

/// The lines of a stage's child: the number of bytes that may be read, and whether there will be more.
struct StageOutput {
    var relay: StreamRelay
    /// Whether the child has sent its bye, so that there are no more frames for it.
    private(set) var saidBye = false
    /// The time before which the output is not read, because the child has sent more than it may.
    private var opensAt: Seconds = -.infinity
    /// When the output was closed, or nil while it is open.
    private var closedAt: Seconds?

    /// The usual time from the end of the output to the end of the process, in seconds.
    private static let lastMoment: Seconds = 0.5

    init(_ relay: StreamRelay) { self.relay = relay }

    /// Begins a new child.
    mutating func begin() {
        relay.begin()
        (saidBye, closedAt) = (false, nil)
    }

    /// Returns how many bytes may be read now; 0 means none before `opens`.
    mutating func room(now: Seconds) -> Int {
        let room = relay.room(now: now)
        if room <= 0 { opensAt = relay.opens }
        return room
    }

    /// Returns when to wait for the output again, or nil if that is now.
    func opens(after now: Seconds) -> Seconds? { opensAt > now ? opensAt : nil }

    mutating func bye() { saidBye = true }

    mutating func closed(now: Seconds) { closedAt = now }

    /// Records that the process has ended.
    mutating func ended() { closedAt = nil }

    /// When a child that has closed its output should have ended, or nil if the output is open.
    var deadline: Seconds? { closedAt.map { $0 + Self.lastMoment } }
}
