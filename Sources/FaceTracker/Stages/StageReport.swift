internal import Geometry
internal import Processes

/// The state of a detector, and what has been reported to its listener.
struct StageReport {
    var health: DetectorHealth
    private var reported: DetectorHealth?
    private var nextTelling: Seconds = -.infinity

    /// The time between two notifications about the latency alone, in seconds.
    private static let period: Seconds = 1

    init(name: String) { health = DetectorHealth(name: name) }

    /// Returns whether to report the state to the listener, and a line for the log if it is a fault.
    mutating func dueReport(of watch: ProcessWatch, now: Seconds) -> (isDue: Bool, fault: String?) {
        (health.state, health.restarts, health.problem) = (watch.state, watch.restarts, watch.problem)
        // The latency changes with every frame and is not worth a notification.
        let isNews =
            reported?.state != health.state || reported?.detector != health.detector
            || reported?.restarts != health.restarts
        guard isNews || health != reported && now >= nextTelling else { return (false, nil) }
        let isFault = isNews && reported != nil && [.restarting, .failed, .stalled].contains(health.state)
        (reported, nextTelling) = (health, now + Self.period)
        guard isFault else { return (true, nil) }
        let wait = (watch.nextStart ?? now) - now
        let retry = wait < 1 ? "" : "; the next start is in \(Int(wait.rounded())) s"
        return (true, "\(health.name) \(health.state.rawValue): \(health.problem ?? "no reason was given")\(retry)")
    }
}
