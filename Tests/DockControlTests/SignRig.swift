import DockSimulator
import DockTypes
import Geometry

@testable import DockControl

/// Director and pursuit on a plant and a camera, in virtual time and without a wire: quick enough for hundreds of
/// seeds.
struct SignRig {
    /// How the rig is really built, whatever its profile says.
    struct Build {
        /// +1 as the profile says, -1: the head turns the other way.
        var turns = PanTilt(pan: 1, tilt: 1)
        /// The image is mirrored and the profile does not say so.
        var mirrored = false
        /// The camera stands on the desk.
        var isFixed = false
        /// How much slower the camera is than the profile says, seconds.
        var lateness = 0.0
        var model = RigModel.good
        /// When the camera comes loose and stops turning with the head, seconds after the start.
        var loosens = Double.infinity
    }

    let build: Build
    let profile: RigProfile
    let period: Seconds
    /// The position of the person, in world angles.
    let person: (Seconds) -> PanTilt
    /// The tracker's number of the person.
    var subject: (Seconds) -> Int = { _ in 1 }
    /// Standard deviation of the rectangle's centre, as a fraction of its width.
    var jitter = 0.03
    /// Fraction of the frames in which the face is missed.
    var misses = 0.0
    var director: MotionDirector
    var plant: Plant
    var random: SeededRandom
    var now: Seconds = 100
    /// When the guard struck, and how far the head had turned (rad) since it first saw a person.
    var struck: (after: Seconds, turned: Double)?
    /// The largest angle between the wanted and the real direction of the camera in the last second, radians.
    var error = 0.0
    var holds = 0
    private var poses = PoseHistory()
    private var track = PoseTrack()
    private var commands: [(at: Seconds, velocity: PanTilt)] = []
    private var reports: [(at: Seconds, sample: MotionSample)] = []
    private var frames: [(at: Seconds, taken: Seconds)] = []
    private var demand = PanTilt.zero
    private var firstSeen: (at: Seconds, pose: PanTilt)?
    private var lastHold = PanTilt.zero
    private var loose: PanTilt?
    /// How far the head has turned since the camera came loose, rad.
    private(set) var turnedLoose = 0.0

    init(
        _ build: Build = Build(), profile: RigProfile = .dlpDock, rate: Double = 15, seed: UInt64 = 1,
        person: @escaping (Seconds) -> PanTilt
    ) {
        self.build = build
        self.profile = profile
        self.person = person
        period = 1 / rate
        random = SeededRandom(seed: seed)
        director = MotionDirector(profile: profile, mode: .system)
        plant = Plant(model: build.model)
    }

    var verdict: SignGuard.Verdict? { director.pursuit.signs.verdict }

    /// The real direction of the camera.
    private mutating func view(_ motors: PanTilt, at time: Seconds) -> PanTilt {
        if time - 100 > build.loosens {
            loose = loose ?? motors
            return loose ?? motors
        }
        return build.isFixed
            ? .zero : PanTilt(pan: motors.pan * build.turns.pan, tilt: motors.tilt * build.turns.tilt)
    }

    mutating func run(_ seconds: Seconds) {
        let begin = now, end = now + seconds, step = 0.002
        var nextStep = now, nextReport = now, nextFrame = now + period * random.uniform()
        while now < end, struck == nil {
            now += step
            while let first = commands.first, first.at <= now {
                demand = first.velocity
                commands.removeFirst()
            }
            plant.advance(step, toward: demand)
            track.append(plant.pose, at: now)
            if loose != nil { turnedLoose += plant.rate.magnitude * step }
            if now >= nextReport {
                nextReport += 0.02
                let noise = PanTilt(pan: random.normal(), tilt: random.normal()) * build.model.reportNoise
                reports.append(
                    (
                        now + build.model.reportAge,
                        MotionSample(time: now, pose: plant.motors + noise, rate: plant.rate)
                    ))
            }
            while let first = reports.first, first.at <= now {
                poses.append(first.sample)
                reports.removeFirst()
            }
            if now >= nextFrame {
                nextFrame += period
                frames.append((now + profile.camera.latency + build.lateness, now))
            }
            while let first = frames.first, first.at <= now {
                frames.removeFirst()
                deliver(taken: first.taken, since: begin)
                nextStep = min(nextStep, now)
            }
            guard now >= nextStep else { continue }
            nextStep = now + 0.02
            let motion = poses.latest.flatMap { latest in
                poses.pose(at: now).map { MotionSample(time: now, pose: $0, rate: latest.rate) }
            }
            let decided = director.step(now: now, motion: motion, speedShare: 1)
            commands.append((now + build.model.commandLatency, decided.velocity))
            if director.pursuit.signs.holdUntil != lastHold {
                lastHold = director.pursuit.signs.holdUntil
                if lastHold != .zero { holds += 1 }
            }
        }
    }

    private mutating func deliver(taken: Seconds, since: Seconds) {
        let claimed = now - profile.camera.latency
        guard let pose = poses.pose(at: claimed), let motors = track.pose(at: taken),
            var point = director.pursuit.camera.project(person(taken), from: view(motors, at: taken))
        else { return director.pursuit.absent(arrival: now) }
        if build.mirrored { point.x = 1 - point.x }
        let width = 0.1
        point.x += width * jitter * random.normal()
        point.y += width * jitter * random.normal()
        let rect = Rect(center: point, width: width, height: 0.18)
        guard Rect.full.contains(point), random.uniform() >= misses else {
            return director.pursuit.absent(arrival: now)
        }
        firstSeen = firstSeen ?? (now, plant.pose)
        director.pursuit.sighted(
            Sighting(subject: subject(taken), rect: rect, yaw: nil, exposure: claimed), pose: pose, arrival: now)
        if verdict != nil, let firstSeen {
            struck = (now - firstSeen.at, (plant.pose - firstSeen.pose).magnitude)
        }
        if taken > since + 1 { error = max(error, abs(point.x - 0.5)) }
    }
}
