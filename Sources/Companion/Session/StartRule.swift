internal import DockControl
internal import DockTypes
internal import Geometry

/// Decides how a session begins if hands may be near. A dock that was never checked begins in mode `manual`, and so
/// does one whose last daemon died. The requested mode follows as soon as it is allowed, unless a person or a program
/// has acted meanwhile.
struct StartRule: Sendable, Equatable {
    /// The mode to set as soon as it is allowed, or nil if there is none.
    private(set) var pending: TrackingMode?
    /// The docks that were checked, or nil if no check is needed.
    private let checked: Set<String>?
    /// Whether the user named no mode, so that only a checked dock begins by following people.
    private let needsCheck: Bool
    private var isTold = false
    /// Whether the last daemon died, so that the detector must be healthy for a while first.
    private var waitsForDetector: Bool
    private var isDockKnown: Bool
    private var healthySince: Seconds?
    private var lastFrame: Seconds?

    /// The time for which the detector must have been healthy, and the longest gap between its frames during that time,
    /// in seconds.
    static let healthyTime: Seconds = 3, longestGap: Seconds = 0.5

    /// Creates the rule for a start.
    /// - Parameters:
    ///   - asked: the mode that the user named, or nil if there is none.
    ///   - isCareful: hands may be near: a real port, or a profile that says so.
    ///   - checked: serial numbers of the docks that were checked with this profile.
    ///   - hasCrashed: whether the last daemon on this port died without an orderly end.
    init(asked: TrackingMode?, isCareful: Bool, checked: Set<String>, hasCrashed: Bool) {
        // A user who names the mode takes responsibility, except after a crash.
        self.checked = isCareful ? checked : nil
        needsCheck = isCareful && asked == nil
        waitsForDetector = isCareful && hasCrashed
        isDockKnown = !needsCheck
        let wanted = asked ?? .system
        pending = wanted != .manual && (!isDockKnown || waitsForDetector) ? wanted : nil
        first = pending == nil ? wanted : .manual
    }

    /// Creates a rule without a pending mode.
    init() { self.init(asked: .manual, isCareful: false, checked: [], hasCrashed: false) }

    /// The mode at the start.
    let first: TrackingMode

    /// Records that a person or a program has moved, stopped or steered the dock. No mode is pending any more.
    mutating func acted() { pending = nil }

    /// Records the identity of the dock. Returns a warning if it was never checked.
    mutating func identified(_ dock: String) -> String? {
        guard let checked, !isTold else { return nil }
        isTold = true
        guard checked.contains(dock) else {
            if needsCheck { pending = nil }
            let mode = needsCheck ? "mode manual, " : ""
            return
                "this dock has not been checked here: \(mode)at most 20 deg/s; quit and run `dockface check` once"
        }
        isDockKnown = true
        return nil
    }

    /// Records a frame of the detector.
    mutating func frame(now: Seconds) {
        if let lastFrame, now - lastFrame > Self.longestGap { healthySince = nil }
        healthySince = healthySince ?? now
        lastFrame = now
    }

    /// Returns the mode to set now, or nil if there is none. Called after every event while the dock is ready.
    mutating func due(now: Seconds) -> TrackingMode? {
        guard let mode = pending, isDockKnown else { return nil }
        if waitsForDetector {
            guard let healthySince, let lastFrame, now - lastFrame <= Self.longestGap,
                now - healthySince >= Self.healthyTime
            else { return nil }
        }
        pending = nil
        return mode
    }
}
