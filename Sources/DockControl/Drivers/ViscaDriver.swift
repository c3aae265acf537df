internal import Geometry
internal import Glibc

/// Sony's VISCA over a serial line (EVI-D100 and EVI-HD1 Technical Manuals, and the many cameras that speak it): velocities as
/// speed codes, positions by inquiry.
///
/// A camera turns until it is commanded to stop, so nothing here moves without a guard. One packet is pending at a time, and the
/// newest velocity waits for its answer; a stop never waits. The camera can run two commands, and a drive ends at once, so
/// this driver alone never fills the camera's buffer; a remote control or another program may.
struct ViscaDriver: DockDriver {
    static let name = "visca"
    /// The camera's address; its speeds (a known table, or 0: equal steps from the slowest to the fastest code, deg/s); its units
    /// of position per degree; the highest magnification of its lens.
    static let options: [String: DriverOption] = [
        "address": .whole(1...7), "speed_table": .whole(0...2), "pan_min_speed": .number(0.05...400),
        "pan_max_speed": .number(0.05...400), "tilt_min_speed": .number(0.05...400),
        "tilt_max_speed": .number(0.05...400), "pan_codes": .whole(1...24), "tilt_codes": .whole(1...24),
        "pan_units_per_degree": .number(0.5...200), "tilt_units_per_degree": .number(0.5...200),
        "zoom_max": .number(1...60),
    ]

    /// State of the conversation.
    enum Phase: Equatable { case closed, greeting, ready }
    /// The question whose answer is pending. The first five are the greeting, in this order.
    enum Question: Int, Equatable { case addresses, clear, version, power, position, drive, stop, zoom }

    /// One axis.
    struct Motor: Sendable {
        let axis: Axis
        let ladder: SpeedLadder
        /// Units of position per radian; negative if the axis turns the other way.
        let perRadian: Double
        var sense: Double { perRadian < 0 ? -1 : 1 }
        var dither = SpeedDither()
        var gate: ReadingGate
        /// Last position in units, and its time.
        var reading: (units: Int, time: Seconds)?
        var rate = 0.0
    }

    static let greetingInterval: Seconds = 0.5
    /// After this many attempts without an answer, a question of the greeting that a camera need not know is skipped.
    static let attempts = 3
    /// A camera begins to answer within this time, seconds: one or two frames, and the delay of a USB adapter.
    static let answerTime: Seconds = 0.09
    /// A set-point that has waited longer is dropped, seconds.
    static let heldTime: Seconds = 0.2
    /// A stop without an answer is repeated this many times; after that, the loop watches whether the camera stands still.
    static let mostStops = 10
    /// Pause after a refusal, seconds: the camera's buffer is full, or it cannot execute the command at this moment.
    static let busyPause: Seconds = 0.04, refusedPause: Seconds = 0.2
    /// Shortest time between two notes about refusals, seconds.
    static let noteInterval: Seconds = 10

    let profile: RigProfile
    let camera: ViscaAddress
    var phase = Phase.closed
    var step = Question.addresses
    var tries = 0
    var motors: [Motor]
    var scanner = FrameScanner(capacity: 64)
    var motionless = false
    var asked: (question: Question, until: Seconds)?
    /// When the unanswered position inquiries were on the line: a stop may come between an inquiry and its answer.
    var positionsAsked: [Seconds] = []
    /// The newest velocity while an answer is pending, and when it was commanded.
    var held: (velocity: PanTilt, at: Seconds)?
    /// The velocity that was written last, in case it is refused, and when it was commanded.
    var written: (velocity: PanTilt, at: Seconds)?
    /// A stop was refused or not answered.
    var owesStop = false
    /// Until this time, an error may be an answer to the guard's kind of stop (`encodeStop`).
    var stoppedUntil: Seconds = -.infinity
    /// How often a stop was repeated.
    var stopTries = 0
    /// The camera sends acknowledgements: only these then count as answers to commands.
    var acknowledges = false
    /// Nothing but a stop is sent before this time.
    var pauseUntil: Seconds = 0
    var nextStep: Seconds = 0, nextPosition: Seconds = 0
    var latest: Seconds = 0
    var identity = DockIdentity(model: "VISCA camera", firmware: "unknown", uid: "")
    /// Magnification that is wanted and has not been sent yet; and the one that was sent last.
    var wantedZoom: Double?, lastZoom: Double?
    /// Magnification range of the camera; nil: the profile does not state it.
    var zoomRange: ClosedRange<Double>? {
        profile.options["zoom_max"].flatMap { $0 > 1 ? 1...$0 : nil }
    }

