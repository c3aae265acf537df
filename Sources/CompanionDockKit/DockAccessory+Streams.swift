public import Companion

/// The streams of a dock. A slow reader receives only the newest state, and up to 64 events wait for it. All streams
/// end when the manager is closed.
extension DockAccessory {
    /// The stream of `DockAccessoryManager.accessoryStateChanges`.
    public typealias StateChanges = AsyncMapSequence<AsyncStream<Companion.DockAccessory.StateChange>, StateChange>
    /// The stream of `motionStates`.
    public typealias MotionStates = AsyncMapSequence<AsyncStream<Companion.DockAccessory.MotionState>, MotionState>
    /// The stream of `trackingStates`.
    public typealias TrackingStates = AsyncMapSequence<
        AsyncStream<Companion.DockAccessory.TrackingState>, TrackingState
    >
    /// The stream of `batteryStates`.
    public typealias BatteryStates = AsyncCompactMapSequence<
        AsyncStream<Companion.DockAccessory.BatteryState>, BatteryState
    >
    /// The stream of `accessoryEvents`.
    public typealias AccessoryEvents = Companion.DockAccessory.AccessoryEvents

    /// The dock's pose and velocity, as often as the dock reports while it moves, and at most 20 times a second.
    /// - Throws: `notConnected` after the manager was closed.
    public var motionStates: MotionStates {
        get throws { try companion.motionStates.map { MotionState($0) } }
    }

    /// The subjects in view, ten times a second while frames arrive.
    /// - Throws: `notConnected` after the manager was closed.
    public var trackingStates: TrackingStates {
        get throws { try companion.trackingStates.map { [subjects] in TrackingState($0, subjects: subjects) } }
    }

    /// The states of the dock's batteries, each when it changes. A battery whose level is unknown is left out, because
    /// DockKit's level is a number.
    /// - Throws: `notConnected` after the manager was closed.
    public var batteryStates: BatteryStates {
        get throws { try companion.batteryStates.compactMap { BatteryState($0) } }
    }

    /// The events of the dock's buttons.
    /// - Throws: `notConnected` after the manager was closed.
    public var accessoryEvents: AccessoryEvents { get throws { try companion.accessoryEvents } }
}
