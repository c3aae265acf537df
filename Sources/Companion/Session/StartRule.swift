internal import DockControl
internal import Geometry

/// How a session begins where hands may be near: a dock that nobody has checked begins in mode manual, and so does one whose
/// last daemon died; the mode that was asked for comes as soon as it may, unless a person has acted meanwhile.
struct StartRule: Sendable, Equatable {
    /// What begins to steer when it may; nil: nothing any more.
    private(set) var pending: TrackingMode?
    /// The docks that were checked; nil: it does not matter.
    private let checked: Set<String>?
    /// Nobody named a mode: only a dock that was checked begins by following people.
    private let needsCheck: Bool
    private var isTold = false
    /// The last daemon died: the detector must first have been healthy for a while.
    private var waitsForDetector: Bool
    private var isDockKnown: Bool
    private var healthySince: Seconds?
    private var lastFrame: Seconds?

    /// So long must the detector be healthy, seconds; a gap longer than this is not.
    static let healthyTime: Seconds = 3, longestGap: Seconds = 0.5

    /// - Parameters:
    ///   - asked: the mode that the user named; nil: none.
    ///   - isCareful: hands may be near: a real port, or a profile that says so.
    ///   - checked: numbers of the docks that were checked with this profile.
    ///   - hasCrashed: the last daemon on this port died without an orderly end.
    init(asked: TrackingMode?, isCareful: Bool, checked: Set<String>, hasCrashed: Bool) {
        // Whoever names the mode takes it upon himself, but for a crash.
        self.checked = isCareful ? checked : nil
        needsCheck = isCareful && asked == nil
        waitsForDetector = isCareful && hasCrashed
        isDockKnown = !needsCheck
        let wanted = asked ?? .system
        pending = wanted != .manual && (!isDockKnown || waitsForDetector) ? wanted : nil
        first = pending == nil ? wanted : .manual
    }

    /// No rule: nothing pends.
    init() { self.init(asked: .manual, isCareful: false, checked: [], hasCrashed: false) }

    /// The mode at the beginning.
    let first: TrackingMode

    /// A person or a program has moved, stopped or steered: the mode is theirs.
    mutating func acted() { pending = nil }

    /// A dock said who it is; what to tell the user if it was never checked.
    mutating func identified(_ dock: String) -> String? {
        guard let checked, !isTold else { return nil }
        isTold = true
        guard checked.contains(dock) else {
            if needsCheck { pending = nil }
            let mode = needsCheck ? "mode manual, and " : ""
            return
                "nobody has checked this dock here: \(mode)no faster than 20 deg/s; end this and type `dockface check` once"
        }
        isDockKnown = true
        return nil
    }

    /// A frame of the detector came.
    mutating func frame(now: Seconds) {
        if let lastFrame, now - lastFrame > Self.longestGap { healthySince = nil }
        healthySince = healthySince ?? now
        lastFrame = now
    }

    /// The mode to be set now; nil: none. Asked whenever something has happened, with a dock that is ready.
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
