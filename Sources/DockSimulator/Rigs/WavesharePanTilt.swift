internal import FoundationEssentials
public import Geometry
internal import Glibc

/// Waveshare's 2-axis pan-tilt: its board with JSON lines, and two ST3215 behind it.
///
/// Implements the behaviour of the board's published firmware (ugv_base_general 0.95) without the driver's code. It
/// reads its lines once per turn of its loop, accepts whole degrees only, prints text between objects, and has no
/// deadman timer for the servos.
public struct WavesharePanTilt: RigElectronics {
    struct Servo: Sendable {
        let axis: Axis
        let id: Int
        /// Positions of the magnetic encoder, 4096 per turn, the middle at 2047.
        var place = 2047
        var goal = 2047
        /// Positions per second; 0: as fast as possible.
        var speed = 0
        var hasTorque = true
        var late = LateGoal<[Int]>(delay: 0)
        /// Whether the board cannot reach it.
        var isMissing = false
    }

    /// Servos that are unplugged.
    public var missing: Set<Axis> = [] {
        didSet { for index in servos.indices { servos[index].isMissing = missing.contains(servos[index].axis) } }
    }
    /// Whether it prints text between the objects, sometimes without a line end.
    public var chatters = false
    /// Supply of the board, volts.
    public var supply = 12.1
    /// Number of executed set-points.
    public private(set) var moves = 0
    /// Whether it echoes commands.
    public var echoes: Bool { settings.echoes }
    /// Whether it prints text.
    public var prints: Bool { settings.prints }

    /// What the host has set. After a start it is as here.
    private struct Settings: Sendable {
        var echoes = true, prints = true
        /// Whether the module on the board is a pan-tilt, whose angles it then reports.
        var isPanTilt = false
        /// Whether it reports unasked; and the interval, seconds.
        var flows = false, interval: Seconds = 0
    }

    private let lag: Seconds
    var servos: [Servo]
    private var settings = Settings()
    private var nextTurn: Seconds = 0
    private var nextReport: Seconds = 0
    /// After T:135, the time at which torque returns.
    private var torqueAt: Seconds?
    private var heard: [UInt8] = []
    private var said: [UInt8] = []
    private var turns = 0

    /// A turn of its loop: two servo requests at 1 Mbaud, a sensor at 400 kHz, a display; estimated.
    private static let turn: Seconds = 0.008
    private static let placesPerRadian = 4096 / (2 * Double.pi)

    /// Ids 2 (pan) and 1 (tilt), unless the options name others.
    public init(model: RigModel, options: [String: Double]) {
        lag = max(model.lag, 0.01)
        servos = [
            Servo(axis: .pan, id: Int(options["pan_id"] ?? 2)), Servo(axis: .tilt, id: Int(options["tilt_id"] ?? 1)),
        ]
        for index in servos.indices { servos[index].late = LateGoal(delay: model.commandLatency) }
    }

    /// Axes whose motor holds or turns.
    public var powered: Set<Axis> { Set(servos.filter { $0.hasTorque && !$0.isMissing }.map(\.axis)) }
    /// Time of its next unasked output, seconds.
    public var nextWord: Seconds { settings.flows || chatters || !missing.isEmpty ? max(nextTurn, 0) : .infinity }

    /// Returns the output so far.
    public mutating func drainOutput() -> [UInt8] {
        defer { said = [] }
        return said
    }

    /// Reboots the board. The servos, on the same supply, have no torque afterwards.
    public mutating func reboot() {
        for index in servos.indices {
            let place = servos[index].place, late = servos[index].late
            servos[index] = Servo(axis: servos[index].axis, id: servos[index].id)
            (servos[index].place, servos[index].goal, servos[index].hasTorque) = (place, place, false)
            servos[index].late = late
            servos[index].isMissing = missing.contains(servos[index].axis)
        }
        settings = Settings()
        heard = []
        said = Array("ets Jul 29 2019 12:21:46\r\n\r\nrst:0x1 (POWERON_RESET),boot:0x13\r\n{\"T\":1001,\"L\":".utf8)
    }

