internal import Geometry

/// The mechanical half of a simulated rig: motors, encoders, the head, and the hand that may turn it.
struct SimulatedHead: Sendable {
    private(set) var plant: Plant
    /// The largest speed of either axis so far, rad/s.
    private(set) var maximumSpeedSeen = 0.0
    /// The mounting of the motors: -1 if an axis is mounted the other way round.
    let mount: PanTilt
    /// The direction of the motors' motion, which a fault may have reversed.
    private(set) var sense: PanTilt
    private var track = PoseTrack()
    private var panEncoder = Encoder()
    private var tiltEncoder = Encoder()
    private var hand: (velocity: PanTilt, until: Seconds)?

    /// A head of this model at a pose (rad).
    init(model: RigModel, inverted: Set<Axis>, pose: PanTilt, time: Seconds) {
        mount = PanTilt(pan: inverted.contains(.pan) ? -1 : 1, tilt: inverted.contains(.tilt) ? -1 : 1)
        sense = mount
        plant = Plant(model: model, pose: pose)
        track.append(plant.pose, at: time)
    }

    /// The head's pose, rad.
    var pose: PanTilt { plant.pose }
    /// Positions of the motors as their encoders read them, rad.
    var readings: PanTilt {
        PanTilt(
            pan: mount.pan * panEncoder.reading(plant.motors.pan),
            tilt: mount.tilt * tiltEncoder.reading(plant.motors.tilt)
        )
    }
    /// Speeds of the motors as their encoders read them, rad/s.
    var readingRates: PanTilt {
        PanTilt(pan: mount.pan * panEncoder.rate(plant.rate.pan), tilt: mount.tilt * tiltEncoder.rate(plant.rate.tilt))
    }

    /// The head's pose at a time of the last 4 s, rad.
    func pose(at time: Seconds) -> PanTilt { track.pose(at: time) ?? plant.pose }

    /// Turns axes without torque by hand (rad/s) until a time.
    mutating func push(_ velocity: PanTilt, until time: Seconds) { hand = (velocity, time) }

    /// The speed with which the hand turns an axis without torque, rad/s.
    func push(at time: Seconds) -> PanTilt { hand.map { time < $0.until ? $0.velocity : .zero } ?? .zero }

    /// Advances by one tick while the motors follow a velocity, rad/s; it is `time` then.
    mutating func advance(toward velocity: PanTilt, at time: Seconds) {
        plant.advance(TickClock.tick, toward: velocity)
        maximumSpeedSeen = max(maximumSpeedSeen, plant.rate.magnitude)
        track.append(plant.pose, at: time)
    }

    /// Applies the faults of motors and encoders.
    mutating func apply(_ faults: SimulatedDock.Faults) {
        plant.blocked = faults.blocked
        sense = PanTilt(
            pan: mount.pan * (faults.reversedMotors.contains(.pan) ? -1 : 1),
            tilt: mount.tilt * (faults.reversedMotors.contains(.tilt) ? -1 : 1))
        panEncoder.fail(faults.encoder(.pan), at: plant.motors.pan)
        tiltEncoder.fail(faults.encoder(.tilt), at: plant.motors.tilt)
    }
}
