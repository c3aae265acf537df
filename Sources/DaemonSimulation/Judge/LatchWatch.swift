internal import DockWire
internal import Geometry

/// What the dock itself says about its latch, as it stands on the wire, and who wants it latched.
struct LatchWatch {
    /// The newest report that reached the host says that the dock is latched.
    private(set) var isLatched = false
    /// Since when somebody wants the dock latched, and nobody has cleared it.
    private(set) var wantedSince: Seconds?
    private var wasWanted = false

    /// Twenty quick repeats may be lost; then it comes once a second.
    static let patience: Seconds = 1.6

    /// Another port, perhaps another dock: it has not said anything yet.
    mutating func portOpened() { isLatched = false }

    /// It says who it is: to our greeting, or because it has started anew.
    mutating func greeted() { isLatched = false }

    /// A report reached the host.
    mutating func reported(_ report: MotionReport) {
        isLatched =
            !report.flags.isDisjoint(with: [.emergencyStop, .stalled, .overTemperature])
            || report.fault != FaultCode.none
    }

    /// Somebody pulled the emergency stop.
    mutating func wanted(at time: Seconds) { wantedSince = wantedSince ?? time }

    /// Somebody asks for the release; until it is known what came of it, nothing is.
    mutating func releaseAsked() {
        wasWanted = wasWanted || wantedSince != nil
        wantedSince = nil
    }

    /// It was told as done, or as refused: then it is to be latched as before.
    mutating func released(_ isDone: Bool, at time: Seconds) {
        if !isDone, wasWanted { wantedSince = time }
        wasWanted = false
    }

    /// The line has been sound since a time; whether the dock should be latched by now.
    func isDue(at time: Seconds, soundSince: Seconds) -> Bool {
        guard let wantedSince else { return false }
        return time > max(wantedSince, soundSince) + Self.patience
    }
}
