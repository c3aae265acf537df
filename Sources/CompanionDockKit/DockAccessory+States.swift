public import Companion
public import Foundation

extension DockAccessory {
    /// The identity of a dock.
    public struct Identifier: Sendable, Hashable {
        /// The name of the rig model, from its profile.
        public let name: String
        /// Its category.
        public let category: Companion.DockAccessory.Category
        /// A unique identifier, which follows from the id that the dock reports and is the same in every run.
        public let uuid: UUID

        init(_ identifier: Companion.DockAccessory.Identifier) {
            name = identifier.name
            category = identifier.category
            uuid = UUID(named: identifier.uuid)
        }
    }

    /// A change of the connection or of the tracking button.
    public struct StateChange: Sendable {
        /// The dock, or nil if there is none.
        public let accessory: DockAccessory?
        /// Whether it is connected.
        public let state: Companion.DockAccessory.State
        /// Whether the tracking button is on, which enables system tracking.
        public let trackingButtonEnabled: Bool
    }

    /// The pose and velocity of the dock.
    public struct MotionState: Sendable {
        /// The angles, in radians: x is pitch, y is yaw.
        public let angularPositions: Vector3D
        /// The angular velocities, in rad/s.
        public let angularVelocities: Vector3D
        /// The time, in seconds since 1970, from the wall clock.
        public let timestamp: TimeInterval
        /// The same time, CLOCK_MONOTONIC, in seconds.
        public let clock: TimeInterval
        /// The reason why the pose is unknown, or nil if it is known.
        public let error: (any Error)?

        init(_ state: Companion.DockAccessory.MotionState) {
            angularPositions = state.angularPositions
            angularVelocities = state.angularVelocities
            timestamp = Date(clock: state.timestamp).timeIntervalSince1970
            clock = state.timestamp
            error = state.error
        }
    }

    /// The state of one battery of the dock.
    public struct BatteryState: Sendable, Equatable {
        /// Its name.
        public let name: String
        /// The charge level, 0...1.
        public let batteryLevel: Double
        /// The charge state: charging, discharging, or on mains power.
        public let chargeState: Companion.DockAccessory.BatteryChargeState
        /// Whether the dock considers it low.
        public let lowBattery: Bool

        init?(_ state: Companion.DockAccessory.BatteryState) {
            guard let level = state.batteryLevel else { return nil }
            name = state.name
            batteryLevel = level
            chargeState = state.chargeState
            lowBattery = state.lowBattery
        }
    }
}

extension Date {
    /// The time on the wall clock that corresponds to a time of CLOCK_MONOTONIC, in seconds.
    init(clock: TimeInterval) { self.init(timeIntervalSinceNow: clock - Companion.DockAccessoryManager.now) }
}
