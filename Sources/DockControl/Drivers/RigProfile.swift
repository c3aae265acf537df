public import Geometry

/// What the daemon knows about one rig model: its driver, its axes, its camera and how careful to be with it.
///
/// Angles are in radians, speeds in rad/s; the profile files use degrees and are converted when they are read.
public struct RigProfile: Sendable, Equatable {
    /// One axis: range, dynamics and mounting.
    public struct AxisProfile: Sendable, Equatable {
        /// Mechanical range, radians; motion ends `softMargin` inside it.
        public var range: ClosedRange<Double>
        /// Distance from the ends of the range at which motion ends, and within which overshoot must stay; radians.
        public var softMargin = Double.degrees(2)
        /// rad/s.
        public var maxSpeed: Double
        /// rad/s².
        public var maxAcceleration: Double
        /// rad/s³.
        public var maxJerk = Double.degrees(12000)
        /// Percent of the motor's torque, if the device can limit it.
        public var maxTorque = 40.0
        /// Time constant of the actuator, seconds.
        public var lag: Seconds = 0.04
        /// Whether the motor turns the other way round.
        public var invert = false
        /// Home angle, radians.
        public var home = 0.0

        /// An axis with a range (rad), a speed (rad/s) and an acceleration (rad/s²), and defaults for the rest.
        public init(range: ClosedRange<Double>, maxSpeed: Double, maxAcceleration: Double) {
            self.range = range
            self.maxSpeed = maxSpeed
            self.maxAcceleration = maxAcceleration
        }

        /// The range inside the soft margin, in which motion is allowed.
        public var softRange: ClosedRange<Double> {
            let low = range.lowerBound + softMargin, high = range.upperBound - softMargin
            return low < high ? low...high : range
        }
    }

    /// Whether something turns with the dock.
    public enum Mount: String, Sendable {
        /// On the head: it turns with the dock.
        case head
        /// On the desk: it does not.
        case fixed
    }

    /// The camera whose frames the detector sees.
    public struct Camera: Sendable, Equatable {
        /// Horizontal field of view, radians.
        public var horizontalFieldOfView = Double.degrees(66)
        /// Whether the image is mirrored.
        public var mirror = false
        /// Degrees clockwise by which the image must be turned to be upright: 0, 90, 180 or 270.
        public var rotate = 0
        /// Time from exposure to delivery of the rectangle, seconds.
        public var latency: Seconds = 0.045
        /// Whether the camera turns with the dock.
        public var mount = Mount.head
        /// Where a fixed camera looks, in dock angles.
        public var offset = PanTilt.zero

        /// 66 degrees, upright, 45 ms, on the head.
        public init() {}
    }

    /// What the motors do when the daemon lets go.
    public enum Release: String, Sendable {
        /// Torque stays on.
        case hold
        /// Torque off: the head can be moved by hand, and may sink.
        case relax
    }

    /// How motion begins after attaching.
    public enum Arming: String, Sendable {
        /// Wait 2 s, then 25 % speed for 3 s.
        case careful
        /// At once.
        case now
    }

    /// Safety policies.
    public struct Safety: Sendable, Equatable {
        /// After an emergency stop.
        public var onEmergencyStop = Release.hold
        /// When the daemon ends.
        public var onExit = Release.hold
        /// How motion begins; nil: `careful` on real ports, `now` on ptys and the simulator.
        public var arming: Arming?

        /// Whether hands may be near: on a real port, and wherever the profile asks for care.
        public func isNearHands(isHardware: Bool) -> Bool { isHardware || arming == .careful }

        /// Hold the torque; arming by the kind of port.
        public init() {}
    }

    /// The serial line.
    public struct Serial: Sendable, Equatable {
        /// Bits per second.
        public var baud = 115_200
        /// Raise DTR on opening; it resets many boards.
        public var dtr = false
        /// Time the device needs after opening before it listens, seconds.
        public var settle: Seconds = 0

        /// 115,200 baud, DTR low.
        public init() {}
    }

    /// Name of the rig model.
    public var name: String
    /// Name of its driver in the driver table.
    public var driver: String
    /// Where the numbers come from.
    public var source = ""
    /// Whether the profile has been used with a real rig.
    public var verified = false
    /// USB serial number that identifies this very rig; empty: any.
    public var matchSerial = ""
    /// The serial line.
    public var serial = Serial()
    /// Time from writing a command to the motor acting on it, seconds.
    public var commandLatency: Seconds = 0.015
    /// Commands per second while moving, 10...60.
    public var refreshRate = 50.0
    /// The camera.
    public var camera = Camera()
    /// Where the screen with the face is.
    public var display = Mount.fixed
    /// Safety policies.
    public var safety = Safety()
    /// Pan axis.
    public var pan: AxisProfile
    /// Tilt axis.
    public var tilt: AxisProfile
    /// Options that only this driver knows; numbers as the profile gives them.
    public var options: [String: Double] = [:]

    /// A rig with a driver and two axes, and defaults for the rest.
    public init(name: String, driver: String, pan: AxisProfile, tilt: AxisProfile) {
        self.name = name
        self.driver = driver
        self.pan = pan
        self.tilt = tilt
    }

    /// The profile of one axis.
    public subscript(axis: Axis) -> AxisProfile { axis == .pan ? pan : tilt }

    /// From our directions to those of the device, or back: an inverted axis turns the other way round.
    func mirrored(_ pose: PanTilt) -> PanTilt {
        PanTilt(pan: pan.invert ? -pose.pan : pose.pan, tilt: tilt.invert ? -pose.tilt : pose.tilt)
    }

    /// The home pose, radians.
    public var home: PanTilt { PanTilt(pan: pan.home, tilt: tilt.home) }

    /// Our own dock with the limits of the simulated rig (`RigModel.good`: 120 deg/s, 600 deg/s², 40 ms lag, 15 ms command
    /// latency). The default if no profile is named.
    public static let dlpDock: RigProfile = {
        var profile = RigProfile(
            name: "dockface DLP/1 dock", driver: "dlp",
            pan: AxisProfile(
                range: .degrees(-170) ... .degrees(170), maxSpeed: .degrees(120), maxAcceleration: .degrees(600)),
            tilt: AxisProfile(
                range: .degrees(-30) ... .degrees(80), maxSpeed: .degrees(120), maxAcceleration: .degrees(600)))
        profile.source = "the simulated dock of this project"
        return profile
    }()
}