    /// Advances motors and electronics by a millisecond.
    public mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        if let at = torqueAt, time >= at {
            torqueAt = nil
            for index in servos.indices { switchOn(index) }
        }
        var demand = PanTilt.zero
        for index in servos.indices {
            let servo = servos[index], sign = servo.axis == .pan ? 1.0 : -1
            // Tilt counts downward.
            servos[index].place = Int((2047 + sign * motors[servo.axis] * Self.placesPerRadian).rounded())
            let goal = servos[index].late.admit([servo.goal, servo.speed], at: time, holds: servo.hasTorque)
            guard servo.hasTorque, !servo.isMissing else { continue }
            let way = sign * (Double(goal[0]) - 2047) / Self.placesPerRadian - motors[servo.axis]
            // Its dead zone is one position to either side.
            guard abs(way) * Self.placesPerRadian > 1 else { continue }
            let most = goal[1] == 0 ? .infinity : Double(goal[1]) / Self.placesPerRadian
            demand[servo.axis] = min(max(way / lag, -most), most)
        }
        if time >= nextTurn {
            nextTurn = time + Self.turn
            loop(at: time)
        }
        return demand
    }

    private mutating func switchOn(_ index: Int) {
        guard !servos[index].hasTorque else { return }
        // A servo starts at its present position.
        (servos[index].hasTorque, servos[index].goal) = (true, servos[index].place)
    }

    // MARK: its loop

    /// Takes a byte from the host.
    public mutating func receive(_ byte: UInt8, at time: Seconds) { heard.append(byte) }

    private mutating func loop(at time: Seconds) {
        turns += 1
        // During T:135 it reads nothing else.
        while torqueAt == nil, let end = heard.firstIndex(of: 0x0A) {
            let line = Array(heard[...end])
            heard.removeFirst(end + 1)
            obey(line, at: time)
        }
        for servo in servos where servo.isMissing && settings.isPanTilt && settings.prints {
            say(#"{"T":1005,"id":\#(servo.id),"status":0}"#)
        }
        if chatters, turns % 25 == 0 { said += Array("[debug] turn \(turns) {\r\n".utf8) }
        guard settings.flows, time >= nextReport else { return }
        nextReport = time + settings.interval
        if chatters, turns % 3 == 0 { said += Array("loop: ".utf8) }
        var text = #"{"T":1001,"L":0,"R":0,"r":0.4\#(turns % 10),"p":-1.25,"y":"null","v":\#(rounded(supply))"#
        if settings.isPanTilt {
            text += #","pan":\#(rounded(Double(servos[0].place - 2047) * 360 / 4095))"#
            text += #","tilt":\#(rounded(Double(2047 - servos[1].place) * 360 / 4095))"#
        }
        say(text + "}")
    }

    /// Formats a number as its C code prints a float.
    private func rounded(_ value: Double) -> String {
        var text = [CChar](repeating: 0, count: 32)
        withVaList([value]) { _ = vsnprintf(&text, text.count, "%.7g", $0) }
        return text.withUnsafeBufferPointer { buffer in buffer.baseAddress.map { String(cString: $0) } ?? "" }
    }
    private mutating func say(_ text: String) { said += Array(text.utf8) + [0x0D, 0x0A] }

    private mutating func obey(_ line: [UInt8], at time: Seconds) {
        // The board's reader takes the first value of a line. Anything else is dropped silently.
        guard let object = try? JSONDecoder().decode([String: Order].self, from: Data(line)) else { return }
        if settings.prints, settings.echoes { said += line }
        func number(_ name: String) -> Double { object[name]?.number ?? 0 }
        let value = number("cmd")
        switch Int(exactly: number("T")) {
        case 4: settings.isPanTilt = value == 2
        case 131: settings.flows = value == 1
        case 142: settings.interval = abs(value) / 1000
        case 143: settings.echoes = value != 0
        case 605: settings.prints = value == 1
        case 210:
            for index in servos.indices { if value == 0 { servos[index].hasTorque = false } else { switchOn(index) } }
        case 135:
            for index in servos.indices { servos[index].hasTorque = false }
            torqueAt = time + 0.003
        case 134:
            moves += 1
            // Missing values are 0; only whole degrees; C divides toward zero.
            let x = Int(min(max(number("X"), -180), 180)), y = Int(min(max(number("Y"), -30), 90))
            servos[0].goal = 2047 + x * 4095 / 360
            servos[1].goal = 2047 - y * 4095 / 360
            servos[0].speed = Int(min(max(number("SX"), 1), 2500))
            servos[1].speed = Int(min(max(number("SY"), 1), 2500))
        default: break
        }
    }
}

/// A value of a command. Anything except a number counts as 0.
private struct Order: Decodable {
    let number: Double

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        number = (try? value.decode(Double.self)) ?? ((try? value.decode(Bool.self)) == true ? 1 : 0)
    }
}
