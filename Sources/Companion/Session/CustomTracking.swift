internal import Geometry

/// A program's own observations: how many are accepted, and whether the next one enters mode custom.
///
/// After `setSystemTrackingEnabled(false)` the first observation enters the mode, as in DockKit. Any other change of the mode,
/// a stop, or a person who moves the dock revokes that.
struct CustomTracking: Sendable, Equatable {
    private var pace = ObservationPace()
    private var mayBegin = false

    /// Observations per second; nil: not known yet.
    var rate: Double? { pace.rate }

    /// Whether this observation is accepted: at most 60 a second are.
    mutating func admits(now: Seconds) -> Bool { pace.admits(now: now) }

    /// System tracking was switched on or off.
    mutating func systemTracking(_ isOn: Bool) { mayBegin = !isOn }

    /// The next observation does not enter the mode any more.
    mutating func revoke() { mayBegin = false }

    /// Returns whether this observation enters mode custom; only one does.
    mutating func begins() -> Bool {
        defer { mayBegin = false }
        return mayBegin
    }
}
