internal import Geometry
internal import Glibc

/// Sony's VISCA over a serial line (EVI-D100 and EVI-HD1 Technical Manuals, and the many cameras that speak it): velocities as codes
/// of speed, places by inquiry.
///
/// A camera turns on until it is told to stop, so nothing here moves without a guard. One packet is out at a time, and the newest
/// velocity waits for its answer; a stop waits for nothing. Two commands may run in the camera, and a drive ends at once, so the
/// line never fills the camera's buffer by itself; a remote commander or another program may.
struct ViscaDriver: DockDriver {
    static let name = "visca"
    /// The camera's address; its speeds (a known table, or 0: equal steps from the slowest to the fastest code, deg/s); its
    /// units of position in a degree; what its lens magnifies at most.
    static let options: [String: DriverOption] = [
        "address": .whole(1...7), "speed_table": .whole(0...2), "pan_min_speed": .number(0.05...400),
        "pan_max_speed": .number(0.05...400), "tilt_min_speed": .number(0.05...400),
        "tilt_max_speed": .number(0.05...400), "pan_codes": .whole(1...24), "tilt_codes": .whole(1...24),
        "pan_units_per_degree": .number(0.5...200), "tilt_units_per_degree": .number(0.5...200),
        "zoom_max": .number(1...60),
    ]

    /// Where the conversation is.
    enum Phase: Equatable { case closed, greeting, ready }
    /// What an answer is out for. The first five are the greeting, in this order.
    enum Question: Int, Equatable { case addresses, clear, version, power, position, drive, stop, zoom }

    /// One axis.
    struct Motor: Sendable {
        let axis: Axis
        let ladder: SpeedLadder
        /// Units of position in a radian; negative where it turns the other way.
        let perRadian: Double
        var sense: Double { perRadian < 0 ? -1 : 1 }
        var dither = SpeedDither()
        var gate: ReadingGate
        /// Units, and when.
        var reading: (units: Int, time: Seconds)?
        var rate = 0.0
    }

    static let greetingInterval: Seconds = 0.5
    /// Asked so often without an answer, a question of the greeting that a camera need not know is left out.
    static let attempts = 3
    /// A camera begins to answer within this, seconds: a picture or two, and what a USB adapter holds back.
    static let answerTime: Seconds = 0.09
    /// A set-point that waited longer is none any more, seconds.
    static let heldTime: Seconds = 0.2
    /// A stop that nobody answers is repeated so often; after that the loop sees whether it stands.
    static let mostStops = 10
    /// After a refusal it is said again so much later, seconds: the camera's buffer is full, or it cannot at this moment.
    static let busyPause: Seconds = 0.04, refusedPause: Seconds = 0.2
    /// Of refusals is told no more often, seconds.
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
    /// When the questions for a position were on the line that are not answered: a stop may come between one and its answer.
    var positionsAsked: [Seconds] = []
    /// The newest velocity, while an answer is out, and when it came.
    var held: (velocity: PanTilt, at: Seconds)?
    /// ... that was written last, in case it is refused.
    var written: (velocity: PanTilt, at: Seconds)?
    /// A stop was refused, or not answered.
    var owesStop = false
    /// Until then an error may be what came of the guard's kind of stop.
    var stoppedUntil: Seconds = -.infinity
    /// How often one was repeated.
    var stopTries = 0
    /// It is a camera that acknowledges: only that is the answer to a command then.
    var acknowledges = false
    /// Nothing is said before, but a stop.
    var pauseUntil: Seconds = 0
    var nextStep: Seconds = 0, nextPosition: Seconds = 0
    var latest: Seconds = 0
    var identity = DockIdentity(model: "VISCA camera", firmware: "not told", uid: "")
    /// What the lens shall magnify and was not told yet; and what it was told last.
    var wantedZoom: Double?, lastZoom: Double?
    /// What it can; nil: nobody has said.
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

    /// It never stops by itself. A drive and its answers take some 30 ms at 9600 baud, a position as much.
    var abilities: DriverAbilities {
        DriverAbilities(
            deadman: nil, setpoint: .velocity, mostSetpoints: profile.serial.baud < 19200 ? 15 : 20, reportsPose: true,
            reportsBattery: false, keepsLatch: false, magnification: zoomRange,
            canLetGo: false)
    }
    var invalidBytes: Int { scanner.invalidBytes }

    /// Positions are asked for so often: 10 times a second at 9600 baud, 25 times at 38400.
    private var positionInterval: Seconds { 960 / Seconds(profile.serial.baud).clamped(to: 9600...24000) }
    /// The time until the next set-point, as long as it moves, seconds.
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
        identity = DockIdentity(model: "VISCA camera", firmware: "not told", uid: "visca-\(camera.number)")
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
        // By turns, where both wait.
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
        // What was cut off before must not take the first one along.
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

    /// Between no magnification and the most that its profile says (`zoom_max`) the lens is taken to go by equal factors; both
    /// ends are exact.
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

    /// At once, whatever is out.
    private mutating func stop(now: Seconds, into bytes: inout [UInt8]) -> Seconds {
        stopAsked()
        return ask(.stop, camera.stop, now: now, into: &bytes)
    }

    private mutating func stopAsked() {
        (held, written, owesStop) = (nil, nil, false)
        for index in motors.indices { motors[index].dither.reset() }
    }

    /// The end of whatever packet there is.
    mutating func encodeResync(into bytes: inout [UInt8]) { bytes.append(0xFF) }

    /// The stop; the end of anything else that runs, as somebody's way to a place; and the stop again, for while that ran it was
    /// refused. An FF comes first. Right in any state, so that it can be kept ready.
    mutating func encodeStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        bytes += camera.stop + camera.cancel(1) + camera.cancel(2) + camera.stop
        stopAsked()
        // While it is greeted, its answers are to be told from those of the greeting by their shape.
        let until = latest + Self.answerTime + 400 / Seconds(profile.serial.baud)
        asked = (phase == .ready ? .stop : asked?.question ?? .stop, until)
        stoppedUntil = until + Self.answerTime
    }

    /// It keeps no latch; the daemon does, and adds the whole stop: before that the stop alone, which is sooner on the line.
    mutating func encodeEmergencyStop(into bytes: inout [UInt8]) {
        encodeResync(into: &bytes)
        bytes += camera.stop
    }
    mutating func encodeClear(into bytes: inout [UInt8]) {}

    /// Its motors cannot be let go of, and it is never told that they were: VISCA knows no such command, and in standby, from which
    /// it would turn to every end when it is switched on, they hold as well. Off: it is not moved any more.
    mutating func encodeTorque(_ on: Bool, into bytes: inout [UInt8]) {
        motionless = !on
        if motionless { held = nil }
    }

    mutating func setActive(_ active: Bool, into bytes: inout [UInt8]) {}
}
