public import Geometry

/// What a driver can do and needs, so that the loop and the servo can adapt to it.
public struct DriverAbilities: Sendable, Equatable {
    /// What the motors are sent.
    public enum Setpoint: String, Sendable {
        /// How fast to turn: they turn on until they are told otherwise.
        case velocity
        /// Where to be, streamed: they stand when nothing comes, having arrived.
        case position
    }

    /// Where the pose comes from.
    public enum Feedback: String, Sendable {
        /// The device measures it.
        case measured
        /// Nothing measures it: it is the commanded path, delayed as the profile says.
        case modelled
    }

    /// What the motors do after a stop.
    public enum Standstill: String, Sendable {
        /// They hold where they stand.
        case hold
        /// They run out, braked by friction.
        case coast
        /// They have no torque for a moment; what is heavy sinks.
        case limp
    }

    /// The dock stops by itself when no set-point comes for this long; nil: it never does.
    public var deadman: Seconds?
    /// What it is sent.
    public var setpoint: Setpoint
    /// The smallest step of a set-point, rad or rad/s; 0: finer than a motor is.
    public var quantum: Double
    /// No more set-points a second than this: what the line or the device takes.
    public var mostSetpoints: Double
    /// The dock reports where it is.
    public var reportsPose: Bool
    /// Where that comes from.
    public var feedback: Feedback
    /// What a stop means.
    public var standstill: Standstill
    /// The dock has a battery and tells about it.
    public var reportsBattery: Bool
    /// The dock has buttons.
    public var reportsEvents: Bool
    /// The dock keeps an emergency stop latched by itself, and reports it; else only the daemon does.
    public var keepsLatch: Bool
    /// A rig that talks and does not hear shows itself: it answers what it is asked, or tells that its deadman has stopped
    /// it. Else nothing tells it from one that is blocked.
    public var showsDeafness: Bool
    /// What the rig's own camera can magnify, 1 = none; nil: it has none that can be told.
    public var magnification: ClosedRange<Double>?
    /// Its motors can be let go of; else `torque off` is answered with an error, and it is only not moved.
    public var canLetGo: Bool

    /// All abilities by name.
    public init(
        deadman: Seconds?, setpoint: Setpoint = .velocity, quantum: Double = 0, mostSetpoints: Double = 60,
        reportsPose: Bool, feedback: Feedback = .measured, standstill: Standstill = .hold, reportsBattery: Bool,
        reportsEvents: Bool, keepsLatch: Bool = true, showsDeafness: Bool = true,
        magnification: ClosedRange<Double>? = nil, canLetGo: Bool = true
    ) {
        self.deadman = deadman
        self.setpoint = setpoint
        self.quantum = quantum
        self.mostSetpoints = mostSetpoints
        self.reportsPose = reportsPose
        self.feedback = feedback
        self.standstill = standstill
        self.reportsBattery = reportsBattery
        self.reportsEvents = reportsEvents
        self.keepsLatch = keepsLatch
        self.showsDeafness = showsDeafness
        self.magnification = magnification
        self.canLetGo = canLetGo
    }
}

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
    /// The dock refused something; text for the log.
    case refused(String)
    /// The dock does not do what it is told although it was told again and again: what, and what to do; text for the log.
    case disobeys(String)
}

/// What the dock shall do now.
public enum DockSetpoint: Sendable, Equatable {
    /// Turn at this velocity, rad/s, until the next set-point or the deadman.
    case velocity(PanTilt)
    /// Decelerate at the limit, hold the torque. Not latched.
    case stop
}

/// One protocol: commands into bytes, bytes into reports. A value without input or output of its own.
///
/// A driver never blocks, never reads a clock and never traps on bytes; the loop thread calls it and writes what it says.
/// What it keeps alive by itself (greeting, clock, limits, torque, acknowledgements) it does in `service`.
public protocol DockDriver: Sendable {
    /// Name in profiles.
    static var name: String { get }
    /// Options that its profiles may set, and what each may be.
    static var options: [String: DriverOption] { get }
    /// What of a profile cannot be said to the device, although each value alone is allowed: ends of an axis behind the last
    /// position, two servos with one id.
    static func contradictions(in profile: RigProfile) -> [ProfileContradiction]

    /// A driver for one rig.
    init(profile: RigProfile)

    /// What it can do.
    var abilities: DriverAbilities { get }

    /// The port was opened: begin the conversation. No motion before `DockReport.ready`. A `motionless` conversation
    /// (dry run) never switches the torque on.
    mutating func begin(now: Seconds, motionless: Bool)
    /// Appends what is due: greeting, clock, retries, acknowledgements. Returns when it wants to be called again.
    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds
    /// Appends a set-point.
    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8])
    /// Appends what ends a frame that was cut off, so that the next one is not lost with it.
    mutating func encodeResync(into bytes: inout [UInt8])
    /// Appends resync prefix and stop: right in any state, whatever was cut off before. The last bytes of every session.
    mutating func encodeStop(into bytes: inout [UInt8])
    /// Appends resync prefix and latched emergency stop.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8])
    /// Appends the request to release the latch.
    mutating func encodeClear(into bytes: inout [UInt8])
    /// Appends torque on or off; the driver repeats it by itself until the dock says that it is so, and of off reports that
    /// (`released`). Off holds until on is asked for, however often the dock is greeted meanwhile.
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8])
    /// Tells the dock whether it moves, so that it can report quickly or slowly.
    mutating func setActive(_ active: Bool, into bytes: inout [UInt8])
    /// The rig's camera shall magnify so much from now on; said when the line is free for it, the newest wins. Moves nothing.
    mutating func zoom(to magnification: Double)
    /// Takes bytes that arrived and appends what they mean.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, now: Seconds, into reports: inout [DockReport])
    /// Bytes that belonged to no valid frame so far.
    var invalidBytes: Int { get }
}

extension DockDriver {
    /// A device that takes whatever its options' ranges allow.
    public static func contradictions(in profile: RigProfile) -> [ProfileContradiction] { [] }
    /// Most rigs have no camera of their own.
    public mutating func zoom(to magnification: Double) {}
}
