internal import ControlProtocol
internal import DockTypes
internal import Geometry

/// What a program knows of a daemon's dock, as a pure value.
///
/// A daemon answers a call before, or after, its topic shows the effect. A program that has set a value and reads it
/// must see what it has set. What was set therefore counts until the topic shows it, or for a second at most: another
/// program may have set something else meanwhile.
struct DaemonView: Sendable {
    /// What the topic `accessory` has reported last.
    private(set) var reading = AccessoryReading()
    /// Whether the daemon is connected.
    var isConnected = true
    private var mode: Setting<TrackingMode>?
    private var framing: Setting<FramingMode>?
    private var region: Setting<Rect>?
    private var limits: Setting<LimitsReading>?

    /// How long a value counts that the topic does not show, in seconds.
    static let patience: Seconds = 1

    /// A value that the program has set, and until when it counts.
    private struct Setting<Value: Equatable & Sendable>: Sendable {
        let value: Value
        let deadline: Seconds

        func isPending(beside shown: Value, now: Seconds) -> Bool { value != shown && now < deadline }
    }

    init(_ reading: AccessoryReading) { self.reading = reading }

    /// Records what the topic reports.
    mutating func update(_ new: AccessoryReading, now: Seconds) {
        reading = new
        isConnected = true
        if mode?.isPending(beside: new.mode, now: now) == false { mode = nil }
        if framing?.isPending(beside: new.framing, now: now) == false { framing = nil }
        if region?.isPending(beside: new.region, now: now) == false { region = nil }
        if let limits, !limits.isPending(beside: new.limits ?? LimitsReading(), now: now) { self.limits = nil }
    }

    /// Records a mode that the daemon has confirmed.
    mutating func confirmed(_ value: TrackingMode, now: Seconds) {
        mode = Self.pending(value, beside: reading.mode, now: now)
    }

    /// Records a framing that the daemon has confirmed.
    mutating func confirmed(_ value: FramingMode, now: Seconds) {
        framing = Self.pending(value, beside: reading.framing, now: now)
    }

    /// Records a region that the daemon has confirmed.
    mutating func confirmed(_ value: Rect, now: Seconds) {
        region = Self.pending(value, beside: reading.region, now: now)
    }

    /// Records limits that the daemon has confirmed.
    mutating func confirmed(_ value: LimitsReading, now: Seconds) {
        limits = Self.pending(value, beside: reading.limits ?? LimitsReading(), now: now)
    }

    /// Returns a setting that the topic does not show yet, or nil if it does: what comes next is news.
    private static func pending<Value>(_ value: Value, beside shown: Value, now: Seconds) -> Setting<Value>? {
        value == shown ? nil : Setting(value: value, deadline: now + patience)
    }

    /// Returns what is known.
    func snapshot(now: Seconds) -> AccessorySnapshot {
        var known = reading
        if let limits, now < limits.deadline { known.limits = limits.value }
        var shown = AccessorySnapshot(known, isConnected: isConnected, time: now)
        if let mode, now < mode.deadline { shown.mode = mode.value }
        if let framing, now < framing.deadline { shown.framing = framing.value }
        if let region, now < region.deadline { shown.region = region.value }
        return shown
    }
}
