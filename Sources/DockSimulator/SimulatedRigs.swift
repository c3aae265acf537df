internal import CPosix
public import DockControl
public import Geometry

/// The simulated rigs: one row, one driver. A test holds that every driver has one.
public enum SimulatedRigs {
    /// Puts a simulated rig for a profile on a new pseudo-terminal, with the dynamics that the profile claims, or `model`'s.
    /// - Parameter link: where to make a stable symbolic link to it.
    /// - Throws: `SimulatorError`, `noRig` where there is none for the profile's driver.
    public static func port(
        for profile: RigProfile, model: RigModel? = nil, link: String? = nil
    ) throws(SimulatorError) -> any RigPort {
        func plugged<Device: SimulatedDevice>(_ device: Device) throws(SimulatorError) -> any RigPort {
            try SimulatedPort(link: link) { _ in device }
        }
        return try plugged(try device(for: profile, model: model, time: cposix_monotonic_now()))
    }

    /// A simulated rig for a profile, switched on at `time` (seconds), with the dynamics that the profile claims, or `model`'s, and
    /// mounted as the profile says; for tests in virtual time.
    /// - Throws: `SimulatorError.noRig` where there is none for the profile's driver.
    public static func device(
        for profile: RigProfile, model: RigModel? = nil, seed: UInt64 = 1, time: Seconds
    ) throws(SimulatorError) -> any SimulatedDevice {
        var model = model ?? RigModel(profile)
        let inverted = Set(Axis.allCases.filter { profile[$0].invert })
        func rig<Electronics: RigElectronics>(_ type: Electronics.Type, _ options: [String: Double]? = nil)
            -> SimulatedRig<Electronics>
        {
            SimulatedRig(
                model: model, options: options ?? profile.options, inverted: inverted, seed: seed, time: time)
        }
        switch profile.driver {
        case "dlp":
            var configuration = SimulatedDock.Configuration(model: model, seed: seed)
            configuration.inverted = inverted
            return SimulatedDock(configuration: configuration, time: time)
        case "feetech": return rig(FeetechServos.self)
        case "dynamixel": return rig(DynamixelServos.self)
        case "maestro":
            model.lag /= 2  // its servos take twice that
            return rig(MaestroServos.self)
        case "visca":
            // The profile's latency is that of the whole way; the camera's line takes its share of it by itself.
            model.commandLatency = max(0.002, model.commandLatency - ViscaCamera.lineShare)
            // A camera of which nobody says how fast its fastest code is, is as fast as its profile.
            let fastest = [
                "pan_max_speed": profile.pan.maxSpeed.inDegrees, "tilt_max_speed": profile.tilt.maxSpeed.inDegrees,
            ]
            return rig(ViscaCamera.self, profile.options.merging(fastest) { own, _ in own })
        case "waveshare": return rig(WavesharePanTilt.self)
        case "mavlink": return rig(MavlinkGimbal.self)
        default: throw .noRig(driver: profile.driver)
        }
    }
}

extension RigModel {
    /// A simulated rig with the dynamics that a profile claims.
    public init(_ profile: RigProfile) {
        self = .good
        name = profile.name
        maximumSpeed = max(profile.pan.maxSpeed, profile.tilt.maxSpeed)
        maximumAcceleration = max(profile.pan.maxAcceleration, profile.tilt.maxAcceleration)
        lag = max(profile.pan.lag, profile.tilt.lag)
        commandLatency = profile.commandLatency
        panRange = profile.pan.range
        tiltRange = profile.tilt.range
    }
}
