internal import Companion
package import DockControl
package import DockSimulator
package import Geometry
internal import RobotFace

/// Which rig, which camera.
package struct TrialSetup: Sendable {
    package var scene: TrialScene
    package var model: RigModel
    package var seed: UInt64
    package var framesPerSecond = 30.0
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
    /// What was found out about the times of the pictures in the end; nil: nothing.
    package var latency: LatencyWatch.Finding?
    /// What the daemon said.
    package var notes: [String] = []
}

/// The whole daemon in front of a simulated rig and camera, in virtual time.
package enum Trial {
    /// Runs one.
    package static func run(_ setup: TrialSetup) -> TrialRecord {
        if setup.isPosition {
            var profile = profile(setup, driver: "feetech")
            profile.serial.baud = 1_000_000
            let device = SimulatedRig<FeetechServos>(
                model: setup.model, options: profile.options, seed: setup.seed, time: 100)
            guard let driver = try? DriverTable.make(for: profile) else { return TrialRecord(setup: setup) }
            return TrialStage(device: device, driver: driver, profile: profile, setup: setup).run()
        }
        let profile = profile(setup, driver: "dlp")
        let device = SimulatedDock(configuration: .init(model: setup.model, seed: setup.seed), time: 100)
        return TrialStage(device: device, driver: DlpDriver(profile: profile), profile: profile, setup: setup).run()
    }

    /// A profile that knows the rig.
    private static func profile(_ setup: TrialSetup, driver: String) -> RigProfile {
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

/// One run.
private final class TrialStage<Device: SimulatedDevice> {
    private let line = VirtualLink(isHardware: false)
    private var device: Device
    private let setup: TrialSetup
    private let people: TrialPeople
    private let model: CameraModel
    private var camera: TrialCamera
    private var core: LoopCore?
    private var session: VirtualSession?
    private var record: TrialRecord
    private var snapshot = LoopSnapshot()
    private var now: Seconds = 100
    private let zero: Seconds

    init(device: Device, driver: any DockDriver, profile: RigProfile, setup: TrialSetup) {
        self.setup = setup
        self.device = device
        record = TrialRecord(setup: setup)
        people = TrialPeople(setup.scene, seed: setup.seed)
        zero = 101.5 + (setup.isCold ? 0 : TrialScene.warmUp)
        model = CameraModel(camera: profile.camera)
        camera = TrialCamera(
            people: people, camera: model, framesPerSecond: setup.framesPerSecond,
            start: 101.5, seed: setup.seed, isPerfect: setup.isPerfect, stampError: setup.stampError)
        let session = VirtualSession(
            profile: profile, seed: setup.seed, now: { [unowned self] in now },
            realtime: { [unowned self] in 1.7e9 + now })
        self.session = session
        let core = LoopCore(
            link: line, options: LoopOptions(profile: profile, mode: .system), driver: driver, input: session.input,
            outlet: LoopOutlet(
                takeCommands: { session.commands.take() },
                onSnapshot: { [unowned self] in
                    snapshot = $0
                    session.take($0)
                },
                onEvent: { [unowned self] event in
                    if case .note(let text) = event { record.notes.append(text) }
                    session.take(event)
                }), reopen: { () throws(DockError) in throw DockError(.notConnected, "gone", hint: "") },
            clock: { [unowned self] in now })
        self.core = core
        line.onWrite = { [unowned self] bytes in
            self.device.receive(bytes, at: self.device.time)
            return bytes.count
        }
        core.begin(now: now, asleep: 0)
    }

    func run() -> TrialRecord {
        guard let core, let session else { return record }
        var deadline = core.wait(from: now), nextTick = now, isFirst = true, before: Int?
        let end = zero + setup.scene.duration
        while now < end {
            now += 0.001
            device.advance(to: now)
            line.deliver(device.takeOutput())
            var lines: [UInt8] = []
            if isFirst { camera.hello(into: &lines) }
            isFirst = false
            let device = device
            camera.deliver(by: now, zero: zero, pose: { device.pose(at: $0) }, into: &lines)
            if !lines.isEmpty { session.detect(lines) }
            if now >= nextTick {
                nextTick += 0.25
                session.tick()
            }
            var wake = LoopCore.Wake()
            wake.portIsReadable = !line.inbox.isEmpty
            wake.inputIsReadable = !lines.isEmpty
            wake.isDue = now >= deadline
            wake.wasRung = session.hasRung
            if session.hasRung { session.heard() }
            if wake.portIsReadable || wake.inputIsReadable || wake.isDue || wake.wasRung {
                core.turn(wake, now: now)
                deadline = core.wait(from: now)
            }
            guard now >= zero else { continue }
            before = before ?? snapshot.counters.setpoints
            take()
        }
        record.latency = core.pictureLatency
        record.commands = snapshot.counters.setpoints - (before ?? 0)
        _ = core.end()
        session.commands.close()
        return record
    }

    private func take() {
        guard let person = people.people(at: now - zero).first else { return }
        record.samples.append(
            TrialSample(
                time: now - zero, person: person.bearing,
                target: model.pose(toSee: person.bearing, at: Framing().setPoint(yaw: nil)),
                pose: device.pose, rate: device.rate,
                isVisible: !person.isHidden))
    }
}
