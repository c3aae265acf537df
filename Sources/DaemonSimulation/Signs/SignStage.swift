internal import Companion
internal import DockControl
internal import DockSimulator
internal import FaceTracker
internal import Geometry

/// Stage of a `SignTrial`: the real path from a detector's lines to a velocity (decoder, tracker, selection, pursuit,
/// director), a plant and a camera, in virtual time and without a wire.
final class SignStage {
    private let trial: SignTrial
    private let profile: RigProfile
    private let camera: CameraModel
    /// The side on which the camera lies: +1 or -1.
    private let side: Double
    private var director: MotionDirector
    private var plant: Plant
    private var session: VirtualSession!
    private var random: SeededRandom
    private var encoder = DetectionEncoder()
    private var now: Seconds = SignStage.zero
    private var poses = PoseHistory(), track = PoseTrack()
    private var wish = PanTilt.zero
    private var commands: [(at: Seconds, velocity: PanTilt)] = []
    private var reports: [(at: Seconds, sample: MotionSample)] = []
    private var pictures: [(due: Seconds, taken: Seconds)] = []
    private var sequence = 0
    private var outcome = SignOutcome()

    private static let zero: Seconds = 1000, step: Seconds = 0.001
    /// Interval of pose reports, and the longest and shortest intervals of set-points, seconds.
    private static let report: Seconds = 0.02, refresh: Seconds = 0.02, pace: Seconds = 1 / 60
    /// No face is seen before that time, seconds. The first hello arrives by then.
    private static let quiet: Seconds = 0.3
    /// Angular width of the face, radians.
    private static let face = Double.degrees(7)

    init(_ trial: SignTrial) {
        self.trial = trial
        let model = trial.isCheap ? RigModel.cheap : .good
        let profile = RigProfile(of: model)
        self.profile = profile
        camera = CameraModel(camera: profile.camera)
        director = MotionDirector(profile: profile, mode: .system)
        plant = Plant(model: model)
        random = SeededRandom(seed: trial.seed)
        side = random.uniform() < 0.5 ? -1 : 1
        session = VirtualSession(
            profile: profile, seed: trial.seed, now: { [unowned self] in now },
            realtime: { [unowned self] in 1.7e9 + now })
    }

    /// Runs the trial to the verdict, or to its end.
    func run() -> SignOutcome {
        var nextReport = now, nextPicture = now + Self.quiet + random.uniform() / trial.rate
        var nextHello = now, nextStep = now, lastStep = now - Self.pace
        let steps = Int(SignTrial.duration / Self.step)
        for tick in 1...steps where director.pursuit.signs.verdict == nil {
            now = Self.zero + Double(tick) * Self.step
            move()
            if now >= nextReport {
                nextReport += Self.report
                report()
            }
            if now >= nextPicture {
                nextPicture += 1 / trial.rate
                pictures.append((now + profile.camera.latency, now))
            }
            let isSeen = see(&nextHello)
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
        while let first = commands.first, first.at <= now {
            wish = first.velocity
            commands.removeFirst()
        }
        let before = plant.pose
        plant.advance(Self.step, toward: wish)
        track.append(plant.pose, at: now)
        for axis in judged {
            outcome.turned += abs(plant.pose[axis] - before[axis])
            outcome.farthest = max(outcome.farthest, abs(plant.pose[axis]))
        }
    }

    private func report() {
        let noise = PanTilt(pan: random.normal(), tilt: random.normal()) * plant.model.reportNoise
        reports.append(
            (now + plant.model.reportAge, MotionSample(time: now, pose: plant.motors + noise, rate: plant.rate)))
        while let first = reports.first, first.at <= now {
            poses.append(first.sample)
            reports.removeFirst()
        }
    }

    /// Passes the detector's lines through the real decoder. Returns whether there were any.
    private func see(_ nextHello: inout Seconds) -> Bool {
        var lines: [UInt8] = []
        while let first = pictures.first, first.due <= now {
            pictures.removeFirst()
            if now >= nextHello {
                nextHello = trial.hellos > 0 ? max(now, nextHello + 1 / trial.hellos) : .infinity
                encoder.writeHello(
                    detector: "trial", clock: .monotonic, image: PictureSize(width: 640, height: 360), to: &lines)
            }
            sequence += 1
            encoder.writeFrame(
                sequence: sequence, time: first.taken, detections: detections(at: first.taken), to: &lines)
        }
        guard !lines.isEmpty else { return false }
        session.detect(lines)
        _ = session.input.read(now: now, poses: poses, mode: director.mode, pursuit: &director.pursuit)
        session.input.publish(now: now)
        return true
    }

    private func detections(at time: Seconds) -> [Detection] {
        let person = trial.person.place(at: time - Self.zero)
        let view = trial.camera == .fixed ? .zero : track.pose(at: time) ?? .zero
        guard var point = camera.project(person, from: view) else { return [] }
        let x = (point.x - 0.5) / camera.focal.x, y = (point.y - 0.5) / camera.focal.y
        switch trial.camera {
        case .right, .fixed: break
        case .mirrored: point.x = 1 - point.x
        case .upsideDown: point = Point(x: 1 - point.x, y: 1 - point.y)
        case .swapped: point = Point(x: 0.5 + side * y * camera.focal.x, y: 0.5 - side * x * camera.focal.y)
        }
        let width = Self.face * camera.focal.x, height = 1.3 * Self.face * camera.focal.y
        let tremble = trial.noise * (trial.isOfFace ? width : 1), shape = camera.focal.y / camera.focal.x
        point.x += tremble * random.normal()
        point.y += tremble * shape * random.normal()
        let rect = Rect(
            center: point, width: width * (1 + tremble * random.normal()),
            height: height * (1 + tremble * random.normal()))
        guard random.uniform() >= trial.drops, let seen = rect.intersection(.full), seen.area > 0.5 * rect.area
        else { return [] }
        return [Detection(rect: seen, score: 0.9)]
    }

    private func decide() {
        let motion = poses.latest.flatMap { latest in
            poses.pose(at: now).map { MotionSample(time: now, pose: $0, rate: latest.rate) }
        }
        let step = director.step(now: now, motion: motion, speedShare: 1)
        director.commanded(step.velocity, at: now)
        if step.owner == .tracking {
            for axis in judged { outcome.fastest = max(outcome.fastest, abs(step.velocity[axis])) }
        }
        let late = plant.model.commandLatency + plant.model.commandJitter * random.uniform()
        commands.append((now + late, step.velocity))
    }
}
