internal import DockControl
internal import DockSimulator
internal import Geometry

/// The rig of a `SignTrial`: motors that obey late, and reports that arrive late.
struct SignRig {
    private(set) var plant: Plant
    /// The poses that have been reported.
    private(set) var poses = PoseHistory()
    private var track = PoseTrack()
    private var wish = PanTilt.zero
    /// The time after which the dock stops if no set-point has arrived, and after which a report is too old, in seconds.
    private static let deadman: Seconds = 0.25, lifetime: Seconds = 0.25
    private var heard: Seconds = 0
    private var commands: [(at: Seconds, velocity: PanTilt)] = []
    private var reports: [(at: Seconds, sample: MotionSample)] = []

    /// Fraction of the reports and set-points that are lost.
    private let lost: Double

    init(model: RigModel, lost: Double) {
        plant = Plant(model: model)
        self.lost = lost
    }

    /// The head's pose at a time of the last 4 s, rad.
    func pose(at time: Seconds) -> PanTilt { track.pose(at: time) ?? .zero }

    /// The pose that the reports give for `time`, with its rate. As in the loop, it is nil without a report of the last
    /// quarter of a second.
    func motion(at time: Seconds) -> MotionSample? {
        guard let latest = poses.latest, time - latest.time < Self.lifetime else { return nil }
        return poses.pose(at: time, horizon: Self.lifetime).map {
            MotionSample(time: latest.time, pose: $0, rate: latest.rate)
        }
    }

    /// Advances by a step of this length, seconds; it is `now` then. Returns the way of both axes, rad.
    mutating func move(_ step: Seconds, now: Seconds) -> PanTilt {
        while let first = commands.first, first.at <= now {
            (wish, heard) = (first.velocity, now)
            commands.removeFirst()
        }
        if now - heard > Self.deadman { wish = .zero }
        let before = plant.pose
        plant.advance(step, toward: wish)
        track.append(plant.pose, at: now)
        return plant.pose - before
    }

    /// Sends a report, and receives those that have arrived.
    mutating func report(now: Seconds, _ random: inout SeededRandom) {
        let noise = PanTilt(pan: random.normal(), tilt: random.normal()) * plant.model.reportNoise
        if lost == 0 || random.uniform() >= lost {
            reports.append(
                (now + plant.model.reportAge, MotionSample(time: now, pose: plant.motors + noise, rate: plant.rate)))
        }
        while let first = reports.first, first.at <= now {
            poses.append(first.sample)
            reports.removeFirst()
        }
    }

    /// Sends a set-point, rad/s.
    mutating func command(_ velocity: PanTilt, now: Seconds, _ random: inout SeededRandom) {
        let late = plant.model.commandLatency + plant.model.commandJitter * random.uniform()
        guard lost == 0 || random.uniform() >= lost else { return }
        commands.append((now + late, velocity))
    }
}
