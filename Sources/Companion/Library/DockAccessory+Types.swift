public import DockControl
public import DockTypes
public import Geometry

extension DockAccessory {
    /// Whether a dock is connected. As in Apple's sample, `docked` means connected.
    public enum State: Sendable, Equatable {
        /// It answers and is configured. If a fault is latched, motion calls fail with that error.
        case docked
        /// It is not connected, or it does not answer.
        case undocked
    }

    /// A change of the connection or of the tracking button.
    public struct StateChange: Sendable {
        /// The dock, or nil if there is none.
        public var accessory: DockAccessory?
        /// Whether it is connected.
        public var state: State
        /// Whether the tracking button is on, which enables system tracking.
        public var trackingButtonEnabled: Bool
    }

    /// The identity of a dock.
    public struct Identifier: Sendable, Hashable {
        /// DockKit's categories.
        public enum Category: Sendable, Hashable {
            /// A stand that can turn.
            case trackingStand
        }
        /// The name of the rig model, from its profile.
        public var name: String
        /// Its category.
        public var category: Category
        /// The unique id that the dock reports, hexadecimal.
        public var uuid: String
    }

    /// The position of tracked subjects in the frame.
    public typealias FramingMode = DockTypes.FramingMode

    /// Predefined motions.
    public enum Animation: String, Sendable, CaseIterable {
        /// A nod.
        case yes
        /// A shake of the head.
        case no
        /// The head rises to level and looks around.
        case wakeup
        /// The head is knocked back and swings out.
        case kapow

        /// Another name of `no`, as for the expression.
        public static let nope = Animation.no
    }

    /// The range and the speed limit of one axis.
    public struct Limit: Sendable, Equatable {
        /// The range, in radians.
        public var positionRange: Range<Double>
        /// The maximum speed, in rad/s, > 0.
        public var maximumSpeed: Double

        /// Creates the limit of one axis.
        /// - Throws: `DockError.invalidParameter` if the range is empty or the speed is not above 0.
        public init(positionRange: Range<Double>, maximumSpeed: Double) throws(DockError) {
            guard positionRange.lowerBound < positionRange.upperBound, maximumSpeed > 0, maximumSpeed.isFinite else {
                throw DockError(
                    .invalidParameter, "a limit needs a non-empty range and a speed above 0",
                    hint: "use min < max in radians, and rad/s")
            }
            self.positionRange = positionRange
            self.maximumSpeed = maximumSpeed
        }
    }

    /// The limits of the axes. When limits are set, nil means that the axis keeps the rig's own limit. When they are
    /// read, nil means that the rig does not have this axis.
    public struct Limits: Sendable, Equatable {
        /// The limit about the vertical axis; positive angles are to the dock's right.
        public var yaw: Limit?
        /// The limit about the horizontal axis; positive angles are down.
        public var pitch: Limit?
        /// The limit of roll. It is always nil when read, because no supported rig has this axis.
        public var roll: Limit?

        /// Creates the limits of the given axes.
        public init(yaw: Limit? = nil, pitch: Limit? = nil, roll: Limit? = nil) {
            self.yaw = yaw
            self.pitch = pitch
            self.roll = roll
        }
    }

    /// The pose and velocity of the dock.
    public struct MotionState: Sendable, Equatable {
        /// The angles, in radians: x is pitch, y is yaw.
        public var angularPositions: Vector3D
        /// The angular velocities, in rad/s.
        public var angularVelocities: Vector3D
        /// The time, CLOCK_MONOTONIC, in seconds.
        public var timestamp: Seconds
        /// Whether the dock measured the pose; if not, it is computed from the commands.
        public var isMeasured: Bool
        /// The reason why the pose is unknown, or nil if it is known.
        public var error: DockError?
    }

    /// The state of one battery of the dock.
    public struct BatteryState: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// The charge level, 0...1, or nil if unknown.
        public var batteryLevel: Double?
        /// The charge state: charging, discharging, or on mains power.
        public var chargeState: DockControl.BatteryState.Charge
        /// Whether the dock considers it low.
        public var lowBattery: Bool
        /// Whether the dock considers it critical. The head then goes home and rests.
        public var criticalBattery: Bool
    }

    /// A person's use of the dock's buttons.
    public enum AccessoryEvent: Sendable, Equatable {
        /// A button that the manufacturer defines.
        case button(id: Int, pressed: Bool)
        /// The shutter button.
        case cameraShutter
        /// The button that switches cameras.
        case cameraFlip
        /// The zoom wheel; a positive factor zooms in, and one step is 0.2.
        case cameraZoom(factor: Double)
    }
}
