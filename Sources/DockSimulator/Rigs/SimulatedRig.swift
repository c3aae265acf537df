public import Geometry

/// A rig with a foreign protocol in virtual time: its electronics, a plant, and a line with latency and faults.
///
/// Time is in seconds on the caller's clock and only goes forward. The same seed and the same calls give the same run.
public struct SimulatedRig<Electronics: RigElectronics>: SimulatedDevice {
    /// The mechanics.
    public let model: RigModel
    /// The electronics.
    public var electronics: Electronics
    /// The present faults.
    public var faults = SimulatedDock.Faults() { didSet { change(from: oldValue) } }
    /// The present time of the simulation, seconds.
    public private(set) var time: Seconds
    /// The largest speed of either axis so far, rad/s.
    public private(set) var maximumSpeedSeen = 0.0

    private let sense: PanTilt
    private var plant: Plant
    private var track = PoseTrack()
    private var random: SeededRandom
    private var panEncoder = Encoder()
    private var tiltEncoder = Encoder()
    private var input = TimedBytes()
    private var output = TimedBytes()
    private var hand: (velocity: PanTilt, until: Seconds)?
    private var start: Seconds
    private var ticks = 0.0

    private static var tick: Seconds { 0.001 }
    /// Time through the adapter in one direction, seconds: two frames of full-speed USB. The rest of the command
    /// latency is the motor's.
    private var lineLatency: Seconds { min(model.commandLatency, 0.002) }
    /// Commands of the electronics that the motors have not begun yet.
    private var wishes: [PanTilt] = []
    /// After a gap longer than this the simulation jumps.
    private static var longestGap: Seconds { 5 }

    /// A rig that is switched on at `time`. The motors of inverted axes are mounted the other way round, as in its
    /// profile.
    public init(
        model: RigModel = .good, options: [String: Double] = [:], inverted: Set<Axis> = [], seed: UInt64 = 1,
        pose: PanTilt = .zero, time: Seconds = 0
    ) {
        sense = PanTilt(pan: inverted.contains(.pan) ? -1 : 1, tilt: inverted.contains(.tilt) ? -1 : 1)
        self.model = model
        // In the motors' own direction.
        func mounted(_ axis: Axis) -> ClosedRange<Double> {
            let own = model.range(axis)
            return inverted.contains(axis) ? -own.upperBound ... -own.lowerBound : own
        }
        var known = model
        (known.panRange, known.tiltRange) = (mounted(.pan), mounted(.tilt))
        // The rest of the latency after the line's. Position-controlled electronics apply it (`LateGoal`).
        known.commandLatency = max(0, model.commandLatency - min(model.commandLatency, 0.002))
        electronics = Electronics(model: known, options: options)
        self.time = time
        start = time
        random = SeededRandom(seed: seed)
        var motors = model
        // The position controller accounts for the model's whole lag and is critically damped, so its motor is four
        // times as fast.
        if Electronics.followsPlaces { motors.lag /= 4 }
        plant = Plant(model: motors, pose: pose)
        track.append(plant.pose, at: time)
    }

    /// Takes bytes that the host wrote at `time`. The rig receives them after the latency of its line.
    public mutating func receive(_ bytes: some Sequence<UInt8>, at time: Seconds) {
        advance(to: time)
        let line = faults.toDock
        let wounded = line.damaged(Array(bytes), &random)
        guard !line.isDead else { return }
        let latency = lineLatency + min(model.commandJitter, lineLatency / 2) * (2 * random.uniform() - 1)
        input.append(wounded, at: max(time, self.time) + max(latency, 0) + line.usedDelay)
    }

    /// Takes the bytes that have reached the host by now; each is returned once.
    public mutating func takeOutput() -> [UInt8] { output.takeAll(until: time) }

    /// The next time at which output can reach the host, at most 0.1 s from now. Bytes of the host can make it sooner.
    public var nextWake: Seconds {
        var wake = min(time + 0.1, electronics.nextWord + lineLatency)
        if let next = input.next { wake = min(wake, next + lineLatency) }
        if let next = output.next { wake = min(wake, next) }
        return max(wake, time) + Self.tick
    }

    /// Advances to `target`.
    public mutating func advance(to target: Seconds) {
        guard target > time, target.isFinite else { return }
        if target - time > Self.longestGap { (start, ticks, time) = (target - 1, 0, target - 1) }
        while true {
            let tick = start + (ticks + 1) * Self.tick
            let limit = min(tick, target)
            while let run = input.take(until: limit) {
                time = max(time, run.at)
                for byte in run.bytes { electronics.receive(byte, at: time) }
                collect()
            }
            time = limit
            guard tick <= target else { return }
            ticks += 1
            step()
        }
    }

    private mutating func step() {
        let motors = PanTilt(
            pan: panEncoder.reading(plant.motors.pan) * sense.pan,
            tilt: tiltEncoder.reading(plant.motors.tilt) * sense.tilt)
        let rate = PanTilt(
            pan: panEncoder.rate(plant.rate.pan) * sense.pan, tilt: tiltEncoder.rate(plant.rate.tilt) * sense.tilt)
        var wanted = electronics.tick(motors: motors, rate: rate, at: time)
        if !Electronics.followsPlaces {
            wishes.append(wanted)
            let late = Int((model.commandLatency - lineLatency) / Self.tick)
            wanted = wishes.count > late ? wishes.removeFirst() : .zero
        }
        let push = hand.map { time < $0.until ? $0.velocity : .zero } ?? .zero
        func wish(_ axis: Axis) -> Double {
            let own = sense[axis] * wanted[axis] * (faults.reversedMotors.contains(axis) ? -1 : 1)
            return electronics.powered.contains(axis) ? own : push[axis]
        }
        plant.advance(Self.tick, toward: PanTilt(pan: wish(.pan), tilt: wish(.tilt)))
        maximumSpeedSeen = max(maximumSpeedSeen, plant.rate.magnitude)
        track.append(plant.pose, at: time)
        collect()
    }

    private mutating func collect() {
        let bytes = electronics.takeOutput()
        let line = faults.toHost
        guard !bytes.isEmpty, !line.isDead else { return }
        output.append(line.damaged(bytes, &random), at: time + lineLatency + line.usedDelay)
    }

    private mutating func change(from old: SimulatedDock.Faults) {
        plant.blocked = faults.blocked
        panEncoder.fail(faults.encoder(.pan), at: plant.motors.pan)
        tiltEncoder.fail(faults.encoder(.tilt), at: plant.motors.tilt)
        input.hurry(by: old.toDock.usedDelay - faults.toDock.usedDelay, now: time)
        output.hurry(by: old.toHost.usedDelay - faults.toHost.usedDelay, now: time)
    }

    /// The head's pose, rad: pan + = the dock's right, tilt + = up.
    public var pose: PanTilt { plant.pose }
    /// The head's speed, rad/s.
    public var rate: PanTilt { plant.rate }
    /// The head's pose at a time of the last 4 s, rad.
    public func pose(at time: Seconds) -> PanTilt { track.pose(at: time) ?? plant.pose }
    /// Turns the head by hand (rad/s) for this time on axes without torque.
    public mutating func push(_ velocity: PanTilt, for seconds: Seconds) { hand = (velocity, time + seconds) }

    /// Interrupts the supply. Bytes on the line are lost.
    public mutating func reboot() {
        input.removeAll()
        output.removeAll()
        electronics.reboot()
    }
}
