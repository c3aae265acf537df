internal import DockFirmware
public import DockWire
public import Geometry

/// A whole dock in virtual time: the real firmware, a plant, a link with latency, a battery and faults.
///
/// Time is in seconds on the caller's clock and only goes forward. The same seed and the same calls give the same run.
/// The firmware ticks and the plant steps every millisecond.
public struct SimulatedDock: SimulatedDevice {
    /// The dock's configuration.
    public let configuration: Configuration
    /// The present faults.
    public var faults = Faults() { didSet { change(from: oldValue) } }
    /// The battery. A change is reported to the host at once.
    public var battery: SimulatedBattery { didSet { if battery != oldValue { firmware.power(battery.report) } } }
    private var clock: TickClock
    private var head: SimulatedHead
    private var line = SimulatedLine()
    private var random: SeededRandom
    private var firmware: DockFirmware
    private var memory: DockMemory
    private var switches = DockSwitches()
    private var holder: SetpointHolder?
    private var lastReport: Seconds

    /// A dock that boots at `time`.
    public init(configuration: Configuration = Configuration(), time: Seconds = 0) {
        self.configuration = configuration
        clock = TickClock(time: time)
        memory = DockMemory(bootTime: time)
        lastReport = time
        battery = configuration.battery
        random = SeededRandom(seed: configuration.seed)
        holder = configuration.hasDeadman ? nil : SetpointHolder()
        head = SimulatedHead(
            model: configuration.model, inverted: configuration.inverted, pose: configuration.pose, time: time)
        firmware = DockFirmware(
            configuration: configuration.firmware(bootID: configuration.bootID, settings: FirmwareSettings()),
            now: configuration.clockStart)
        firmware.power(battery.report)
        measure()
        faults.isMute = configuration.isMute
        collect()
    }

    // MARK: The link

    /// Takes bytes that the host wrote at `time`. The dock receives them after the command latency.
    public mutating func receive(_ bytes: some Sequence<UInt8>, at time: Seconds) {
        let model = configuration.model
        let latency = model.commandLatency + model.commandJitter * (2 * random.uniform() - 1)
        let damaged = faults.toDock.damaged(Array(bytes), &random)
        line.send(damaged, leaving: max(time, self.time) + max(latency, 0), faults.toDock)
    }

    /// Returns the bytes that have reached the host by now; each is returned once.
    public mutating func drainOutput() -> [UInt8] { line.drainOutput(until: time) }

    /// The next time at which output can reach the host, at most 0.1 s from now. Bytes of the host can make it sooner.
    public var nextWake: Seconds {
        let age = configuration.model.reportAge
        var wake = min(time + 0.1, lastReport + 1 / Double(firmware.settings.motionRate) + age)
        if firmware.outstandingEvents > 0 { wake = min(wake, time + 0.05) }
        // Ticks are multiples of a millisecond, and the one after the due time does the work.
        return max(line.wake(wake, answerTime: age), time) + TickClock.tick
    }

    // MARK: Time

    /// Advances to `target`.
    public mutating func advance(to target: Seconds) {
        guard target > time, target.isFinite else { return }
        if clock.jump(toward: target) { lastReport = clock.time }
        while true {
            let tick = clock.next, limit = min(tick, target)
            while let run = line.next(until: limit) { deliver(run.bytes, at: run.at) }
            clock.advance(to: limit)
            guard tick <= target else { return }
            clock.count()
            step()
        }
    }

    private mutating func deliver(_ bytes: [UInt8], at moment: Seconds) {
        clock.advance(to: moment)
        let now = microseconds, present = clock.time
        for byte in bytes {
            if holder == nil {
                firmware.receive(byte, now: now)
            } else {
                holder?.receive(byte, &firmware, time: present, now: now)
            }
        }
        collect()
        if firmware.wantsSave {
            memory.settings = firmware.settings
            firmware.saved(true)
            collect()
        }
        if firmware.isRebootRequested { reboot() }
    }

    private mutating func step() {
        let axes = firmware.axes
        commandedTravel.pan += abs(radians(axes.pan.velocity)) * TickClock.tick
        commandedTravel.tilt += abs(radians(axes.tilt.velocity)) * TickClock.tick
        let push = head.push(at: time)
        head.advance(
            toward: PanTilt(
                pan: axes.pan.torque == .off ? push.pan : head.sense.pan * radians(axes.pan.velocity),
                tilt: axes.tilt.torque == .off ? push.tilt : head.sense.tilt * radians(axes.tilt.velocity)), at: time)
        // Once a second is often enough for a battery that lasts hours.
        if clock.ticks.truncatingRemainder(dividingBy: 1000) == 0 { battery.advance(1) }
        measure()
        let now = microseconds, present = clock.time
        holder?.tick(&firmware, time: present, now: now)
        firmware.tick(now: now)
        collect()
    }

