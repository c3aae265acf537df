internal import ControlProtocol
internal import DockControl
internal import DockTypes
internal import Geometry

/// What is known of a manager's dock at one moment.
struct AccessorySnapshot: Sendable {
    /// When this was the case, CLOCK_MONOTONIC.
    var time: Seconds = 0
    /// Whether the dock answers. It can still be latched by a fault.
    var isThere = false
    /// The dock, or one without a name if none has been there yet.
    var identifier = DockAccessory.Identifier(name: "", category: .trackingStand, uuid: "")
    /// What the dock reports about itself, or nil if it does not.
    var hardwareModel: String?, firmwareVersion: String?
    /// What the last press of the dock's tracking button selected.
    var isButtonOn = true
    /// Which source steers.
    var mode = TrackingMode.manual
    /// Where in the frame the face is placed.
    var framing = FramingMode.automatic
    /// The part of the frame that counts.
    var region = Rect.full
    /// The limits of both axes, or nil if they are not known.
    var limits: (pan: AxisLimit, tilt: AxisLimit)?

    /// Creates a snapshot in which nothing is known.
    init() {}

    /// Creates a snapshot of a session in this program.
    init(_ status: SessionStatus) {
        let loop = status.loop, identity = loop.device.identity
        time = loop.time
        isThere =
            switch loop.dock {
            case .ready: true
            case .faulted: identity != nil
            case .detached, .greeting: false
            }
        identifier.name = status.rig.name
        identifier.uuid = identity?.uid ?? ""
        (hardwareModel, firmwareVersion) = (identity?.model, identity?.firmware)
        (isButtonOn, mode) = (status.trackingButtonEnabled, loop.mode)
        (framing, region) = (loop.framing.mode, loop.framing.region)
        if let pan = loop.bounds.limits.pan, let tilt = loop.bounds.limits.tilt { limits = (pan, tilt) }
    }

    /// Creates a snapshot of a daemon's dock. A daemon that is not connected has none.
    init(_ reading: AccessoryReading, isConnected: Bool, time: Seconds) {
        let identity = reading.identity
        self.time = time
        isThere = reading.isDocked && isConnected
        identifier.name = identity?.name ?? ""
        identifier.uuid = identity?.uid ?? ""
        (hardwareModel, firmwareVersion) = (identity?.model, identity?.firmware)
        (isButtonOn, mode) = (reading.isTrackingButtonOn, reading.mode)
        (framing, region) = (reading.framing, reading.region)
        limits = reading.limits.flatMap { limits in
            guard let pan = AxisLimit(limits.pan), let tilt = AxisLimit(limits.tilt) else { return nil }
            return (pan, tilt)
        }
    }
}

extension AxisLimit {
    /// The limit that a daemon reports, or nil if its range is empty or no number.
    fileprivate init?(_ reading: LimitReading) {
        guard reading.low <= reading.high else { return nil }
        self.init(range: reading.low...reading.high, maxSpeed: reading.speed)
    }
}
