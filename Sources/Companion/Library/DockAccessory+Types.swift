public import DockControl
public import FaceTracker
public import Geometry

extension DockAccessory {
    /// Whether a dock is there. As in Apple's sample: `docked` means connected.
    public enum State: Sendable, Equatable {
        /// It answers and is configured; a latched fault is told by the errors of what moves.
        case docked
        /// It is not there, or does not answer.
        case undocked
    }

    /// The dock came or went, or its tracking button was pressed.
    public struct StateChange: Sendable {
        /// The dock; nil while there is none.
        public var accessory: DockAccessory?
        /// Whether it is there.
        public var state: State
        /// The tracking button stands at "on": system tracking is enabled.
        public var trackingButtonEnabled: Bool
    }

    /// Which dock it is.
    public struct Identifier: Sendable, Hashable {
        /// DockKit's categories.
        public enum Category: Sendable, Hashable {
            /// A stand that turns.
            case trackingStand
        }
        /// The name of the rig model, from its profile.
        public var name: String
        /// What kind of thing it is.
        public var category: Category
        /// The unique id that this very dock tells, hexadecimal.
        public var uuid: String
    }

    /// Where tracked subjects are placed in the picture.
    public typealias FramingMode = DockControl.FramingMode

    /// Predefined motions.
    public enum Animation: String, Sendable, CaseIterable {
        /// A nod.
        case yes
        /// A shake of the head (the eyes' name for it is nope).
        case no
        /// Up to level, looking about.
        case wakeup
        /// Knocked back, and swinging out.
        case kapow
    }

    /// How far and how fast one axis may turn.
    public struct Limit: Sendable, Equatable {
        /// Radians.
        public var positionRange: Range<Double>
        /// rad/s, > 0.
        public var maximumSpeed: Double

        /// - Throws: `DockError.invalidParameter` where the range is empty or the speed not above 0.
        public init(positionRange: Range<Double>, maximumSpeed: Double) throws(DockError) {
            guard positionRange.lowerBound < positionRange.upperBound, maximumSpeed > 0, maximumSpeed.isFinite else {
                throw DockError(
                    .invalidParameter, "a limit is a range that is not empty and a speed above 0",
                    hint: "give min < max in radians, and rad/s")
            }
            self.positionRange = positionRange
            self.maximumSpeed = maximumSpeed
        }
    }

    /// Limits of the axes; nil: the axis keeps the rig's own (reading: the rig does not have it).
    public struct Limits: Sendable, Equatable {
        /// About the vertical axis: + = the dock's right.
        public var yaw: Limit?
        /// About the horizontal axis: + = down.
        public var pitch: Limit?
        /// No rig here has it.
        public var roll: Limit?

        /// None unless given.
        public init(yaw: Limit? = nil, pitch: Limit? = nil, roll: Limit? = nil) {
            self.yaw = yaw
            self.pitch = pitch
            self.roll = roll
        }
    }

    /// Where the dock is and how it turns.
    public struct MotionState: Sendable, Equatable {
        /// Radians: x pitch, y yaw.
        public var angularPositions: Vector3D
        /// rad/s.
        public var angularVelocities: Vector3D
        /// CLOCK_MONOTONIC, seconds.
        public var timestamp: Seconds
        /// Whether the dock measured it; else it is where the commands should have brought it.
        public var isMeasured: Bool
        /// Why nothing is known; nil: it is.
        public var error: DockError?
    }

    /// Whom the session sees, ten times a second.
    public struct TrackingState: Sendable, Equatable {
        /// Exposure of the picture, CLOCK_MONOTONIC, seconds.
        public var time: Seconds
        /// People and objects.
        public var trackedSubjects: [TrackedSubject]
        /// The subject that is followed; nil: nobody at the moment.
        public var followed: Int?
    }

    /// One tracked person or object.
    public struct TrackedSubject: Sendable, Equatable {
        /// Its number; never used for another one in this run.
        public var identifier: Int
        /// Person or object.
        public var kind: SubjectKind
        /// Its face, normalised, origin top-left.
        public var rect: Rect
        /// 1 = most important; nil: not ranked.
        public var saliencyRank: Int?
        /// 0...1; nil: not computed.
        public var speakingConfidence: Double?
        /// 0...1; nil: not computed.
        public var lookingAtCameraConfidence: Double?
    }

    /// A supply of the dock.
    public struct BatteryState: Sendable, Equatable {
        /// Which.
        public var name: String
        /// 0...1; nil: not known.
        public var batteryLevel: Double?
        /// On the charger, on its own, or on the mains.
        public var chargeState: DockControl.BatteryState.Charge
        /// The dock's own judgement.
        public var lowBattery: Bool
        /// The dock's own judgement: the head goes home and rests.
        public var criticalBattery: Bool
    }

    /// Something a person did to the dock.
    public enum AccessoryEvent: Sendable, Equatable {
        /// A button of the maker's own.
        case button(id: Int, pressed: Bool)
        /// The shutter button.
        case cameraShutter
        /// The button that changes cameras.
        case cameraFlip
        /// The zoom wheel; > 0 = in, a step is 0.2.
        case cameraZoom(factor: Double)
    }
}
