internal import DockSimulator

/// What came of a trial in real time.
package struct LiveOutcome: Sendable {
    /// What was measured.
    package var record: TrialRecord
    /// Why it is no measurement, and what the daemon said; nil: it is one.
    package var failure: String?
    /// What daemon, dock and terminal complain of.
    package var complaints: [String]
    /// The last frame that the dock got was a stop.
    package var stopWasLast: Bool

    /// - Parameter trouble: why it is over before its time; nil: it is not.
    init(
        _ record: TrialRecord, _ trouble: String?, _ daemon: LiveDaemon, _ log: HostLog, _ dock: SimulatedDock,
        lostBytes: Int
    ) {
        self.record = record
        stopWasLast = log.lastFrameWasStop
        let isReady = daemon.log.contains { $0.contains("dock ready") }
        let trouble =
            trouble ?? (isReady ? stopWasLast ? nil : "its last frame was no stop" : "its dock was never ready")
        failure = trouble.map { trouble in
            let said = (daemon.log + daemon.answers).suffix(5).joined(separator: " | ")
            return "\(trouble) (\(daemon.ending ?? "still there")), and said: \(said.isEmpty ? "nothing" : said)"
        }
        complaints =
            daemon.log.filter { $0.contains("warning: ") || $0.contains("error: ") }
            + daemon.answers.filter { $0.hasPrefix("error") || $0.contains("\"error\"") }
        note(Int(dock.staleSetpoints), "set-points reached the dock too late")
        note(Int(dock.invalidFrames), "bad frames reached the dock")
        note(lostBytes, "bytes to the daemon found no room")
    }

    private mutating func note(_ count: Int, _ what: String) {
        if count > 0 { complaints.append("\(count) \(what)") }
    }
}
