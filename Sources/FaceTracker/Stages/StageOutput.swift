internal import Geometry

/// The lines of a stage's child: how many bytes may be read, and whether there will be more.
struct StageOutput {
    var relay: StreamRelay
    /// The child has sent its bye; there are no more frames for it.
    private(set) var saidBye = false
    /// The output is not read before this time, because the child has sent more than it may.
    private var opensAt: Seconds = -.infinity
    /// When the output was closed; nil while it is open.
    private var closedAt: Seconds?

    /// The usual time from the end of the output to the end of the process, seconds.
    private static let lastMoment: Seconds = 0.5

    init(_ relay: StreamRelay) { self.relay = relay }

    /// A child starts.
    mutating func begin() {
        relay.begin()
        (saidBye, closedAt) = (false, nil)
    }

    /// How many bytes may be read now; 0 means none before `opens`.
    mutating func room(now: Seconds) -> Int {
        let room = relay.room(now: now)
        if room <= 0 { opensAt = relay.opens }
        return room
    }

    /// When to wait for the output again; nil means now.
    func opens(after now: Seconds) -> Seconds? { opensAt > now ? opensAt : nil }

    mutating func bye() { saidBye = true }

    mutating func closed(now: Seconds) { closedAt = now }

    /// The process has ended.
    mutating func ended() { closedAt = nil }

    /// When a child that has closed its output should have ended; nil: it is open.
    var deadline: Seconds? { closedAt.map { $0 + Self.lastMoment } }
}