    var notedAt: Seconds = -.infinity

    init(profile: RigProfile) {
        self.profile = profile
        let options = profile.options
        camera = ViscaAddress(number: UInt8((options["address"] ?? 1).clamped(to: 1...7)))
        motors = Axis.allCases.map { axis in
            let own = profile[axis], ladder = SpeedLadder(axis, of: profile)
            let units = Self.unitsPerDegree(axis, of: profile) * 180 / .pi
            return Motor(
                axis: axis, ladder: ladder, perRadian: own.invert ? -units : units,
                gate: ReadingGate(
                    fastest: 1.2 * units * max(own.maxSpeed, ladder.speeds.last ?? 0), slack: units * .degrees(3)))
        }
    }

    /// A camera never stops by itself. A drive and its answers take about 30 ms at 9600 baud, and so does a position.
    var abilities: DriverAbilities {
        DriverAbilities(
            deadman: nil, setpoint: .velocity, mostSetpoints: profile.serial.baud < 19200 ? 15 : 20, reportsPose: true,
            reportsBattery: false, keepsLatch: false, magnification: zoomRange,
            canLetGo: false)
    }
    var invalidBytes: Int { scanner.invalidBytes }

    /// Time between position inquiries, seconds: 10 a second at 9600 baud, 25 at 38400.
    private var positionInterval: Seconds { 960 / Seconds(profile.serial.baud).clamped(to: 9600...24000) }
    /// Time until the next set-point while the camera moves, seconds.
    private var setpointInterval: Seconds { 1 / min(abilities.mostSetpoints, max(10, profile.refreshRate)) }

    mutating func begin(now: Seconds, motionless: Bool) {
        self.motionless = motionless
        latest = now
        scanner.reset()
        greet(now: now)
    }

    mutating func greet(now: Seconds) {
        (phase, step, tries) = (.greeting, .addresses, 0)
        (asked, held, written, owesStop, stopTries, acknowledges) = (nil, nil, nil, false, 0, false)
        positionsAsked.removeAll()
        for index in motors.indices {
            (motors[index].reading, motors[index].rate) = (nil, 0)
            motors[index].gate.reset()
            motors[index].dither.reset()
        }
        identity = DockIdentity(model: "VISCA camera", firmware: "unknown", uid: "visca-\(camera.number)")
        nextStep = now
    }

    mutating func service(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        latest = now
        guard phase != .closed else { return now + 1 }
        if let asked {
            guard now >= asked.until else { return asked.until }
            self.asked = nil
            unanswered(asked.question, now: now)
        }
        guard now >= pauseUntil else { return pauseUntil }
        if phase == .greeting { return greet(now: now, into: &bytes) }
        // In turn, if both wait.
        if owesStop, now < nextPosition || stopTries % 2 == 0 {
            stopTries += 1
            return stop(now: now, into: &bytes)
        }
        if let magnification = wantedZoom, phase == .ready {
            (wantedZoom, lastZoom) = (nil, magnification)
            let share = log(magnification) / log(zoomRange?.upperBound ?? 2)
            return ask(.zoom, camera.zoom(Int((0x4000 * share).rounded())), now: now, into: &bytes)
        }
        if now >= nextPosition, held == nil || written.map({ $0.at > nextPosition }) ?? false {
            nextPosition = now + positionInterval
            return ask(.position, camera.positionInquiry, now: now, into: &bytes)
        }
        if let held, now - held.at < Self.heldTime { return drive(held.velocity, now: now, into: &bytes) }
        held = nil
        guard now >= nextPosition else { return nextPosition }
        nextPosition = now + positionInterval
        return ask(.position, camera.positionInquiry, now: now, into: &bytes)
    }

