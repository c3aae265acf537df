public import Geometry

/// Which dock answered.
public struct DockIdentity: Sendable, Equatable {
    /// Hardware model, as the dock says.
    public var model: String
    /// Firmware version, as "major.minor.patch".
    public var firmware: String
    /// Unique id of this very device, as hexadecimal digits; of one that has no number, words about its kind.
    public var uid: String

    /// Whether such an id is one device's alone.
    public static func isUnique(_ uid: String) -> Bool {
        !uid.isEmpty && uid.utf8.allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
    }

    /// What the dock said of itself.
    public init(model: String, firmware: String, uid: String) {
        self.model = model
        self.firmware = firmware
        self.uid = uid
    }
}

/// Where the dock was at a moment.
public struct MotionSample: Sendable, Equatable {
    /// CLOCK_MONOTONIC of the measurement, mapped from the dock's clock where it has one.
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
        /// Runs on what it has.
        case notCharging
        /// There is nothing to charge: the rig runs on the mains.
        case notChargeable
    }
    /// Which battery of the dock it is.
    public var name = "dock"
    /// 0...1; nil: not known.
    public var level: Double?
    /// Whether it is being charged.
    public var charge: Charge
    /// The dock's own judgement, not a threshold of ours.
    public var isLow: Bool
    /// The dock's own judgement: it will end soon.
    public var isCritical = false
    /// Volts; nil: not known.
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

/// Something a person did to the dock (DockKit's accessory events).
public enum AccessoryEvent: Sendable, Equatable {
    /// A button of the maker's own, by number.
    case button(id: Int, pressed: Bool)
    /// The shutter button.
    case cameraShutter
    /// The button that changes cameras.
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
    /// An axis did not do what it was told, or turned as nobody told it.
    case followingError
    /// The picture moved with the dock instead of against it: an axis or the picture is the wrong way round.
    case signSuspect
    /// The picture did not move although the dock turned: the camera is not on the head.
    case pictureDoesNotFollow
}

/// What a driver makes of the bytes of a dock.
public enum DockReport: Sendable, Equatable {
    /// The dock answered; nothing is known of its state before this.
    case identified(DockIdentity)
    /// The dock is configured and its torque is on: it can be moved.
    case ready
    /// The dock restarted: configure it again, forget where it was.
    case rebooted
    /// Where it is; and whether its own deadman has stopped it, or should have: it has taken none of the last set-points.
    case motion(MotionSample, deadmanTripped: Bool)
    /// Supply.
    case battery(BatteryState)
    /// A person did something.
    case event(AccessoryEvent)
    /// It must not move until somebody clears it.
    case fault(DockFault)
    /// A fault is over, as the dock says.
    case faultCleared
    /// The dock says that its torque is off, as it was last told; once for each time that it was told.
    case released
    /// The dock says that its torque is off, and nobody here has switched it off: its supply, its driver, its own protection. The driver
    /// does not switch it on again until `encodeTorque` asks for it, however often the dock is greeted.
    case letGo
    /// The dock refused something; text for the log.
    case refused(String)
    /// The dock does not do what it is told although it was told again and again: what, and what to do; text for the log.
    case disobeys(String)
}
