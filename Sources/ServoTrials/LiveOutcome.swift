internal import DockSimulator

/// The result of a trial in real time.
package struct LiveOutcome: Sendable {
    /// What was measured.
    package var record: TrialRecord
    /// Why it is not a measurement, and the daemon's last output; nil: it is one.
    package var failure: String?
    /// Problems that daemon, dock and terminal report.
    package var complaints: [String]
    /// The last DLP/1 frame that the dock received was a stop.
    package var stopWasLast: Bool

    /// Creates an outcome.
    /// - Parameter trouble: why the trial ended early; nil: it did not.
    init(
        _ record: TrialRecord, _ trouble: String?, _ daemon: LiveDaemon, _ line: LiveLine, _ dock: SimulatedDock
    ) {
        self.record = record
        stopWasLast = line.log.lastFrameWasStop
        let isReady = daemon.log.contains { $0.contains("dock ready") }
        let trouble =
            trouble ?? (isReady ? stopWasLast ? nil : "its last message was not a stop" : "its dock was never ready")
        failure = trouble.map { trouble in
            let said = (daemon.log + daemon.answers).suffix(5).joined(separator: " | ")
            return "\(trouble) (\(daemon.ending ?? "still running")); last output: \(said.isEmpty ? "none" : said)"
        }
        complaints =
            daemon.log.filter { $0.contains("warning: ") || $0.contains("error: ") }
            + daemon.answers.filter { $0.hasPrefix("error") || $0.contains("\"error\"") }
        note(Int(dock.staleSetpoints), "set-points reached the dock too late")
        note(Int(dock.invalidFrames), "bad frames reached the dock")
        note(line.lostBytes, "bytes to the daemon were lost because the terminal was full")
    }

    private mutating func note(_ count: Int, _ what: String) {
        if count > 0 { complaints.append("\(count) \(what)") }
    }
}
