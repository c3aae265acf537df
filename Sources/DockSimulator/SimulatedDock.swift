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
    /// The present time of the simulation, seconds.
    public private(set) var time: Seconds
    /// The largest speed of either axis so far, rad/s.
    public private(set) var maximumSpeedSeen = 0.0
    /// Number of boots, including the first one.
    public private(set) var boots = 1

    private var hand: (velocity: PanTilt, until: Seconds)?
    /// Whether its emergency button is pressed, and whether its motors are hot.
    private var isPressed = false, isHot = false
    private var firmware: DockFirmware
    private var plant: Plant
    private var track = PoseTrack()
    private var random: SeededRandom
    private var panEncoder = Encoder()
    private var tiltEncoder = Encoder()
    /// The mounting of the motors, and their direction: -1 if it is reversed.
    private let mount: PanTilt
    private var panSense: Double
    private var tiltSense: Double
    private var holder: SetpointHolder?
    private var input = TimedBytes()
    private var output = TimedBytes()
    private var stored = FirmwareSettings()
    private var bootTime: Seconds
    private var ticks = 0.0
    private var start: Seconds
    private var lastReport: Seconds

    static let tick: Seconds = 0.001
    /// After a gap longer than this the simulation jumps. A host that slept this long has lost the dock anyway,
    /// seconds.
    static let longestGap: Seconds = 5

    /// A dock that boots at `time`.
    public init(configuration: Configuration = Configuration(), time: Seconds = 0) {
        self.configuration = configuration
        self.time = time
        start = time
        bootTime = time
        lastReport = time
        battery = configuration.battery
        random = SeededRandom(seed: configuration.seed)
        holder = configuration.hasDeadman ? nil : SetpointHolder()
        mount = PanTilt(
            pan: configuration.inverted.contains(.pan) ? -1 : 1, tilt: configuration.inverted.contains(.tilt) ? -1 : 1)
        (panSense, tiltSense) = (mount.pan, mount.tilt)
        plant = Plant(model: configuration.model, pose: configuration.pose)
        firmware = DockFirmware(
            configuration: configuration.firmware(bootID: configuration.bootID, settings: FirmwareSettings()),
            now: configuration.clockStart)
        firmware.power(battery.report)
        track.append(plant.pose, at: time)
        measure()
        faults.isMute = configuration.isMute
        collect()
    }

    // MARK: The link

    /// Takes bytes that the host wrote at `time`. The dock receives them after the command latency.
    public mutating func receive(_ bytes: some Sequence<UInt8>, at time: Seconds) {
        let model = configuration.model
        let latency = model.commandLatency + model.commandJitter * (2 * random.uniform() - 1)
        let line = faults.toDock
        let wounded = line.damaged(Array(bytes), &random)
        guard !line.isDead else { return }
        input.append(wounded, at: max(time, self.time) + max(latency, 0) + line.usedDelay)
    }

    /// Takes the bytes that have reached the host by now; each is returned once.
    public mutating func takeOutput() -> [UInt8] { output.takeAll(until: time) }

    /// The next time at which output can reach the host, at most 0.1 s from now. Bytes of the host can make it sooner.
    public var nextWake: Seconds {
        let age = configuration.model.reportAge
        var wake = min(time + 0.1, lastReport + 1 / Double(firmware.settings.motionRate) + age)
        if firmware.outstandingEvents > 0 { wake = min(wake, time + 0.05) }
        if let next = input.next { wake = min(wake, next + age) }
        if let next = output.next { wake = min(wake, next) }
        // Ticks are multiples of a millisecond, and the one after the due time does the work.
        return max(wake, time) + Self.tick
    }

    // MARK: Time

    /// Advances to `target`.
    public mutating func advance(to target: Seconds) {
        guard target > time, target.isFinite else { return }
        if target - time > Self.longestGap { skip(to: target - 1) }
        while true {
            let tick = start + (ticks + 1) * Self.tick
            let limit = min(tick, target)
            while let run = input.take(until: limit) { deliver(run.bytes, at: run.at) }
            time = limit
            guard tick <= target else { return }
            ticks += 1
            step()
        }
    }

    private mutating func skip(to target: Seconds) {
        start = target
        ticks = 0
        time = target
        lastReport = target
    }

    private mutating func deliver(_ bytes: [UInt8], at moment: Seconds) {
        time = max(time, moment)
        let now = microseconds
        for byte in bytes {
            if holder == nil {
                firmware.receive(byte, now: now)
            } else {
                holder?.receive(byte, &firmware, time: time, now: now)
            }
        }
        collect()
        if firmware.wantsSave {
            stored = firmware.settings
            firmware.saved(true)
            collect()
        }
        if firmware.isRebootRequested { reboot() }
    }

    private mutating func step() {
        let axes = firmware.axes
        let push = hand.map { time < $0.until ? $0.velocity : .zero } ?? .zero
        let wish = PanTilt(
            pan: axes.pan.torque == .off ? push.pan : panSense * radians(axes.pan.velocity),
            tilt: axes.tilt.torque == .off ? push.tilt : tiltSense * radians(axes.tilt.velocity))
        plant.advance(Self.tick, toward: wish)
        maximumSpeedSeen = max(maximumSpeedSeen, plant.rate.magnitude)
        track.append(plant.pose, at: time)
        // Once a second is often enough for a battery that lasts hours.
        if ticks.truncatingRemainder(dividingBy: 1000) == 0 { battery.advance(1) }
        measure()
        let now = microseconds
        holder?.tick(&firmware, time: time, now: now)
        firmware.tick(now: now)
        collect()
    }

    private mutating func measure() {
        let noise = configuration.model.reportNoise
        let pan = mount.pan * panEncoder.reading(plant.motors.pan) + noise * random.normal()
        let tilt = mount.tilt * tiltEncoder.reading(plant.motors.tilt) + noise * random.normal()
        let rate = plant.rate
        firmware.measured(
            pan: milliDegrees(pan), tilt: milliDegrees(tilt),
            panRate: milliDegrees(mount.pan * panEncoder.rate(rate.pan)),
            tiltRate: milliDegrees(mount.tilt * tiltEncoder.rate(rate.tilt)), now: microseconds)
    }

    private mutating func change(from old: Faults) {
        plant.blocked = faults.blocked
        panSense = mount.pan * (faults.reversedMotors.contains(.pan) ? -1 : 1)
        tiltSense = mount.tilt * (faults.reversedMotors.contains(.tilt) ? -1 : 1)
        panEncoder.fail(faults.encoder(.pan), at: plant.motors.pan)
        tiltEncoder.fail(faults.encoder(.tilt), at: plant.motors.tilt)
        input.hurry(by: old.toDock.usedDelay - faults.toDock.usedDelay, now: time)
        output.hurry(by: old.toHost.usedDelay - faults.toHost.usedDelay, now: time)
    }

    /// Takes the firmware's output and sends it.
    private mutating func collect() {
        let now = microseconds
        var bytes: [UInt8] = []
        while let byte = firmware.nextByte(now: now) { bytes.append(byte) }
        guard !bytes.isEmpty else { return }
        lastReport = time
        send(faults.lied(bytes))
    }

    private mutating func send(_ bytes: [UInt8]) {
        let line = faults.toHost
        guard !line.isDead else { return }
        output.append(
            line.damaged(bytes, &random), at: time + configuration.model.reportAge + line.usedDelay)
    }

    /// The dock's own clock.
    private var microseconds: UInt32 {
        configuration.clockStart &+ UInt32(truncatingIfNeeded: Int64((time - bootTime) * 1e6 + 0.5))
    }

    // MARK: The physical side

    /// The head's pose, rad: pan + = the dock's right, tilt + = up.
    public var pose: PanTilt { plant.pose }
    /// The head's speed, rad/s.
    public var rate: PanTilt { plant.rate }
    /// Whether neither the motors nor the firmware are moving.
    public var isAtRest: Bool { plant.isAtRest && !firmware.isMoving }

    /// Turns the head by hand (rad/s) for this time on axes without torque.
    public mutating func push(_ velocity: PanTilt, for seconds: Seconds) { hand = (velocity, time + seconds) }

    /// The head's pose at a time of the last 4 s, rad.
    public func pose(at time: Seconds) -> PanTilt { track.pose(at: time) ?? plant.pose }

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
        isPressed = isActive
        firmware.setEmergencyInput(isActive, now: microseconds)
    }

    /// The motors release on their own, as when the supply fails for a moment.
    public mutating func letGo() {
        firmware.motorsLetGo(now: microseconds)
        collect()
    }

    /// Makes the dock too hot, or cool again.
    public mutating func setOverTemperature(_ isTooHot: Bool) {
        isHot = isTooHot
        firmware.setOverTemperature(isTooHot, now: microseconds)
    }

    /// Reboots the dock with the next boot number and the settings stored by SAVE. Bytes on the link are lost.
    public mutating func reboot() {
        boots += 1
        bootTime = time
        input.removeAll()
        output.removeAll()
        if holder != nil { holder = SetpointHolder() }
        let bootID = configuration.bootID &+ UInt16(truncatingIfNeeded: boots - 1)
        firmware = DockFirmware(
            configuration: configuration.firmware(bootID: bootID, settings: stored), now: microseconds)
        firmware.power(battery.report)
        // The physical state outlasts its memory.
        if isPressed { firmware.setEmergencyInput(true, now: microseconds) }
        if isHot { firmware.setOverTemperature(true, now: microseconds) }
        measure()
        if !faults.bootText.isEmpty { send(Array(faults.bootText.utf8)) }
        collect()
    }
}
