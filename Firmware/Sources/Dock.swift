internal import DockFirmware
internal import DockWire
internal import Support

/// A board with the dock's behaviour: bytes, time and inputs in, pulses and bytes out.
///
/// It is large for a stack, so it is not copyable and exists only once.
struct Dock: ~Copyable {
    private var firmware: DockFirmware
    private var pan: ServoOutput
    private var tilt: ServoOutput
    private var hands: Hands
    private var voltage = SlowMean()
    private var power: PowerState?
    private var stored = Stored()
    private var milliseconds: UInt32 = 0
    private var lastTick: UInt32
    /// A byte without room so far. The first one ends a frame that a reset may have cut. Otherwise the greeting after
    /// it would be lost.
    private var waiting: UInt8? = 0

    /// Never inlined, because the stack that the initialiser needs would then be used permanently.
    @inline(never)
    init() {
        let now = clock_microseconds()
        let settings = stored.begin()
        var capabilities = ThisBoard.capabilities
        if stored.isThere { capabilities.insert(.save) }
        let identity = Identity(
            capabilities: capabilities, firmware: FirmwareVersion(major: 0, minor: 2, patch: 0), hardware: 1,
            uniqueID: ThisBoard.uniqueID, model: ThisBoard.model, bootID: stored.boots)
        firmware = DockFirmware(
            configuration: FirmwareConfiguration(
                // Stalls are not monitored, because the reading follows the command whatever the servo does.
                identity: identity, pan: Rig.pan, tilt: Rig.tilt, lagMilliseconds: Rig.lag, settings: settings),
            now: now)
        let places = Retained.places
        // 1.5 times the limit. The firmware's profile controls the speed, and this only catches impossible changes.
        pan = ServoOutput(Rig.panServo, slew: Int32(Rig.pan.velocity) * 3 / 2000, lag: Rig.lag, place: places.pan)
        tilt = ServoOutput(Rig.tiltServo, slew: Int32(Rig.tilt.velocity) * 3 / 2000, lag: Rig.lag, place: places.tilt)
        hands = Hands(pins: BoardInputs.pins, edges: BoardInputs.edges)
        lastTick = now
        measure(now: now)
    }

    /// One turn of the main loop. It runs at least once a millisecond, and whenever bytes arrive.
    mutating func turn() {
        while let byte = UInt8(exactly: received_take()) { firmware.receive(byte, now: clock_microseconds()) }
        let now = clock_microseconds()
        if now &- lastTick >= 1000 { step(now: now) }
        let isIdle = say(now: now)
        if firmware.isRebootRequested, !firmware.hasAnswers, waiting == nil { reboot() }
        if isIdle { clock_sleep() }
    }

    private mutating func step(now: UInt32) {
        // A late turn is not made up for.
        lastTick = now &- lastTick >= 2000 ? now : lastTick &+ 1000
        milliseconds &+= 1
        BoardInputs.obey()
        hands.look(BoardInputs.pins, edges: BoardInputs.edges, &firmware, now: now)
        firmware.tick(now: now)
        drive()
        measure(now: now)
        if milliseconds % 100 == 0 { weigh() }
        if firmware.wantsSave { firmware.saved(stored.save(firmware.settings)) }
        ThisBoard.light(Light.isOn(firmware, milliseconds: milliseconds))
        ThisBoard.feedWatchdog()
    }

    private mutating func drive() {
        let axes = firmware.axes
        ThisBoard.pulse(
            pan: pan.follow(axes.pan.position, velocity: axes.pan.velocity, isOn: axes.pan.torque != .off),
            tilt: tilt.follow(axes.tilt.position, velocity: axes.tilt.velocity, isOn: axes.tilt.torque != .off))
        Retained.keep(pan: pan.place, tilt: tilt.place, copy: milliseconds % 2)
    }

    /// A hobby servo sends no feedback. The pose is the one commanded by the pulses, delayed like a servo. If it were
    /// ahead of the head, the daemon would swing about a face.
    private mutating func measure(now: UInt32) {
        firmware.measured(
            pan: pan.position, tilt: tilt.position, panRate: pan.rate, tiltRate: tilt.rate, now: now)
    }

    private mutating func weigh() {
        guard let millivolts = BoardInputs.pinMillivolts else { return }
        let report = Rig.battery.report(voltage.update(millivolts), was: power)
        power = report.state
        firmware.power(report)
    }

    /// Passes output to the line as far as it has room. Returns whether everything was sent.
    private mutating func say(now: UInt32) -> Bool {
        while let byte = waiting ?? firmware.nextByte(now: now) {
            waiting = nil
            guard ThisBoard.send(byte) else {
                waiting = byte
                return false
            }
        }
        return true
    }

    private func reboot() {
        ThisBoard.cutOutputs()
        let start = clock_microseconds()
        while !ThisBoard.isSent, clock_microseconds() &- start < 20_000 {}
        processor_restart()
    }
}
