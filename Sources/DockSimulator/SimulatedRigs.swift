internal import CPosix
public import DockControl
public import Geometry

/// The simulated rigs, one per driver. A test checks that every driver has one.
public enum SimulatedRigs {
    /// Puts a simulated rig for a profile on a new pseudo-terminal, with the profile's dynamics or those of `model`.
    /// - Parameters:
    ///   - link: path for a stable symbolic link to it.
    ///   - isNew: the servos of a bus are as they leave the factory; other rigs have no such state.
    /// - Throws: `SimulatorError`; `noRig` if there is none for the profile's driver.
    public static func port(
        for profile: RigProfile, model: RigModel? = nil, link: String? = nil, isNew: Bool = false
    ) throws(SimulatorError) -> any RigPort {
        func plugged<Device: SimulatedDevice>(_ device: Device) throws(SimulatorError) -> any RigPort {
            try SimulatedPort(link: link) { _ in device }
        }
        return try plugged(try device(for: profile, model: model, time: cposix_monotonic_now(), isNew: isNew))
    }

    /// A simulated rig for a profile, switched on at `time` (seconds), with the profile's dynamics or those of `model`,
    /// and mounted as in the profile; for tests in virtual time. `isNew`: the servos of a bus are as they leave the
    /// factory.
    /// - Throws: `SimulatorError.noRig` if there is none for the profile's driver.
    public static func device(
        for profile: RigProfile, model: RigModel? = nil, seed: UInt64 = 1, time: Seconds, isNew: Bool = false
    ) throws(SimulatorError) -> any SimulatedDevice {
        var model = model ?? RigModel(profile)
        let inverted = Set(Axis.allCases.filter { profile[$0].invert })
        func rig<Electronics: RigElectronics>(_ type: Electronics.Type, _ options: [String: Double]? = nil)
            -> SimulatedRig<Electronics>
        {
            SimulatedRig(
                model: model, options: options ?? profile.options, inverted: inverted, seed: seed, time: time)
        }
        func servos<Electronics: BusServos>(_ type: Electronics.Type) -> SimulatedRig<Electronics> {
            // They are set to the speed of the profile.
            var made = rig(type, profile.options.merging(["baud": Double(profile.serial.baud)]) { own, _ in own })
            if isNew { made.electronics.makeNew() }
            return made
        }
        switch profile.driver {
        case "dlp":
            var configuration = SimulatedDock.Configuration(model: model, seed: seed)
            configuration.inverted = inverted
            return SimulatedDock(configuration: configuration, time: time)
        case "feetech": return servos(FeetechServos.self)
        case "dynamixel": return servos(DynamixelServos.self)
        case "maestro":
            model.lag /= 2  // its servos have twice that lag
            return rig(MaestroServos.self)
        case "visca":
            // The profile's latency covers the whole path. The camera's line adds its own part.
            model.commandLatency = max(0.002, model.commandLatency - ViscaCamera.lineShare)
            // If the options do not name the fastest speed of a camera, it is that of the profile.
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
    /// A simulated rig with the dynamics of a profile.
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
