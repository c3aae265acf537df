internal import DockControl
internal import DockSimulator
internal import Geometry

/// What is in front of a trial's camera, and what is recorded of the rig; the same in virtual and in real time.
struct TrialMeasure {
    /// From power-on to the first frame, seconds: handshake, torque and the first reports.
    static let greeting: Seconds = 1.5

    /// The record so far.
    var record: TrialRecord
    /// Time of the first frame, and the beginning and end of the measurement, seconds of the caller's clock.
    private let start: Seconds, zero: Seconds
    let end: Seconds
    private let people: TrialPeople
    private let model: CameraModel
    private var before: Int?

    /// Creates a measurement.
    /// - Parameter begin: when the conversation with the rig begins, seconds.
    init(_ setup: TrialSetup, _ profile: RigProfile, begin: Seconds) {
        start = begin + Self.greeting
        zero = start + setup.start.duration
        end = zero + setup.scene.duration
        people = TrialPeople(setup.scene, seed: setup.seed, start: setup.start)
        model = CameraModel(camera: profile.camera)
        record = TrialRecord(setup: setup)
    }

    /// What the detector sees.
    var eyes: TrialEyes {
        let setup = record.setup
        return TrialEyes(
            TrialCamera(
                people: people, camera: model, framesPerSecond: setup.framesPerSecond, start: start, seed: setup.seed,
                isPerfect: setup.isPerfect, stampError: setup.stampError),
            zero: zero)
    }

    /// Records the rig after a step; `setpoints` is the number of set-points sent so far.
    mutating func sample(_ device: some SimulatedDevice, at now: Seconds, setpoints: Int) {
        guard now >= zero, let person = people.people(at: now - zero).first else { return }
        let first = before ?? setpoints
        before = first
        record.commands = setpoints - first
        record.samples.append(
            TrialSample(
                time: now - zero, person: person.bearing,
                target: model.pose(toSee: person.bearing, at: Framing().setPoint(yaw: nil)),
                pose: device.pose, rate: device.rate, isVisible: !person.isHidden))
    }
}
