internal import Geometry

/// Who gets a place at the control socket and who leaves for it. Pure: it sees the connections as values.
///
/// A connection that finds no ordinary place gets a provisional one, which lasts long enough to say stop. So a stop is heard
/// however many connections there are, and however fast they come and go.
struct ControlPlaces {
    /// Ordinary connections.
    static let ordinary = 256
    /// Provisional ones.
    static let reserve = 64
    /// A process with more connections than this gives way to others when places run out.
    static let share = 16
    /// The same when descriptors run out.
    static let shareWithoutDescriptors = 4
    /// A provisional connection that says nothing for so long is closed, seconds.
    static let silence: Seconds = 1
    /// The only provisional connection of a process does not give way before this, seconds.
    static let stay: Seconds = 0.05
    /// A connection that has been silent for so long, waits for nothing and listens to nothing may be closed for a new one:
    /// longer than a lease lives, seconds.
    static let idleTime: Seconds = 3

    /// A connection, as far as it matters here.
    struct Seat: Equatable {
        var number: Int
        /// The process that connected; 0: unknown.
        var peer: Int32
        var arrivedAt: Seconds
        var heardAt: Seconds
        var isProvisional = false
        /// It waits for nothing and listens to nothing.
        var isIdle = false
        /// The process that connected has ended.
        var isGone = false
        /// It holds the lease, or its stop is under way: it is never asked to leave.
        var isKept = false
    }

    /// What becomes of a new connection.
    enum Verdict: Equatable {
        /// It gets an ordinary place; this one leaves for it.
        case ordinary(leaves: Int?)
        /// It gets a provisional place; this one leaves for it.
        case provisional(leaves: Int?)
        /// It waits at the door until this moment: nobody may be sent away before. CLOCK_MONOTONIC.
        case later(Seconds)
    }

    var seats: [Seat]

    /// What becomes of a connection from `peer`.
    func admit(_ peer: Int32, now: Seconds) -> Verdict {
        if seats.count(where: { !$0.isProvisional }) < Self.ordinary { return .ordinary(leaves: nil) }
        if let leaver = ordinaryLeaver(for: peer, now: now) { return .ordinary(leaves: leaver) }
        let provisional = seats.filter(\.isProvisional)
        if provisional.count < Self.reserve { return .provisional(leaves: nil) }
        return Self.provisionalLeaver(provisional, now: now)
    }

    /// Who leaves when the process has no descriptors left, not even in reserve; the new connection's process is not known yet.
    func leaverWithoutDescriptors(now: Seconds) -> Verdict {
        let ordinary = seats.filter { !$0.isProvisional }
        if let gone = ordinary.first(where: { $0.isGone && !$0.isKept }) { return .provisional(leaves: gone.number) }
        if let largest = Self.largest(of: ordinary), largest.count > Self.shareWithoutDescriptors,
            let leaver = Self.leaver(among: ordinary.filter { $0.peer == largest.peer })
        {
            return .provisional(leaves: leaver)
        }
        return Self.provisionalLeaver(seats.filter(\.isProvisional), now: now)
    }

    /// Who leaves once it is known that a connection from `peer` has used up the last descriptors; nil: nobody.
    func leaverForDescriptors(of peer: Int32) -> Int? {
        let ordinary = seats.filter { !$0.isProvisional }
        guard let largest = Self.largest(of: ordinary), largest.peer != peer,
            largest.count > Self.shareWithoutDescriptors
        else { return nil }
        return Self.leaver(among: ordinary.filter { $0.peer == largest.peer })
    }

    /// A connection has ended.
    mutating func leave(_ number: Int?) { seats.removeAll { $0.number == number } }

    // MARK: whose turn it is to leave

    private func ordinaryLeaver(for peer: Int32, now: Seconds) -> Int? {
        let ordinary = seats.filter { !$0.isProvisional }
        if let gone = ordinary.first(where: { $0.isGone && !$0.isKept }) { return gone.number }
        let own = ordinary.count(where: { $0.peer == peer })
        if let largest = Self.largest(of: ordinary), largest.count > Self.share, largest.count > own + 1 {
            return Self.leaver(among: ordinary.filter { $0.peer == largest.peer })
        }
        // A process that forgets to close its connections loses the oldest of its own, and nobody else's.
        let isModest = own <= Self.share
        return
            ordinary
            .filter { $0.isIdle && !$0.isKept && now - $0.heardAt > Self.idleTime && (isModest || $0.peer == peer) }
            .min { $0.heardAt < $1.heardAt }?.number
    }

    /// Idle ones first, the longest silent of them; then the newest.
    private static func leaver(among seats: [Seat]) -> Int? {
        let free = seats.filter { !$0.isKept }
        return free.filter(\.isIdle).min { $0.heardAt < $1.heardAt }?.number
            ?? free.max { $0.number < $1.number }?.number
    }

    /// The oldest of the process that has the most. Where each has but one, only after its stay.
    private static func provisionalLeaver(_ seats: [Seat], now: Seconds) -> Verdict {
        guard let largest = largest(of: seats) else { return .later(now + stay) }
        let theirs = seats.filter { $0.peer == largest.peer }
        // One whose stop is under way leaves last.
        guard let oldest = theirs.filter({ !$0.isKept }).min(by: { $0.number < $1.number }) ?? theirs.first else {
            return .later(now + stay)
        }
        let due = oldest.arrivedAt + stay
        return largest.count > 1 || now >= due ? .provisional(leaves: oldest.number) : .later(due)
    }

    /// The process with the most of these connections; of several the one with the lowest number, so that it is always the same.
    private static func largest(of seats: [Seat]) -> (peer: Int32, count: Int)? {
        var counts: [Int32: Int] = [:]
        for seat in seats { counts[seat.peer, default: 0] += 1 }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { (peer: $0.key, count: $0.value) }
    }
}
