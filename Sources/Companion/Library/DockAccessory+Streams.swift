internal import DockTypes
internal import DockControl
internal import Geometry

/// The streams of a dock. A slow reader receives only the newest state, and up to 64 events wait for it. All streams
/// end when the manager is closed.
extension DockAccessory {
    /// The dock's pose and velocity, as often as the dock reports while it moves, and at most 20 times a second.
    /// - Throws: `notConnected` after the manager was closed.
    public var motionStates: AsyncStream<MotionState> {
        get throws(DockError) { try manager.running().motionStates() }
    }

    /// The subjects in view, ten times a second while frames arrive.
    /// - Throws: `notConnected` after the manager was closed.
    public var trackingStates: AsyncStream<TrackingState> {
        get throws(DockError) { try manager.running().trackingStates() }
    }

    /// The states of the dock's batteries, each when it changes.
    /// - Throws: `notConnected` after the manager was closed.
    public var batteryStates: AsyncStream<BatteryState> {
        get throws(DockError) { try manager.running().batteryStates() }
    }

    /// The events of the dock's buttons.
    /// - Throws: `notConnected` after the manager was closed.
    public var accessoryEvents: AsyncStream<AccessoryEvent> {
        get throws(DockError) { try manager.running().accessoryEvents() }
    }
}

extension DockAccessory.MotionState {
    /// Creates the state of a pose (radians) and its rate (rad/s), or of an unknown pose.
    init(pose: PanTilt?, rate: PanTilt, time: Seconds, isMeasured: Bool) {
        self.init(
            angularPositions: Vector3D(pose ?? .zero), angularVelocities: Vector3D(rate), timestamp: time,
            isMeasured: isMeasured,
            error: pose == nil
                ? DockError(.notConnected, "the dock's pose is unknown", hint: "wait until it reports") : nil)
    }
}

extension DockAccessory.BatteryState {
    init(_ battery: DockControl.BatteryState) {
        self.init(
            name: battery.name, batteryLevel: battery.level, chargeState: battery.charge, lowBattery: battery.isLow,
            criticalBattery: battery.isCritical)
    }
}
