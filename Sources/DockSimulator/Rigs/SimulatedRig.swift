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

    private var clock: TickClock
    private var head: SimulatedHead
    private var line = SimulatedLine()
    private var random: SeededRandom
    /// Commands of the electronics that the motors have not begun yet.
    private var demands: [PanTilt] = []

    /// Time through the adapter in one direction, seconds: two frames of full-speed USB. The rest of the command
    /// latency is the motor's.
    private var lineLatency: Seconds { min(model.commandLatency, 0.002) }

    /// A rig that is switched on at `time`. The motors of inverted axes are mounted the other way round, as in its
    /// profile.
    public init(
        model: RigModel = .good, options: [String: Double] = [:], inverted: Set<Axis> = [], seed: UInt64 = 1,
        pose: PanTilt = .zero, time: Seconds = 0
    ) {
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
        clock = TickClock(time: time)
        random = SeededRandom(seed: seed)
        var motors = model
        // The position controller accounts for the model's whole lag and is critically damped, so its motor is four
        // times as fast.
        if Electronics.followsPlaces { motors.lag /= 4 }
        head = SimulatedHead(model: motors, inverted: inverted, pose: pose, time: time)
    }

    /// Takes bytes that the host wrote at `time`. The rig receives them after the latency of its line.
    public mutating func receive(_ bytes: some Sequence<UInt8>, at time: Seconds) {
        advance(to: time)
        let damaged = faults.toDock.damaged(Array(bytes), &random)
        guard !faults.toDock.isDead else { return }
        let latency = lineLatency + min(model.commandJitter, lineLatency / 2) * (2 * random.uniform() - 1)
        line.send(damaged, leaving: max(time, self.time) + max(latency, 0), faults.toDock)
    }

    /// Returns the bytes that have reached the host by now; each is returned once.
    public mutating func drainOutput() -> [UInt8] { line.drainOutput(until: time) }

    /// The next time at which output can reach the host, at most 0.1 s from now. Bytes of the host can make it sooner.
    public var nextWake: Seconds {
        let wake = min(time + 0.1, electronics.nextWord + lineLatency)
        return max(line.wake(wake, answerTime: lineLatency), time) + TickClock.tick
    }

    /// Advances to `target`.
    public mutating func advance(to target: Seconds) {
        guard target > time, target.isFinite else { return }
        _ = clock.jump(toward: target)
        while true {
            let tick = clock.next, limit = min(tick, target)
            while let run = line.next(until: limit) {
                clock.advance(to: run.at)
                for byte in run.bytes { electronics.receive(byte, at: time) }
                collect()
            }
            clock.advance(to: limit)
            guard tick <= target else { return }
            clock.count()
            step()
        }
    }

    private mutating func step() {
        var wanted = electronics.tick(motors: head.readings, rate: head.readingRates, at: time)
        if !Electronics.followsPlaces {
            demands.append(wanted)
            let late = Int((model.commandLatency - lineLatency) / TickClock.tick)
            wanted = demands.count > late ? demands.removeFirst() : .zero
        }
        let push = head.push(at: time)
        func demand(_ axis: Axis) -> Double {
            electronics.powered.contains(axis) ? head.sense[axis] * wanted[axis] : push[axis]
        }
        head.advance(toward: PanTilt(pan: demand(.pan), tilt: demand(.tilt)), at: time)
        collect()
    }

    private mutating func collect() {
        let bytes = electronics.drainOutput()
        guard !bytes.isEmpty, !faults.toHost.isDead else { return }
        let damaged = faults.toHost.damaged(bytes, &random)
        line.answer(damaged, leaving: time + lineLatency, faults.toHost)
    }

    private mutating func change(from old: SimulatedDock.Faults) {
        if faults.unplugged != old.unplugged { electronics.unplugged = faults.unplugged }
        head.apply(faults)
        line.change(from: old, to: faults, now: time)
    }

    /// The speed to which the host has set its line, bits per second; nil: unknown, and every speed is understood.
    public var lineSpeed: Int? {
        get { electronics.lineSpeed }
        set { electronics.lineSpeed = newValue }
    }
    /// The present time of the simulation, seconds.
    public var time: Seconds { clock.time }
    /// The head's pose, rad: pan + = the dock's right, tilt + = up.
    public var pose: PanTilt { head.pose }
    /// The head's speed, rad/s.
    public var rate: PanTilt { head.plant.rate }
    /// The largest speed of either axis so far, rad/s.
    public var maximumSpeedSeen: Double { head.maximumSpeedSeen }
    /// The head's pose at a time of the last 4 s, rad.
    public func pose(at time: Seconds) -> PanTilt { head.pose(at: time) }
    /// The present magnification of the rig's own camera; 1 is none.
    public var magnification: Double { electronics.magnification }
    /// Turns the head by hand (rad/s) for this time on axes without torque.
    public mutating func push(_ velocity: PanTilt, for seconds: Seconds) {
        head.push(velocity, until: time + seconds)
    }

    /// Interrupts the supply. Bytes on the line are lost.
    public mutating func reboot() {
        line.removeAll()
        electronics.reboot()
    }
}
