internal import Companion
internal import DockControl
internal import DockSimulator
internal import FaceTracker
internal import Geometry

/// Stage of a `SignTrial`: the real path from a detector's lines to a velocity (decoder, tracker, selection, pursuit,
/// director), a plant and a camera, in virtual time and without a wire.
final class SignStage {
    private let trial: SignTrial
    private var director: MotionDirector
    private var rig: SignRig
    private var detector: SignDetector
    private var session: VirtualSession!
    private var random: SeededRandom
    private var now: Seconds = SignStage.zero
    private var outcome = SignOutcome()

    private static let zero: Seconds = 1000, step: Seconds = 0.001
    /// The longest and shortest intervals of set-points, seconds.
    private static let refresh: Seconds = 0.02, pace: Seconds = 1 / 60
    /// No face is seen before that time, seconds. The first hello arrives by then.
    private static let quiet: Seconds = 0.3

    init(_ trial: SignTrial) {
        self.trial = trial
        let model = trial.isCheap ? RigModel.cheap : .good
        let profile = RigProfile(of: model)
        director = MotionDirector(profile: profile, mode: .system)
        rig = SignRig(model: model, lost: trial.lost)
        random = SeededRandom(seed: trial.seed)
        let side: Double = random.uniform() < 0.5 ? -1 : 1
        detector = SignDetector(
            trial, camera: profile.camera, side: side, hello: Self.zero,
            picture: Self.zero + Self.quiet + random.uniform() / trial.rate)
        session = VirtualSession(
            profile: profile, seed: trial.seed, now: { [unowned self] in now },
            realtime: { [unowned self] in 1.7e9 + now })
    }

    /// Runs the trial to the verdict, or to its end.
    func run() -> SignOutcome {
        var nextReport = now, nextStep = now, lastStep = now - Self.pace
        let steps = Int(SignTrial.duration / Self.step)
        for tick in 1...steps where director.pursuit.signs.verdict == nil {
            now = Self.zero + Double(tick) * Self.step
            move()
            if now >= nextReport {
                nextReport += 1 / trial.reports
                rig.report(now: now, &random)
            }
            detector.expose(now: now)
            let isSeen = see()
            guard now >= nextStep || isSeen && now - lastStep >= Self.pace else { continue }
            (nextStep, lastStep) = (now + Self.refresh, now)
            decide()
        }
        outcome.verdict = director.pursuit.signs.verdict
        outcome.after = now - Self.zero
        outcome.isProven = director.pursuit.signs.isProven(.pan)
        return outcome
    }

    private var judged: [Axis] { trial.camera == .right ? Axis.allCases : trial.camera.wrongAxes }

    private func move() {
        let way = rig.move(Self.step, now: now)
        for axis in judged {
            outcome.turned += abs(way[axis])
            outcome.farthest = max(outcome.farthest, abs(rig.plant.pose[axis]))
        }
    }

    /// Passes the detector's lines through the real decoder. Returns whether there were any.
    private func see() -> Bool {
        let (person, rig) = (trial.person, rig)
        let lines = detector.lines(
            now: now, person: { person.place(at: $0 - Self.zero) }, head: { rig.pose(at: $0) }, &random)
        guard !lines.isEmpty else { return false }
        session.detect(lines)
        session.input.read(now: now)
        while let event = session.input.next(in: director.context(poses: rig.poses, now: now)) {
            director.steer(by: event, poses: rig.poses, now: now)
        }
        session.input.publish(now: now)
        return true
    }

    private func decide() {
        let step = director.step(now: now, motion: rig.motion(at: now), speedShare: 1)
        director.commanded(step.velocity, at: now)
        if step.owner == .tracking {
            for axis in judged { outcome.fastest = max(outcome.fastest, abs(step.velocity[axis])) }
        }
        rig.command(step.velocity, now: now, &random)
    }
}
