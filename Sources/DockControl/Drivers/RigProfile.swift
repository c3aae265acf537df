public import Geometry

/// The description of one rig model: its driver, its axes, its camera and its safety policies.
///
/// Angles are in radians, speeds in rad/s; the profile files use degrees and are converted when they are read.
public struct RigProfile: Sendable, Equatable {
    /// One axis: range, dynamics and mounting.
    public struct AxisProfile: Sendable, Equatable {
        /// The mechanical range, in radians; motion ends `softMargin` inside it.
        public var range: ClosedRange<Double>
        /// The distance from the ends of the range at which motion ends, and within which overshoot must stay, in
        /// radians.
        public var softMargin = Double.degrees(2)
        /// The maximum speed, in rad/s.
        public var maxSpeed: Double
        /// The maximum acceleration, in rad/s².
        public var maxAcceleration: Double
        /// The maximum jerk, in rad/s³.
        public var maxJerk = Double.degrees(12000)
        /// The maximum torque as a percentage of the motor's torque, if the device can limit it.
        public var maxTorque = 40.0
        /// The time constant of the actuator, in seconds.
        public var lag: Seconds = 0.04
        /// Whether the motor turns in the opposite direction.
        public var invert = false
        /// The home angle, in radians.
        public var home = 0.0

        /// Creates an axis with a range (rad), a speed (rad/s) and an acceleration (rad/s²), and defaults for the rest.
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
        /// It is on the head and turns with the dock.
        case head
        /// It is on the desk and does not turn.
        case fixed
    }

    /// The camera whose frames the detector receives.
    public struct Camera: Sendable, Equatable {
        /// The horizontal field of view, in radians.
        public var horizontalFieldOfView = Double.degrees(66)
        /// The lens, if the camera was calibrated. It counts more than the field of view.
        public var lens: CalibratedLens?
        /// Whether the image is mirrored.
        public var mirror = false
        /// Whether the image is mirrored.
        public var rotate = 0
        /// The time from exposure to delivery of the rectangle, in seconds.
        public var latency: Seconds = 0.045
        /// Whether the camera turns with the dock.
        public var mount = Mount.head
        /// The direction in which a fixed camera looks, in dock angles.
        public var offset = PanTilt.zero

        /// Creates a camera with the defaults: 66 degrees, upright, 45 ms, on the head.
        public init() {}
    }

    /// The largest number of cameras.
    public static let mostCameras = FrameOptics.cameras.count

    /// Returns a camera by its place, from 0. One that the profile does not describe is like the first one.
    public func camera(at place: Int) -> Camera { place == 0 ? camera : otherCameras[place] ?? camera }

    /// The name of a camera's table in the profile's file: `camera`, `camera2` and so on.
    public static func cameraTable(at place: Int) -> String { place == 0 ? "camera" : "camera\(place + 1)" }

    /// Treats all cameras as standing beside the dock.
    mutating func fixCameras() {
        camera.mount = .fixed
        for place in otherCameras.keys { otherCameras[place]?.mount = .fixed }
    }

    /// What happens to the motors when the daemon releases the dock.
    public enum Release: String, Sendable {
        /// The torque stays on.
        case hold
        /// The torque is switched off. The head can be moved by hand, and may sink.
        case relax
    }

    /// How motion begins after the dock is attached.
    public enum Arming: String, Sendable {
        /// The dock waits for 2 s, and then moves at 25 % speed for 3 s.
        case careful
        /// Motion begins at once.
        case now
    }

    /// Safety policies.
    public struct Safety: Sendable, Equatable {
        /// The policy after an emergency stop.
        public var onEmergencyStop = Release.hold
        /// The policy when the daemon ends.
        public var onExit = Release.hold
        /// How motion begins. If nil, it is `careful` on real ports, and `now` on ptys and the simulator.
        public var arming: Arming?

        /// Returns whether hands may be near: on a real port, and wherever the profile asks for care.
        public func isNearHands(isHardware: Bool) -> Bool { isHardware || arming == .careful }

        /// Creates the defaults: the torque holds, and arming depends on the kind of port.
        public init() {}
    }

    /// The settings of the serial line.
    public struct Serial: Sendable, Equatable {
        /// The speed of the line, in bits per second.
        public var baud = 115_200
        /// Whether to raise DTR on opening, which resets many boards.
        public var dtr = false
        /// The time that the device needs after opening before it listens, in seconds.
        public var settle: Seconds = 0

        /// Creates the defaults: 115,200 baud, DTR low.
        public init() {}
    }

    /// The name of the rig model.
    public var name: String
    /// The name of its driver in the driver table.
    public var driver: String
    /// The source of the numbers.
    public var source = ""
    /// Whether the profile has been used with a real rig.
    public var verified = false
    /// The USB serial number that identifies this individual rig; empty for any.
    public var matchSerial = ""
    /// The serial line.
    public var serial = Serial()
    /// The time from writing a command until the motor acts on it, in seconds.
    public var commandLatency: Seconds = 0.015
    /// The number of commands per second while moving, 10...60.
    public var refreshRate = 50.0
    /// The camera.
    public var camera = Camera()
    /// The other cameras that the profile describes, by their place from 1.
    public var otherCameras: [Int: Camera] = [:]
    /// Where the rig is in the room, or nil if that is unknown.
    public var stand: RigStand?
    /// Where the screen that shows the face is mounted.
    public var display = Mount.fixed
    /// The safety policies.
    public var safety = Safety()
    /// The pan axis.
    public var pan: AxisProfile
    /// The tilt axis.
    public var tilt: AxisProfile
    /// The options that only this driver understands, as numbers in the units of the profile.
    public var options: [String: Double] = [:]

    /// Creates a rig with a driver and two axes, and defaults for the rest.
    public init(name: String, driver: String, pan: AxisProfile, tilt: AxisProfile) {
        self.name = name
        self.driver = driver
        self.pan = pan
        self.tilt = tilt
    }

    /// The profile of one axis.
    public subscript(axis: Axis) -> AxisProfile { axis == .pan ? pan : tilt }

    /// Converts from our directions to those of the device, or back: an inverted axis turns in the opposite direction.
    func mirrored(_ pose: PanTilt) -> PanTilt {
        PanTilt(pan: pan.invert ? -pose.pan : pose.pan, tilt: tilt.invert ? -pose.tilt : pose.tilt)
    }

    /// The home pose, in radians.
    public var home: PanTilt { PanTilt(pan: pan.home, tilt: tilt.home) }

    /// Our own dock with the limits of the simulated rig (`RigModel.good`: 120 deg/s, 600 deg/s², 40 ms lag, 15 ms
    /// command latency). It is the default if no profile is named.
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
