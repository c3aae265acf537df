internal import DockControl
package import DockSimulator
package import Geometry

/// Who steers.
package enum TrialController: String, CaseIterable, Sendable {
    /// The whole daemon.
    case ours
    /// A P on pixels, and a PID on pixels, each with the least program around it.
    case p, pid

    /// Nil: the daemon needs none.
    var law: (any ClassicLaw)? {
        switch self {
        case .ours: nil
        case .p: ClassicP()
        case .pid: ClassicPID()
        }
    }
}

/// What the rig is told, and whether it tells where it is.
package enum TrialRig: String, CaseIterable, Sendable {
    /// Our own dock: speeds; it reports its pose.
    case speeds
    /// A pair of bus servos: places; they are asked where they stand.
    case places
    /// Two hobby servos: places, and nothing measures where they stand.
    case unheard

    /// The driver that speaks to it, and what it has to be told of the rig.
    var driver: (name: String, baud: Int, options: [String: Double]) {
        switch self {
        case .speeds: ("dlp", 115_200, [:])
        case .places: ("feetech", 1_000_000, [:])
        case .unheard: ("maestro", 115_200, ["us_per_degree": 5])
        }
    }
}

/// Which rig, which camera.
package struct TrialSetup: Sendable {
    package var scene: TrialScene
    package var model: RigModel
    package var seed: UInt64
    package var framesPerSecond = 30.0
    /// Who steers.
    package var controller = TrialController.ours
    /// What the rig is told, and whether it tells where it is.
    package var rig = TrialRig.speeds
    /// Pictures say that they were taken so much later than they were, seconds.
    package var stampError: Seconds = 0
    /// Commands act so much later than the profile says, seconds; and the motors lag so much more.
    package var latencyError: Seconds = 0, lagError: Seconds = 0
    /// No noise, no faults; for comparisons.
    package var isPerfect = false
    /// The measurement begins at once, on a rig that has not proven its signs.
    package var isCold = false

    /// The rig as it is: slower than its profile where that is wrong to that side; to the other, the profile is.
    var truth: RigModel {
        var rig = model
        rig.commandLatency += max(0, latencyError)
        rig.lag += max(0, lagError)
        return rig
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
    /// Where the person is, and where the head has to look so that the person appears where framing wants it.
    package var person: PanTilt
    package var target: PanTilt
    package var pose: PanTilt
    package var rate: PanTilt
    /// The person is not behind anything.
    package var isVisible: Bool
}

/// What a trial has shown.
package struct TrialRecord: Sendable {
    package var setup: TrialSetup
    package var samples: [TrialSample] = []
    /// Set-points written while it was measured.
    package var commands = 0
    /// How much later the pictures were taken than they said, as was found out in the end, seconds; nil: it was not.
    package var pictureLag: Seconds?
    /// What the daemon said.
    package var notes: [String] = []
}

/// The whole daemon, or a classic law, in front of a simulated rig and camera, in virtual time.
package enum Trial {
    /// Runs one.
    package static func run(_ setup: TrialSetup) -> TrialRecord {
        var profile = profile(setup, driver: setup.rig.driver.name)
        profile.serial.baud = setup.rig.driver.baud
        profile.options = setup.rig.driver.options
        guard let driver = try? DriverTable.make(for: profile) else { return TrialRecord(setup: setup) }
        func rig<Kind: RigElectronics>(_: Kind.Type) -> SimulatedRig<Kind> {
            SimulatedRig<Kind>(model: setup.truth, options: profile.options, seed: setup.seed, time: 100)
        }
        switch setup.rig {
        case .speeds:
            let dock = SimulatedDock(configuration: .init(model: setup.truth, seed: setup.seed), time: 100)
            return run(setup, dock, driver, profile)
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
            measure.take(device, at: now, setpoints: stage.host.setpoints)
        }
        measure.record.pictureLag = stage.host.pictureLag?.lag
        measure.record.notes = stage.host.notes
        _ = stage.host.end()
        return measure.record
    }

    /// A profile that knows the rig.
    static func profile(_ setup: TrialSetup, driver: String) -> RigProfile {
        func axis(_ range: ClosedRange<Double>) -> RigProfile.AxisProfile {
            var axis = RigProfile.AxisProfile(
                range: range, maxSpeed: setup.model.maximumSpeed, maxAcceleration: setup.model.maximumAcceleration)
            // How far a hobby servo is behind its pulse nobody limits: it would swing if it were quicker.
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
