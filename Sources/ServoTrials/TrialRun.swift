internal import DockControl
package import DockSimulator
package import Geometry

/// The controller of a trial.
package enum TrialController: String, CaseIterable, Sendable {
    /// The whole daemon.
    case ours
    /// A P controller and a PID controller on pixels, each in a minimal program.
    case p, pid

    /// The classic law; nil for the daemon.
    var law: (any ClassicLaw)? {
        switch self {
        case .ours: nil
        case .p: ClassicP()
        case .pid: ClassicPID()
        }
    }
}

/// The kind of set-points, and whether the rig reports its pose.
package enum TrialRig: String, CaseIterable, Sendable {
    /// Our own dock: speed-controlled, reports its pose.
    case speeds
    /// A pair of bus servos: position-controlled, polled for their positions.
    case places
    /// Two hobby servos: position-controlled, without a measured position.
    case unheard

    /// The driver for the rig, and its options.
    var driver: (name: String, baud: Int, options: [String: Double]) {
        switch self {
        case .speeds: ("dlp", 115_200, [:])
        case .places: ("feetech", 1_000_000, [:])
        case .unheard: ("maestro", 115_200, ["us_per_degree": 5])
        }
    }
}

/// What precedes the measurement.
package enum TrialStart: Sendable {
    /// A person walks about in front of the rig, so that it proves its signs, and then stands; 9 s.
    case proven
    /// The rig has just been switched on and looks at a person who stands; 3 s.
    case cold
    /// The rig has just been switched on, and the measurement begins with the first frame.
    case atOnce

    /// Its duration, seconds.
    package var duration: Seconds {
        switch self {
        case .proven: 9
        case .cold: 3
        case .atOnce: 0
        }
    }
}

/// The setup of a trial: which rig, which camera.
package struct TrialSetup: Sendable {
    package var scene: TrialScene
    package var model: RigModel
    package var seed: UInt64
    package var framesPerSecond = 30.0
    /// The controller.
    package var controller = TrialController.ours
    /// The kind of set-points, and whether the rig reports its pose.
    package var rig = TrialRig.speeds
    /// How much later the times of the frames are than their exposures, seconds.
    package var stampError: Seconds = 0
    /// How much later commands act than the profile says, and how much longer the motors lag, seconds.
    package var latencyError: Seconds = 0, lagError: Seconds = 0
    /// No noise and no faults; for comparisons.
    package var isPerfect = false
    /// What precedes the measurement.
    package var start = TrialStart.proven

    /// The actual rig. Positive errors make it slower than its profile; negative ones make the profile slower.
    var truth: RigModel {
        var rig = model
        rig.commandLatency += max(0, latencyError)
        rig.lag += max(0, lagError)
        return rig
    }

    /// The head's first pose, rad: toward the person if the rig was just switched on.
    var firstPose: PanTilt {
        start == .cold ? TrialPeople(scene, seed: seed, start: start).people(at: -start.duration)[0].bearing : .zero
    }

    /// Our own dock.
    var dock: SimulatedDock.Configuration {
        var dock = SimulatedDock.Configuration(model: truth, seed: seed)
        dock.pose = firstPose
        return dock
    }

    package init(_ scene: TrialScene, model: RigModel = .good, seed: UInt64 = 1) {
        self.scene = scene
        self.model = model
        self.seed = seed
    }
}

/// One millisecond of a trial, rad and rad/s: where the followed person was, and where the head looked.
package struct TrialSample: Sendable {
    /// From the beginning of the measurement, seconds.
    package var time: Seconds
    /// The person's direction, and the pose in which the person appears at the set-point of framing.
    package var person: PanTilt
    package var target: PanTilt
    package var pose: PanTilt
    package var rate: PanTilt
    /// Whether nothing hides the person.
    package var isVisible: Bool
}

/// The result of a trial.
package struct TrialRecord: Sendable {
    package var setup: TrialSetup
    package var samples: [TrialSample] = []
    /// Set-points written during the measurement.
    package var commands = 0
    /// How much later frames were taken than their times say, as measured by the end, seconds; nil: not measured.
    package var pictureLag: Seconds?
    /// The daemon's notes.
    package var notes: [String] = []
}

/// The whole daemon, or a classic law, in front of a simulated rig and camera, in virtual time.
package enum Trial {
    /// Runs one trial.
    package static func run(_ setup: TrialSetup) -> TrialRecord {
        var profile = profile(setup, driver: setup.rig.driver.name)
        profile.serial.baud = setup.rig.driver.baud
        profile.options = setup.rig.driver.options
        guard let driver = try? DriverTable.make(for: profile) else { return TrialRecord(setup: setup) }
        func rig<Kind: RigElectronics>(_: Kind.Type) -> SimulatedRig<Kind> {
            SimulatedRig<Kind>(
                model: setup.truth, options: profile.options, seed: setup.seed, pose: setup.firstPose, time: 100)
        }
        switch setup.rig {
        case .speeds:
            return run(setup, SimulatedDock(configuration: setup.dock, time: 100), driver, profile)
        case .places: return run(setup, rig(FeetechServos.self), driver, profile)
        case .unheard: return run(setup, rig(MaestroServos.self), driver, profile)
        }
    }

    private static func run<Device: SimulatedDevice>(
        _ setup: TrialSetup, _ device: Device, _ driver: any DockDriver, _ profile: RigProfile
    ) -> TrialRecord {
        var measure = TrialMeasure(setup, profile, begin: 100)
        let stage = TrialStage(
            device: device, driver: driver, profile: profile, controller: setup.controller, seed: setup.seed, now: 100)
        stage.run(until: measure.end, seeing: measure.eyes) { now, device in
            measure.sample(device, at: now, setpoints: stage.host.setpoints)
        }
        measure.record.pictureLag = stage.host.pictureLag?.lag
        measure.record.notes = stage.host.notes
        _ = stage.host.end()
        return measure.record
    }

    /// Creates a profile that matches the rig.
    static func profile(_ setup: TrialSetup, driver: String) -> RigProfile {
        func axis(_ range: ClosedRange<Double>) -> RigProfile.AxisProfile {
            var axis = RigProfile.AxisProfile(
                range: range, maxSpeed: setup.model.maximumSpeed, maxAcceleration: setup.model.maximumAcceleration)
            // Nothing limits how far a hobby servo is behind its pulse: with a smaller lag the loop would oscillate.
            axis.lag = (setup.rig == .unheard ? 2 : 1) * setup.model.lag + max(0, -setup.lagError)
            return axis
        }
        var profile = RigProfile(
            name: setup.model.name, driver: driver, pan: axis(setup.model.panRange), tilt: axis(setup.model.tiltRange))
        profile.commandLatency = setup.model.commandLatency + max(0, -setup.latencyError)
        profile.camera.latency = 0.045
        profile.verified = true
        return profile
    }
}
