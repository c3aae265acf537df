internal import DockWire

/// A dock's behaviour without its board: bytes and readings in, bytes and motor targets out.
///
/// A board calls ``receive(_:now:)`` for every byte that arrives, ``measured(pan:tilt:panRate:tiltRate:now:)`` with its
/// sensor readings, and ``tick(now:)`` about 1000 times a second. It drives the motors according to ``axes`` and sends
/// what ``nextByte(now:)`` returns whenever the link has room. `now` is in microseconds modulo 2^32 and never goes
/// backward.
///
/// It boots disarmed. Nothing moves before a HELLO with a common version and TORQUE on. A stop and the emergency stop
/// are always accepted.
public struct DockFirmware: Sendable {
    /// The compiled configuration.
    public let configuration: FirmwareConfiguration
    /// Counters since boot.
    public internal(set) var counters = FirmwareCounters()
    /// The settings that SAVE would store now.
    public internal(set) var settings: FirmwareSettings

    var pan: AxisProfile
    var tilt: AxisProfile
    var latch = Latch()
    var session: Session
    var drive: Drive
    var inputs: Inputs
    var events: EventQueue
    var outbox = Outbox()
    var reports: Reports
    var decoder = FrameDecoder()
    private var lastTick: UInt32

    /// What keeps the dock from moving until the host clears it.
    struct Latch: Sendable {
        /// Whether the emergency stop is latched.
        var isEmergencyStopped = false
        /// The latched fault, see `FaultCode`; 0 = none.
        var fault = FaultCode.none
        /// Whether anything is latched.
        var isSet: Bool { isEmergencyStopped || fault != FaultCode.none }
    }

    /// The state of the session with the host.
    struct Session: Sendable {
        /// A HELLO was accepted since boot.
        var isGreeted = false
        var isVersionRefused = false
        var isTimeValid = false
        /// Time since any valid frame.
        var silence: Stopwatch
        /// Time since a rejected set-point was answered.
        var refusal: Stopwatch
        var hasRefused = false
        /// The sequence number of a SAVE that the board has not completed yet.
        var saveRequest: UInt8?
        /// The host has requested a reboot.
        var isRebootRequested = false
    }

    /// The state of the axes.
    struct Drive: Sendable {
        /// The axes whose torque is on: bit 0 pan, bit 1 tilt.
        var torque: UInt8 = 0
        var setpoint = Setpoint.stop
        var sequence: UInt8 = 0
        var sinceSetpoint: Stopwatch
        var isDeadmanTripped = false
        var isHoming = false
        var isHolding = false
        var isRelaxed = false
        /// How long an axis has not followed, microseconds.
        var panBlocked: UInt32 = 0
        var tiltBlocked: UInt32 = 0
        /// A motor was blocked and its axis backs off. The latch follows.
        var retreat: StallRetreat?
    }

    /// The state of the board's inputs.
    struct Inputs: Sendable {
        var isEmergency = false
        var isTooHot = false
        var power: PowerReport?
        /// Time of the newest reading, and whether it is recent.
        var measuredAt: UInt32
        var sinceMeasured: Stopwatch
        var isPoseKnown = false
    }

    /// The schedule of the reports.
    struct Reports: Sendable {
        var motion: Stopwatch
        var isMotionDue = false
        var power: Stopwatch
        var isPowerDue = false
        var edges: MotionFlags = []
    }

    /// A dock that has just booted at `now`. It sends its greeting unasked.
    public init(configuration: FirmwareConfiguration, now: UInt32) {
        self.configuration = configuration
        settings = configuration.settings
        settings.motionRate = settings.motionRate.clamped(1, 100)
        settings.panTrim = settings.panTrim.clamped(Self.largestTrim)
        settings.tiltTrim = settings.tiltTrim.clamped(Self.largestTrim)
        settings.idleRelax = settings.idleRelax.clamped(0, 3600)
        let lag = configuration.lagMilliseconds
        pan = AxisProfile(
            compiled: configuration.pan, stored: settings.pan, trim: settings.panTrim, lagMilliseconds: lag)
        tilt = AxisProfile(
            compiled: configuration.tilt, stored: settings.tilt, trim: settings.tiltTrim, lagMilliseconds: lag)
        settings.panTrim = pan.trim
        settings.tiltTrim = tilt.trim
        let start = Stopwatch(now: now)
        session = Session(silence: start, refusal: start)
        drive = Drive(sinceSetpoint: start)
        events = EventQueue(now: now)
        reports = Reports(motion: start, power: start)
        inputs = Inputs(measuredAt: now, sinceMeasured: start)
        lastTick = now
        outbox.append(.hello)
    }

    /// Takes one byte from the host.
    public mutating func receive(_ byte: UInt8, now: UInt32) {
        do throws(WireError) {
            guard let frame = try decoder.push(byte) else { return }
            handle(frame, now: now)
        } catch {
            // The decoder counts it. Noise gets no answer.
        }
    }

    /// The host has requested a reboot. The board performs it once ``hasAnswers`` is false.
    public var isRebootRequested: Bool { session.isRebootRequested }
    /// Whether the emergency stop is latched.
    public var isEmergencyStopped: Bool { latch.isEmergencyStopped }
    /// The latched fault, see `FaultCode`; 0 = none.
    public var fault: UInt8 { latch.fault }
    /// A HELLO was accepted since boot.
    public var isGreeted: Bool { session.isGreeted }
    /// Invalid frames since boot, modulo 2^32.
    public var invalidFrames: UInt32 { decoder.invalidFrames }
    /// Valid frames since boot, modulo 2^32.
    public var validFrames: UInt32 { decoder.validFrames }

    /// Advances to `now`: checks the deadman timer, moves the targets, marks reports as due.
    ///
    /// A late tick is not made up for. After more than 20 ms the targets move by 20 ms.
    public mutating func tick(now: UInt32) {
        let passed = now &- lastTick
        guard passed != 0, passed < UInt32(Int32.max) else { return }
        lastTick = now
        watch(now: now, passed: passed)
        var rest = Int32(min(passed, 20_000))
        while rest > 0 {
            let step = min(rest, 1000)
            rest -= step
            move(step)
        }
        finishHoming(now: now)
        schedule(now: now)
    }

    private mutating func move(_ microseconds: Int32) {
        if drive.torque & 1 != 0 { pan.step(microseconds) } else { pan.followMeasured() }
        if drive.torque & 2 != 0 { tilt.step(microseconds) } else { tilt.followMeasured() }
    }

    /// What the motors must do now.
    public var axes: AxisTargets {
        AxisTargets(
            pan: target(pan, isOn: drive.torque & 1 != 0), tilt: target(tilt, isOn: drive.torque & 2 != 0))
    }

    private func target(_ axis: AxisProfile, isOn: Bool) -> AxisTarget {
        AxisTarget(
            position: axis.position - axis.trim, velocity: axis.velocity,
            torque: !isOn ? .off : drive.isRelaxed ? .low : .full)
    }

    /// Whether an axis moves.
    public var isMoving: Bool { pan.velocity != 0 || tilt.velocity != 0 }
}