    private mutating func measure() {
        let noise = configuration.model.reportNoise, read = head.readings, rates = head.readingRates
        let pan = read.pan + noise * random.normal()
        let tilt = read.tilt + noise * random.normal()
        firmware.measured(
            pan: milliDegrees(pan), tilt: milliDegrees(tilt), panRate: milliDegrees(rates.pan),
            tiltRate: milliDegrees(rates.tilt), now: microseconds)
    }

    private mutating func change(from old: Faults) {
        head.apply(faults)
        line.change(from: old, to: faults, now: time)
    }

    /// Sends the firmware's output.
    private mutating func collect() {
        let now = microseconds
        var bytes: [UInt8] = []
        while let byte = firmware.nextByte(now: now) { bytes.append(byte) }
        guard !bytes.isEmpty else { return }
        lastReport = time
        send(faults.lied(bytes))
    }

    private mutating func send(_ bytes: [UInt8]) {
        guard !faults.toHost.isDead else { return }
        let damaged = faults.toHost.damaged(bytes, &random)
        line.answer(damaged, leaving: time + configuration.model.reportAge, faults.toHost)
    }

    /// The dock's own clock.
    private var microseconds: UInt32 {
        configuration.clockStart &+ UInt32(truncatingIfNeeded: Int64((time - memory.bootTime) * 1e6 + 0.5))
    }

    // MARK: The physical side

    /// The present time of the simulation, seconds.
    public var time: Seconds { clock.time }
    /// Number of boots, including the first one.
    public var boots: Int { memory.boots }
    /// The head's pose, rad: pan + = the dock's right, tilt + = up.
    public var pose: PanTilt { head.pose }
    /// The head's speed, rad/s.
    public var rate: PanTilt { head.plant.rate }
    /// The largest speed of either axis so far, rad/s.
    public var maximumSpeedSeen: Double { head.maximumSpeedSeen }
    /// How far the firmware has driven each axis so far, in both directions together, whether or not it turned; rad.
    public private(set) var commandedTravel = PanTilt.zero
    /// Whether neither the motors nor the firmware are moving.
    public var isAtRest: Bool { head.plant.isAtRest && !firmware.isMoving }

    /// Turns the head by hand (rad/s) for this time on axes without torque.
    public mutating func push(_ velocity: PanTilt, for seconds: Seconds) { head.push(velocity, until: time + seconds) }

    /// The head's pose at a time of the last 4 s, rad.
    public func pose(at time: Seconds) -> PanTilt { head.pose(at: time) }

    /// Whether the emergency stop is latched.
    public var isEmergencyStopped: Bool { firmware.isEmergencyStopped }
    /// The latched fault, see `FaultCode`; 0 = none.
    public var fault: UInt8 { firmware.fault }
    /// The state bits that the next motion report would carry.
    public var flags: MotionFlags { firmware.flags }
    /// Invalid runs of bytes that the dock has received since boot.
    public var invalidFrames: UInt32 { firmware.invalidFrames }
    /// Set-points that the dock has accepted since boot.
    public var setpoints: UInt32 { firmware.counters.setpoints &- (holder?.repeated ?? 0) }
    /// Set-points that arrived too late since boot.
    public var staleSetpoints: UInt32 { firmware.counters.staleSetpoints }

    /// Presses and releases a button.
    public mutating func press(_ button: SimulatedButton) {
        for event in button.events { firmware.raise(event: event.kind, value: event.value, now: microseconds) }
        collect()
    }

    /// Presses or releases the dock's own emergency button.
    public mutating func setEmergencyInput(_ isActive: Bool) {
        switches.isPressed = isActive
        firmware.setEmergencyInput(isActive, now: microseconds)
    }

    /// The motors release on their own, as when the supply fails for a moment.
    public mutating func letGo() {
        firmware.motorsLetGo(now: microseconds)
        collect()
    }

    /// Makes the dock too hot, or cool again.
    public mutating func setOverTemperature(_ isTooHot: Bool) {
        switches.isHot = isTooHot
        firmware.setOverTemperature(isTooHot, now: microseconds)
    }

    /// Reboots the dock with the next boot number and the settings stored by SAVE. Bytes on the link are lost.
    public mutating func reboot() {
        memory.boot(at: time)
        line.removeAll()
        if holder != nil { holder = SetpointHolder() }
        firmware = DockFirmware(
            configuration: configuration.firmware(
                bootID: memory.bootID(from: configuration.bootID), settings: memory.settings), now: microseconds)
        firmware.power(battery.report)
        // The physical state outlasts its memory.
        if switches.isPressed { firmware.setEmergencyInput(true, now: microseconds) }
        if switches.isHot { firmware.setOverTemperature(true, now: microseconds) }
        measure()
        if !faults.bootText.isEmpty { send(Array(faults.bootText.utf8)) }
        collect()
    }
}