    private mutating func greet(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        guard now >= nextStep else { return nextStep }
        let packet =
            switch step {
            case .addresses: ViscaAddress.addressSet
            case .clear: ViscaAddress.clear
            case .version: camera.versionInquiry
            case .power: camera.powerInquiry
            case .position, .drive, .stop, .zoom: camera.positionInquiry
            }
        // A packet that was cut off earlier must not swallow the first one.
        if step == .addresses { encodeResync(into: &bytes) }
        return ask(step, packet, now: now, into: &bytes)
    }

    @discardableResult
    private mutating func ask(_ question: Question, _ packet: [UInt8], now: Seconds, into bytes: inout [UInt8])
        -> Seconds
    {
        bytes += packet
        if question == .position {
            positionsAsked.append(now + Seconds(10 * packet.count) / Seconds(profile.serial.baud))
        }
        let until = now + Self.answerTime + Seconds(10 * (packet.count + 11)) / Seconds(profile.serial.baud)
        asked = (question, until)
        return until
    }

    /// Between no magnification and the profile's maximum (`zoom_max`), the lens is assumed to zoom by equal factors; both ends
    /// are exact.
    mutating func zoom(to magnification: Double) { wantedZoom = zoomRange.map { magnification.clamped(to: $0) } }

    mutating func encode(_ setpoint: DockSetpoint, now: Seconds, into bytes: inout [UInt8]) {
        latest = now
        guard phase == .ready else { return }
        switch setpoint {
        case .velocity(let velocity):
            guard !motionless else { return }
            owesStop = false
            let signed = SafetyMutant.swapsSign.isOn ? PanTilt(pan: -velocity.pan, tilt: velocity.tilt) : velocity
            let isFree = asked == nil && now >= pauseUntil
            let isPositionFirst = now >= nextPosition && written.map { $0.at > nextPosition } ?? false
            guard isFree, !isPositionFirst else {
                held = (signed, now)
                return
            }
            _ = drive(signed, now: now, into: &bytes)
        case .stop:
            stopTries = 0
            _ = stop(now: now, into: &bytes)
        }
    }

    private mutating func drive(_ velocity: PanTilt, now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        held = nil
        written = (velocity, now)
        let codes = motors.indices.map { index in
            motors[index].dither.code(
                velocity[motors[index].axis] * motors[index].sense, motors[index].ladder, step: setpointInterval,
                now: now)
        }
        return ask(.drive, camera.drive(pan: codes[0], tilt: codes[1]), now: now, into: &bytes)
    }

    /// At once, whatever is pending.
    private mutating func stop(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        stopAsked()
        return ask(.stop, camera.stop, now: now, into: &bytes)
    }

    private mutating func stopAsked() {
        (held, written, owesStop) = (nil, nil, false)
        for index in motors.indices { motors[index].dither.reset() }
    }

    /// Appends the end of any unfinished packet.
    mutating func encodeResync(into bytes: inout [UInt8]) { bytes.append(0xFF) }

    /// Appends an FF, the stop, the end of any other motion (one that another program began), and the stop again, because a
    /// camera refuses it while such a motion runs. Valid in any state, so that it can be prepared.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        bytes += camera.stop + camera.cancel(1) + camera.cancel(2) + camera.stop
        stopAsked()
        // During the greeting, its answers differ from those to the greeting only by their shape.
        let until = latest + Self.answerTime + 400 / Seconds(profile.serial.baud)
        asked = (phase == .ready ? .stop : asked?.question ?? .stop, until)
        stoppedUntil = until + Self.answerTime
    }

    /// The camera keeps no latch; the daemon does, and adds the whole stop. The short stop comes before it because it is sooner
    /// on the line.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        bytes += camera.stop
    }
    mutating func encodeClear(into bytes: inout [UInt8]) {}

    /// The motors cannot be let go of, and the driver never reports that they were: VISCA has no such command. They hold even in
    /// standby, and when switched on again, the camera would turn to every end. Off only means that the camera is not moved any
    /// more.
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        motionless = !on
        if motionless { held = nil }
    }

    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {}
}
