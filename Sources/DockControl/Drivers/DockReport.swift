public import Geometry

/// The identity of the dock that answered.
public struct DockIdentity: Sendable, Equatable {
    /// The hardware model, as the dock reports it.
    public var model: String
    /// The firmware version, as "major.minor.patch".
    public var firmware: String
    /// The unique ID of this individual device, as hexadecimal digits. For a device without a number, it is a
    /// description of its kind.
    public var uid: String

    /// Returns whether the ID belongs to one device only.
    public static func isUnique(_ uid: String) -> Bool {
        !uid.isEmpty && uid.utf8.allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
    }

    /// Creates the identity that the dock reports.
    public init(model: String, firmware: String, uid: String) {
        self.model = model
        self.firmware = firmware
        self.uid = uid
    }
}

/// The pose of the dock at one time.
public struct MotionSample: Sendable, Equatable {
    /// CLOCK_MONOTONIC of the measurement, mapped from the dock's clock if it has one.
    public var time: Seconds
    /// The pose, in radians.
    public var pose: PanTilt
    /// The rate, in rad/s.
    public var rate: PanTilt

    /// Creates a sample from a pose (rad) and its rate (rad/s) at a time.
    public init(time: Seconds, pose: PanTilt, rate: PanTilt) {
        self.time = time
        self.pose = pose
        self.rate = rate
    }
}

/// The dock's supply.
public struct BatteryState: Sendable, Equatable {
    /// DockKit's charge states.
    public enum Charge: String, Sendable {
        /// It is on the charger.
        case charging
        /// It runs on its battery.
        case notCharging
        /// There is no battery to charge: the rig runs on the mains.
        case notChargeable
    }
    /// Which of the dock's batteries this is.
    public var name = "dock"
    /// The charge level, 0...1, or nil if unknown.
    public var level: Double?
    /// The charge state.
    public var charge: Charge
    /// Whether the battery is low, in the dock's own judgement and not by a threshold of dockface.
    public var isLow: Bool
    /// Whether the battery is about to run out, in the dock's own judgement.
    public var isCritical = false
    /// The voltage in volts, or nil if unknown.
    public var voltage: Double?

    /// Creates a state from a level (0...1), a charge state, the dock's own "low" and "critical", and a voltage in
    /// volts.
    public init(
        name: String = "dock", level: Double?, charge: Charge, isLow: Bool, isCritical: Bool = false,
        voltage: Double? = nil
    ) {
        self.name = name
        self.isCritical = isCritical
        self.level = level
        self.charge = charge
        self.isLow = isLow
        self.voltage = voltage
    }
}

/// What a driver reads about the lens of the rig's own camera.
public struct LensReport: Sendable, Equatable {
    /// The magnification; 1 is none, as the profile's field of view states.
    public var magnification: Double
    /// Whether the lens is on its way to another magnification.
    public var isMoving: Bool
    /// When this was read, CLOCK_MONOTONIC.
    public var time: Seconds

    /// Creates a report from its values.
    public init(magnification: Double, isMoving: Bool, time: Seconds) {
        self.magnification = magnification
        self.isMoving = isMoving
        self.time = time
    }
}

/// Something that a person did to the dock (DockKit's accessory events).
public enum AccessoryEvent: Sendable, Equatable {
    /// A manufacturer-specific button, by number.
    case button(id: Int, pressed: Bool)
    /// The shutter button.
    case cameraShutter
    /// The button that switches cameras.
    case cameraFlip
    /// The zoom wheel: signed steps; positive steps zoom in.
    case cameraZoom(steps: Int)
    /// The tracking button.
    case trackingButton(pressed: Bool)
}

/// A reason why the dock must not move until a person clears it.
public enum DockFault: String, Sendable, Equatable {
    /// An emergency stop, ours or the dock's.
    case emergencyStop
    /// The motor did not follow.
    case stall
    /// A motor or its electronics is too hot.
    case overTemperature
    /// Another fault that the dock reports.
    case device
    /// The dock speaks another version of the protocol.
    case versionMismatch
    /// An axis did not do what was commanded, or turned without a command.
    case followingError
    /// The image moved with the dock instead of against it: an axis or the image is reversed.
    case signSuspect
    /// The image did not move although the dock turned: the camera is not on the head.
    case pictureDoesNotFollow
}

/// What a driver reads from a dock's bytes.
public enum DockReport: Sendable, Equatable {
    /// The dock answered; before this, its state is unknown.
    case identified(DockIdentity)
    /// The dock is configured and its torque is on: it can be moved.
    case ready
    /// The dock restarted: configure it again, and forget its pose.
    case rebooted
    /// The pose, and whether the dock's own deadman has stopped it or should have stopped it because it accepted none
    /// of the last set-points.
    case motion(MotionSample, deadmanTripped: Bool)
    /// The state of a supply.
    case battery(BatteryState)
    /// The lens of the rig's own camera has moved.
    case lens(LensReport)
    /// A person did something to the dock.
    case event(AccessoryEvent)
    /// The dock must not move until the fault is cleared.
    case fault(DockFault)
    /// The dock reports that a fault is over.
    case faultCleared
    /// The dock reports that its torque is off, as last commanded. Sent once for each command.
    case released
    /// The dock reports that its torque is off although dockface did not switch it off. Its supply, its driver or its
    /// own protection may have done so. The driver does not switch it on again until `encodeTorque` requests it, even
    /// if the dock is greeted again.
    case letGo
    /// The dock refused something. The text is for the log.
    case refused(String)
    /// The dock does not do what it was repeatedly commanded to do. The text for the log says what, and how to fix it.
    case disobeys(String)
    /// A part of the dock does not answer, or its own settings contradict the profile. The text for the log says which,
    /// and how to fix it.
    case advice(String)
}
