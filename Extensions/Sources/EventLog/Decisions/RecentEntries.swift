internal import ControlProtocol
internal import Geometry

/// Whether a connection leads to the run of the daemon that was known before, as a pure value.
struct DaemonRuns: Sendable, Equatable {
    /// How far two reports of one run may differ beyond the time that its answers took, in seconds.
    static let tolerance: Seconds = 0.2

    /// When the last known run began: at the earliest and at the latest, CLOCK_MONOTONIC.
    private var beginning: ClosedRange<Seconds>?

    /// Records a connection.
    /// - Parameters:
    ///   - uptime: how long the daemon has run, in seconds, by its own answer; nil if it gave none.
    ///   - times: when it was asked, and when it answered.
    mutating func connected(uptime: Seconds?, times: ClosedRange<Seconds>) -> DaemonRun {
        guard let uptime, uptime.isFinite else { return beginning == nil ? .first : .same }
        let new = (times.lowerBound - uptime - Self.tolerance)...(times.upperBound - uptime + Self.tolerance)
        defer { beginning = new }
        guard let beginning else { return .first }
        return beginning.overlaps(new) ? .same : .new
    }
}

/// A run of the daemon, as the log sees it.
public enum DaemonRun: Sendable {
    /// The first one since the log began.
    case first
    /// The one that was known before.
    case same
    /// A later one.
    case new
}

/// Which entries of the daemon's queues are new, as a pure value. A connection begins with the last entries of a queue.
///
/// What happened before the log began is not recorded. What a new daemon said before the log was connected to it is. Of
/// the same daemon, the last entries were recorded before, except those that came while there was no connection: they
/// are counted, because nothing distinguishes them.
struct RecentEntries: Sendable, Equatable {
    private var run = DaemonRun.first
    /// The numbers of the last entries.
    private var last: [Topic: Int] = [:]

    /// Begins a connection.
    mutating func connected(_ new: DaemonRun) {
        run = new
        if new == .new { last = [:] }
    }

    /// Judges an entry by its number. Returns whether it is new, and how many were missed before it.
    mutating func judge(_ topic: Topic, sequence: Int, isSnapshot: Bool) -> (isNew: Bool, missed: Int) {
        let before = last[topic]
        last[topic] = sequence
        guard isSnapshot else { return (true, 0) }
        switch run {
        case .first: return (false, 0)
        case .new: return (true, 0)
        case .same:
            let (missed, isWrong) = sequence.subtractingReportingOverflow(before ?? sequence)
            return (false, isWrong ? 0 : max(0, missed))
        }
    }
}
