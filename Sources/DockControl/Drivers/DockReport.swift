public import Geometry

/// Identity of the dock that answered.
public struct DockIdentity: Sendable, Equatable {
    /// Hardware model, as the dock reports it.
    public var model: String
    /// Firmware version, as "major.minor.patch".
    public var firmware: String
    /// Unique ID of this very device, as hexadecimal digits; for a device without a number, words about its kind.
    public var uid: String

    /// Whether the ID belongs to one device only.
    public static func isUnique(_ uid: String) -> Bool {
        !uid.isEmpty && uid.utf8.allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
    }

    /// The identity that the dock reports.
    public init(model: String, firmware: String, uid: String) {
        self.model = model
        self.firmware = firmware
        self.uid = uid
    }
}

/// Pose of the dock at one time.
public struct MotionSample: Sendable, Equatable {
    /// CLOCK_MONOTONIC of the measurement, mapped from the dock's clock if it has one.
    public var time: Seconds
    /// Radians.
    public var pose: PanTilt
    /// rad/s.
    public var rate: PanTilt

    /// A pose (rad) and its rate (rad/s) at a time.
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
        /// On the charger.
        case charging
        /// Runs on its battery.
        case notCharging
        /// No battery to charge: the rig runs on the mains.
        case notChargeable
    }
    /// Which of the dock's batteries this is.
    public var name = "dock"
    /// 0...1; nil: unknown.
    public var level: Double?
    /// Charge state.
    public var charge: Charge
    /// The dock's own judgement, not a threshold of dockface.
    public var isLow: Bool
    /// The dock's own judgement: the battery is about to run out.
    public var isCritical = false
    /// Volts; nil: unknown.
    public var voltage: Double?

    /// Level 0...1, charge state, the dock's own "low" and "critical", volts.
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

/// Something that a person did to the dock (DockKit's accessory events).
public enum AccessoryEvent: Sendable, Equatable {
    /// A button specific to the maker, by number.
    case button(id: Int, pressed: Bool)
    /// The shutter button.
    case cameraShutter
    /// The button that switches cameras.
    case cameraFlip
    /// The zoom wheel: signed steps, positive = in.
    case cameraZoom(steps: Int)
    /// The tracking button.
    case trackingButton(pressed: Bool)
}

/// A reason why the dock must not move until a person clears it.
public enum DockFault: String, Sendable, Equatable {
    /// Emergency stop, ours or the dock's.
    case emergencyStop
    /// The motor did not follow.
    case stall
    /// Too hot.
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
    /// The pose; and whether the dock's own deadman has stopped it, or should have, because it accepted none of the last
    /// set-points.
    case motion(MotionSample, deadmanTripped: Bool)
    /// Supply.
    case battery(BatteryState)
    /// A person did something to the dock.
    case event(AccessoryEvent)
    /// The dock must not move until the fault is cleared.
    case fault(DockFault)
    /// The dock reports that a fault is over.
    case faultCleared
    /// The dock reports that its torque is off, as last commanded; once for each command.
    case released
    /// The dock reports that its torque is off although dockface did not switch it off: its supply, its driver or its own
    /// protection did. The driver does not switch it on again until `encodeTorque` requests it, however often the dock is
    /// greeted.
    case letGo
    /// The dock refused something; text for the log.
    case refused(String)
    /// The dock does not do what it was repeatedly commanded to do: what, and how to fix it; text for the log.
    case disobeys(String)
}
