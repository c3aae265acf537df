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

/// Which rig, which camera.
package struct TrialSetup: Sendable {
    package var scene: TrialScene
    package var model: RigModel
    package var seed: UInt64
    package var framesPerSecond = 30.0
    /// Who steers.
    package var controller = TrialController.ours
    /// A rig that is sent places instead of speeds (a pair of bus servos).
    package var isPosition = false
    /// Pictures say that they were taken so much later than they were, seconds.
    package var stampError: Seconds = 0
    /// No noise, no faults; for comparisons.
    package var isPerfect = false
    /// The measurement begins at once, on a rig that has not proven its signs.
    package var isCold = false

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
        if setup.isPosition {
            var profile = profile(setup, driver: "feetech")
            profile.serial.baud = 1_000_000
            let device = SimulatedRig<FeetechServos>(
                model: setup.model, options: profile.options, seed: setup.seed, time: 100)
            guard let driver = try? DriverTable.make(for: profile) else { return TrialRecord(setup: setup) }
            return run(setup, device, driver, profile)
        }
        let profile = profile(setup, driver: "dlp")
        let device = SimulatedDock(configuration: .init(model: setup.model, seed: setup.seed), time: 100)
        return run(setup, device, DlpDriver(profile: profile), profile)
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
            axis.lag = setup.model.lag
            return axis
        }
        var profile = RigProfile(
            name: setup.model.name, driver: driver, pan: axis(setup.model.panRange), tilt: axis(setup.model.tiltRange))
        profile.commandLatency = setup.model.commandLatency
        profile.camera.latency = 0.045
        profile.verified = true
        return profile
    }
}
