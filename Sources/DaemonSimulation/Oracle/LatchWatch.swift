internal import DockWire
internal import Geometry

/// The latch as the dock reports it on the wire, and whether the dock should be latched.
struct LatchWatch {
    /// The newest report that reached the host shows a latch.
    private(set) var isLatched = false
    /// Since when the dock should be latched; nil after a clear.
    private(set) var wantedSince: Seconds?
    private var wasWanted = false

    /// Twenty quick repeats may be lost. After these, the command comes once a second.
    static let patience: Seconds = 1.6

    /// This may be another dock, and it has not reported anything yet.
    mutating func portOpened() { isLatched = false }

    /// The dock identifies itself, in answer to a greeting or after a reboot.
    mutating func greeted() { isLatched = false }

    /// A report reached the host.
    mutating func reported(_ report: MotionReport) {
        isLatched =
            !report.flags.isDisjoint(with: [.emergencyStop, .stalled, .overTemperature])
            || report.fault != FaultCode.none
    }

    /// An emergency stop was requested.
    mutating func wanted(at time: Seconds) { wantedSince = wantedSince ?? time }

    /// A clear was requested. Until its result is known, neither state is required.
    mutating func releaseAsked() {
        wasWanted = wasWanted || wantedSince != nil
        wantedSince = nil
    }

    /// The clear was reported as done, or as rejected. After a rejection the dock must be latched as before.
    mutating func released(_ isDone: Bool, at time: Seconds) {
        if !isDone, wasWanted { wantedSince = time }
        wasWanted = false
    }

    /// Whether the dock should be latched by now. The line has worked since `soundSince`.
    func isDue(at time: Seconds, soundSince: Seconds) -> Bool {
        guard let wantedSince else { return false }
        return time > max(wantedSince, soundSince) + Self.patience
    }
}
