public import DockControl
internal import FaceTracker
public import Geometry

/// DockKit's names for types that are declared elsewhere.
extension DockAccessory {
    /// One subject in one frame, as a program observes it.
    public typealias Observation = Companion.Observation
    /// The camera of observations.
    public typealias CameraInformation = Companion.CameraInformation
    /// The category of a dock.
    public typealias Category = Identifier.Category
    /// The charge state of a battery.
    public typealias BatteryChargeState = DockControl.BatteryState.Charge
    /// The stream of `DockAccessoryManager.accessoryStateChanges`.
    public typealias StateChanges = AsyncStream<StateChange>
    /// The stream of `motionStates`.
    public typealias MotionStates = AsyncStream<MotionState>
    /// The stream of `trackingStates`.
    public typealias TrackingStates = AsyncStream<TrackingState>
    /// The stream of `batteryStates`.
    public typealias BatteryStates = AsyncStream<BatteryState>
    /// The stream of `accessoryEvents`.
    public typealias AccessoryEvents = AsyncStream<AccessoryEvent>
}

extension DockAccessory.Limits {
    /// The range and the speed limit of one axis.
    public typealias Limit = DockAccessory.Limit
}

extension DockAccessory: Hashable {
    /// Whether both are the same dock.
    public static func == (a: DockAccessory, b: DockAccessory) -> Bool { a === b }

    /// Hashes the identity of the dock.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Observation {
    /// What a program has recognised.
    public enum ObservationType: Sendable, Hashable {
        /// A face.
        case humanFace
        /// A person's body.
        case humanBody
        /// Anything else.
        case object
    }

    /// Creates a subject as DockKit does. Faces and bodies are people.
    /// - Parameters:
    ///   - identifier: the program's number for the subject, which is the same in all frames.
    ///   - type: what was recognised.
    ///   - rect: its rectangle: normalised, origin top-left, upright, unmirrored.
    ///   - faceYawAngle: the direction of the face, in radians, positive to the right of the frame, or nil if not
    ///     computed.
    public init(identifier: Int, type: ObservationType, rect: Rect, faceYawAngle: Double? = nil) {
        self.init(
            identifier: identifier, kind: type == .object ? .object : .person, rect: rect, faceYawAngle: faceYawAngle)
    }
}
