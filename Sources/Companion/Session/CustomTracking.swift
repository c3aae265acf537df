internal import Geometry

/// A program's own observations: their rate, and whether the next one enters mode `custom`.
///
/// After `setSystemTrackingEnabled(false)` the first observation enters the mode, as in DockKit. Any other change of
/// the mode, a stop, or a person who moves the dock revokes that.
struct CustomTracking: Sendable, Equatable {
    private var pace = ObservationPace()
    private var mayBegin = false

    /// Observations per second, or nil if not yet known.
    var rate: Double? { pace.rate }

    /// Returns whether this observation is accepted. At most 60 a second are.
    mutating func admits(now: Seconds) -> Bool { pace.admits(now: now) }

    /// Records that system tracking was switched on or off.
    mutating func systemTracking(_ isOn: Bool) { mayBegin = !isOn }

    /// Records that the next observation no longer enters the mode.
    mutating func revoke() { mayBegin = false }

    /// Returns whether this observation enters mode custom. Only one does.
    mutating func begins() -> Bool {
        defer { mayBegin = false }
        return mayBegin
    }
}
