internal import Geometry

/// Decides which connections get a slot at the control socket, and which are closed to make room. It is pure: it
/// receives the connections as values.
///
/// A connection without an ordinary slot gets a provisional one, which lasts long enough to send a stop. A stop is
/// therefore always received, regardless of the number of connections and of how fast they come and go.
struct ConnectionSlots {
    /// The number of ordinary connections.
    static let ordinary = 256
    /// The number of provisional connections.
    static let reserve = 64
    /// The number of connections above which a process gives way to others when slots run out.
    static let share = 16
    /// The corresponding number when descriptors run out.
    static let shareWithoutDescriptors = 4
    /// The time after which a silent provisional connection is closed, in seconds.
    static let silence: Seconds = 1
    /// The minimum time for which a process's only provisional connection keeps its slot, in seconds.
    static let stay: Seconds = 0.05
    /// The time after which a silent connection that waits for no answer and has no subscription may be closed for a
    /// new one, in seconds. It is longer than the life of a lease.
    static let idleTime: Seconds = 3

    /// A connection, reduced to the facts that matter here.
    struct Slot: Equatable {
        var number: Int
        /// The process that connected; 0 if unknown.
        var peer: Int32
        var arrivedAt: Seconds
        var heardAt: Seconds
        var isProvisional = false
        /// Whether it waits for no answer and has no subscription.
        var isIdle = false
        /// Whether the process that connected has ended.
        var isGone = false
        /// Whether it holds the lease or has a pending stop. Such a connection is never closed to make room.
        var isKept = false
    }

    /// The decision about a new connection.
    enum Verdict: Equatable {
        /// It gets an ordinary slot, for which `leaves` is closed.
        case ordinary(leaves: Int?)
        /// It gets a provisional slot, for which `leaves` is closed.
        case provisional(leaves: Int?)
        /// It waits at the socket until this time (CLOCK_MONOTONIC), because no connection may be closed earlier.
        case later(Seconds)
    }

    var slots: [Slot]

    /// Decides about a connection from `peer`.
    func admit(_ peer: Int32, now: Seconds) -> Verdict {
        if slots.count(where: { !$0.isProvisional }) < Self.ordinary { return .ordinary(leaves: nil) }
        if let victim = ordinaryEviction(for: peer, now: now) { return .ordinary(leaves: victim) }
        let provisional = slots.filter(\.isProvisional)
        if provisional.count < Self.reserve { return .provisional(leaves: nil) }
        return Self.provisionalEviction(provisional, now: now)
    }

    /// Chooses the connection to close if the process has no descriptors left, not even in reserve. The process of the
    /// new connection is not known yet.
    func evictionWithoutDescriptors(now: Seconds) -> Verdict {
        let ordinary = slots.filter { !$0.isProvisional }
        if let gone = ordinary.first(where: { $0.isGone && !$0.isKept }) { return .provisional(leaves: gone.number) }
        if let largest = Self.largest(of: ordinary), largest.count > Self.shareWithoutDescriptors,
            let victim = Self.victim(among: ordinary.filter { $0.peer == largest.peer })
        {
            return .provisional(leaves: victim)
        }
        return Self.provisionalEviction(slots.filter(\.isProvisional), now: now)
    }

    /// Returns the connection to close when a connection from `peer` has used up the last descriptors, or nil if there
    /// is none.
    func evictionForDescriptors(of peer: Int32) -> Int? {
        let ordinary = slots.filter { !$0.isProvisional }
        guard let largest = Self.largest(of: ordinary), largest.peer != peer,
            largest.count > Self.shareWithoutDescriptors
        else { return nil }
        return Self.victim(among: ordinary.filter { $0.peer == largest.peer })
    }

    /// Removes a connection that has ended.
    mutating func leave(_ number: Int?) { slots.removeAll { $0.number == number } }

    // MARK: choosing the connection to close

    private func ordinaryEviction(for peer: Int32, now: Seconds) -> Int? {
        let ordinary = slots.filter { !$0.isProvisional }
        if let gone = ordinary.first(where: { $0.isGone && !$0.isKept }) { return gone.number }
        let own = ordinary.count(where: { $0.peer == peer })
        if let largest = Self.largest(of: ordinary), largest.count > Self.share, largest.count > own + 1 {
            return Self.victim(among: ordinary.filter { $0.peer == largest.peer })
        }
        // A process that forgets to close its connections loses its own oldest ones, not those of others.
        let isModest = own <= Self.share
        return
            ordinary
            .filter { $0.isIdle && !$0.isKept && now - $0.heardAt > Self.idleTime && (isModest || $0.peer == peer) }
            .min { $0.heardAt < $1.heardAt }?.number
    }

    /// Returns the idle connection that has been silent longest, or the newest one if none is idle.
    private static func victim(among slots: [Slot]) -> Int? {
        let free = slots.filter { !$0.isKept }
        return free.filter(\.isIdle).min { $0.heardAt < $1.heardAt }?.number
            ?? free.max { $0.number < $1.number }?.number
    }

    /// Returns the oldest connection of the process with the most. If each process has only one, it may be closed only
    /// after `stay`.
    private static func provisionalEviction(_ slots: [Slot], now: Seconds) -> Verdict {
        guard let largest = largest(of: slots) else { return .later(now + stay) }
        let theirs = slots.filter { $0.peer == largest.peer }
        // A connection with a pending stop is closed last.
        guard let oldest = theirs.filter({ !$0.isKept }).min(by: { $0.number < $1.number }) ?? theirs.first else {
            return .later(now + stay)
        }
        let due = oldest.arrivedAt + stay
        return largest.count > 1 || now >= due ? .provisional(leaves: oldest.number) : .later(due)
    }

    /// Returns the process with the most of these connections. In a tie the lowest process number wins, so that the
    /// choice is stable.
    private static func largest(of slots: [Slot]) -> (peer: Int32, count: Int)? {
        var counts: [Int32: Int] = [:]
        for slot in slots { counts[slot.peer, default: 0] += 1 }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { (peer: $0.key, count: $0.value) }
    }
}
