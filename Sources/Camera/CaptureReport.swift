internal import Geometry
internal import Processes

/// The state of a camera, and what has been reported to its listener.
struct CaptureReport {
    /// What to report to a listener.
    struct News {
        let health: CameraHealth
        /// A line for the log, or nil if there is none.
        let line: String?
    }

    private var health: CameraHealth
    private var reported: CameraHealth?
    /// Whether a problem was reported and the recovery was not.
    private var isAway = false
    /// Whether what the camera waits for was reported, and its pictures were not.
    private var hasWaited = false
    private var lastArrival: Seconds?

    /// Creates the report of the camera at a place in the list of cameras.
    init(name: String, place: Int) {
        health = CameraHealth(name: name)
        health.place = place
    }

    mutating func record(size: (width: Int, height: Int)?) {
        (health.width, health.height) = (size?.width, size?.height)
    }

    /// Measures the frame rate.
    mutating func recordFrame(at now: Seconds, isEstimated: Bool?) {
        if let lastArrival, now > lastArrival {
            let rate = 1 / (now - lastArrival)
            health.framesPerSecond = health.framesPerSecond.map { $0 + 0.05 * (min(rate, 2 * $0) - $0) } ?? rate
        }
        lastArrival = now
        health.isEstimated = isEstimated
    }

    /// Records that the program ended, so that no frames arrive.
    mutating func recordEnd() { (health.framesPerSecond, lastArrival) = (nil, nil) }

    /// Returns what has changed, or nil if there is nothing worth reporting. `waiting`: what its program waits for.
    mutating func dueReport(of watch: ProcessWatch, waiting: String?) -> News? {
        (health.state, health.restarts, health.problem) = (watch.state, watch.restarts, watch.problem)
        let waiting = watch.state == .stalled ? nil : waiting
        if let waiting {
            (health.state, health.problem) = (.starting, waiting)
            recordEnd()
        }
        var shown = health
        // It changes a little with every frame.
        shown.framesPerSecond = shown.framesPerSecond?.rounded()
        guard shown != reported else { return nil }
        defer { reported = shown }
        if let problem = shown.problem, problem != reported?.problem, shown.state != .running {
            (isAway, hasWaited) = (true, waiting != nil)
            return News(
                health: shown, line: "camera \(waiting == nil ? shown.state.rawValue : "waits"): \(problem)")
        }
        guard isAway, shown.state == .running else { return News(health: shown, line: nil) }
        defer { (isAway, hasWaited) = (false, false) }
        return News(health: shown, line: "camera \(shown.name) \(hasWaited ? "delivers pictures" : "is back")")
    }
}
