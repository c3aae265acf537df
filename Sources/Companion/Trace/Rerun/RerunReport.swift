package import DockControl
package import Geometry

/// The result of a rerun.
package struct RerunReport: Sendable {
    /// The first decision that differs.
    package struct Difference: Sendable {
        /// The CLOCK_MONOTONIC time of its turn.
        package var time: Seconds
        /// The recorded decision, or nil if there is none.
        package var recorded: TraceRecord.Body?
        /// The new decision, or nil if there is none.
        package var decided: TraceRecord.Body?
    }

    /// The time of the first turn, CLOCK_MONOTONIC.
    package let begins: Seconds
    /// Whether the trace contains the session from its beginning, so that all decisions must be the same.
    package let isFromBeginning: Bool
    /// The number of recorded set-points, and how many of them were repeated.
    package private(set) var setpoints = (same: 0, all: 0)
    /// The number of recorded bytes to the dock, and how many of them were repeated.
    package private(set) var bytes = (same: 0, all: 0)
    /// The first difference that is not permitted, or nil if there is none.
    package private(set) var difference: Difference?
    /// The time at which records are missing for the first time, or nil if none are missing. The state after that is
    /// not fully known.
    package private(set) var tornAt: Seconds?
    /// The set-point from which all later ones are the same, in an incomplete trace, or nil if unknown.
    package var sameSince: Seconds? { sameRun.count >= Self.leastRun && sameRun.moves ? sameRun.since : nil }

    private var sameRun = (since: Seconds?.none, count: 0, moves: false)

    /// The number of equal set-points at the end of the trace that cannot be a coincidence.
    static let leastRun = 20

    init(begins: Seconds, isFromBeginning: Bool) {
        self.begins = begins
        self.isFromBeginning = isFromBeginning
    }

    /// Whether everything that must be the same was the same.
    package var isSame: Bool { difference == nil }

    mutating func compare(_ made: [TraceRecord], with turn: RerunTurn) {
        let wanted = turn.decisions
        for index in 0..<(turn.isOpenEnded ? wanted.count : max(wanted.count, made.count)) {
            let then = index < wanted.count ? wanted[index].body : nil,
                now = index < made.count ? made[index].body : nil
            count(then, now, at: turn.time)
            if then != now, difference == nil, isFromBeginning, tornAt == nil, !turn.isTorn {
                difference = Difference(time: turn.time, recorded: then, decided: now)
            }
        }
        if turn.isTorn, tornAt == nil { tornAt = turn.time }
    }

    private mutating func count(_ then: TraceRecord.Body?, _ now: TraceRecord.Body?, at time: Seconds) {
        let isSame = then == now
        switch then {
        case .set(let velocity, _, _):
            setpoints.all += 1
            setpoints.same += isSame ? 1 : 0
            guard isSame else { break }
            sameRun.since = sameRun.since ?? time
            sameRun.count += 1
            sameRun.moves = sameRun.moves || velocity != .zero
            return
        case .toDock(let sent, _):
            bytes.all += sent.count
            bytes.same += isSame ? sent.count : 0
            // If message numbers start at different values, the bytes always differ. This does not end a run of equal
            // set-points.
            return
        default: guard case .set? = now else { return }
        }
        sameRun = (nil, 0, false)
    }
}
