package import DockControl
package import Geometry

/// What came of deciding a session again.
package struct RerunReport: Sendable {
    /// The first thing that was not the same.
    package struct Difference: Sendable {
        /// CLOCK_MONOTONIC of its turn.
        package var time: Seconds
        /// What the trace has; nil: nothing.
        package var recorded: TraceRecord.Body?
        /// What was decided now; nil: nothing.
        package var decided: TraceRecord.Body?
    }

    /// The first turn, CLOCK_MONOTONIC.
    package let begins: Seconds
    /// All of the session is there from its first moment: what is decided must be the same.
    package let isFromBeginning: Bool
    /// Set-points of the trace, and how many of them were decided again.
    package private(set) var setpoints = (same: 0, all: 0)
    /// Bytes to the dock of the trace, and how many of them were written again.
    package private(set) var bytes = (same: 0, all: 0)
    /// The first difference where there may be none; nil: there is none.
    package private(set) var difference: Difference?
    /// Where records are missing for the first time; nil: nowhere. What follows begins with what is not known.
    package private(set) var tornAt: Seconds?
    /// From which set-point on all are the same, in a trace that does not tell all; nil: it cannot be told.
    package var sameSince: Seconds? { sameRun.count >= Self.leastRun && sameRun.moves ? sameRun.since : nil }

    private var sameRun = (since: Seconds?.none, count: 0, moves: false)

    /// So many set-points that are the same in a row, and no other behind them, are no accident.
    static let leastRun = 20

    init(begins: Seconds, isFromBeginning: Bool) {
        self.begins = begins
        self.isFromBeginning = isFromBeginning
    }

    /// Everything that had to be the same was.
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
            // Numbers of messages that began elsewhere differ for ever: a run of set-points is not broken by them.
            return
        default: guard case .set? = now else { return }
        }
        sameRun = (nil, 0, false)
    }
}
