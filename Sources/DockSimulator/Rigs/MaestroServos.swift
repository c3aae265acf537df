public import Geometry

/// A Pololu Mini Maestro in its command port, with two hobby servos on channels 0 and 1: pulses that go to their targets under
/// limits of speed and acceleration, and servos that follow the pulses and tell nothing.
///
/// Written from the User's Guide (0J40). Both ways at once, as USB has it. A channel without pulses does not know where its servo
/// stands, so its first pulse is the target itself.
public struct MaestroServos: RigElectronics {
    /// What a channel does where an error occurs ("On startup or error").
    public enum OnError: Sendable {
        /// No pulses any more: a Maestro that nobody has set up.
        case off
        /// As before.
        case ignore
        /// To this pulse, microseconds.
        case goTo(Double)
    }

    /// A channel: quarters of a microsecond, and seconds.
    struct Channel: Sendable {
        var target = 0.0
        var pulse = 0.0
        var speed = 0.0
        /// Units; 0: none.
        var speedLimit = 0, accelerationLimit = 0

        /// One period passes.
        mutating func advance(_ period: Seconds) {
            guard pulse > 0, target > 0 else {
                (pulse, speed) = (target, 0)
                return
            }
            let top = speedLimit == 0 ? .infinity : Double(speedLimit) * 100
            let way = target - pulse
            guard accelerationLimit > 0 else {
                let step = min(max(way, -top * period), top * period)
                pulse += step
                speed = step / period
                return
            }
            let change = Double(accelerationLimit) * 1250 * period
            // As fast as it can still brake from, one period on.
            let braking = (2 * change / period * abs(way)).squareRoot()
            let wish = min(top, braking) * (way < 0 ? -1 : 1)
            speed = min(max(wish, speed - change), speed + change)
            if abs(way) <= abs(speed) * period, way * speed >= 0 || abs(way) < change * period {
                (pulse, speed) = (target, 0)
            } else {
                pulse += speed * period
            }
        }
    }

    /// A servo period.
    private static let period: Seconds = 0.02
    /// The servos: quarters of a microsecond for a radian (10 us for a degree, if the options say nothing), and in the middle.
    private let quarters: (pan: Double, tilt: Double), middle: (pan: Double, tilt: Double)
    /// Its channels were set to 500...2500 us.
    private static let range = 2000.0...10000.0

    var channels = [Channel](repeating: Channel(), count: 12)
    /// What an error does; a new Maestro switches its pulses off.
    public var onError = OnError.off
    /// It was left in a UART mode, as it comes: what is written to the command port is ignored.
    public var isInUARTMode = false
    /// It wants a checksum behind each command.
    public var wantsCRC = false
    /// Errors that nobody has asked for yet.
    public private(set) var errors: UInt16 = 0
    /// First pulses that were not where the servo stood, of both servos.
    public private(set) var snaps = 0
    /// Of the place.
    private let lag: Seconds
    private var late: [LateGoal<Double>]
    private var motors = PanTilt.zero
    private var nextPeriod: Seconds?
    private var command: [UInt8] = []
    private var said: [UInt8] = []

    /// A Maestro without pulses; its servos lag behind them by twice the model's lag: a quicker one would swing, since it cannot
    /// brake as fast as its pulse does.
    public init(model: RigModel, options: [String: Double]) {
        lag = 2 * max(model.lag, 0.01)
        late = Axis.allCases.map { _ in LateGoal(delay: model.commandLatency) }
        func quarters(_ axis: String) -> Double {
            4 * (options[axis + "_us_per_degree"] ?? options["us_per_degree"] ?? 10) * 180 / .pi
        }
        self.quarters = (quarters("pan"), quarters("tilt"))
        middle = (4 * (options["pan_center_us"] ?? 1500), 4 * (options["tilt_center_us"] ?? 1500))
    }

    /// Where a pulse (quarters of a microsecond) turns a servo to, rad.
    private func angle(_ pulse: Double, _ axis: Axis) -> Double {
        axis == .pan ? (pulse - middle.pan) / quarters.pan : (pulse - middle.tilt) / quarters.tilt
    }

    /// The limit of speed of an axis, in units of 0.25 us in 10 ms; 0: none.
    public func speedLimit(_ axis: Axis) -> Int { channels[axis == .pan ? 0 : 1].speedLimit }
    /// The limit of acceleration, in the Maestro's units; 0: none.
    public func accelerationLimit(_ axis: Axis) -> Int { channels[axis == .pan ? 0 : 1].accelerationLimit }
    /// The pulse of an axis, microseconds; 0: none.
    public func pulse(_ axis: Axis) -> Double { channels[axis == .pan ? 0 : 1].pulse / 4 }
    /// Pulses as somebody has left them, microseconds.
    public mutating func leavePulses(pan: Double, tilt: Double) {
        for (index, pulse) in [pan, tilt].enumerated() {
            (channels[index].target, channels[index].pulse) = (4 * pulse, 4 * pulse)
        }
    }

    /// It says nothing unasked.
    public var nextWord: Seconds { .infinity }
    /// Those that get pulses.
    public var powered: Set<Axis> {
        Set(Axis.allCases.filter { pulse($0) > 0 })
    }

    /// What it says now; it is not said twice.
    public mutating func takeOutput() -> [UInt8] {
        defer { said = [] }
        return said
    }

    /// It loses its supply, and gets it again: no pulses, no limits.
    public mutating func reboot() {
        channels = [Channel](repeating: Channel(), count: channels.count)
        if case .goTo(let pulse) = onError { for index in 0..<2 { channels[index].target = 4 * pulse } }
        (errors, command, said) = (0, [], [])
    }

    /// A millisecond passes.
    public mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        self.motors = motors
        let next = nextPeriod ?? time
        if time >= next {
            nextPeriod = next + Self.period
            for index in channels.indices { channels[index].advance(Self.period) }
        }
        var wish = PanTilt.zero
        for (index, axis) in Axis.allCases.enumerated() {
            let goal = late[index].take(angle(pulse(axis) * 4, axis), at: time, holds: pulse(axis) > 0)
            if pulse(axis) > 0 { wish[axis] = (goal - motors[axis]) / lag }
        }
        return wish
    }

    // MARK: the line

    /// Data bytes behind a command; nil: there is no such command.
    private static func length(_ code: UInt8) -> Int? {
        switch code {
        case 0x84, 0x87, 0x89: 3
        case 0x90: 1
        case 0x93, 0xA1, 0xA2: 0
        default: nil
        }
    }

    /// A byte of the host.
    public mutating func receive(_ byte: UInt8, at time: Seconds) {
        guard !isInUARTMode else { return }
        // Mini SSC: a channel and a value, which may be anything but FF.
        if command.first == 0xFF {
            command.append(byte)
            guard command.count == 3 else { return }
            let channel = Int(command[1])
            if channel < channels.count { target((1500 + (Double(command[2]) - 127) * 3.75) * 4, channel) }
            command = []
            return
        }
        if byte == 0xFF || byte & 0x80 != 0 {
            // One that was not whole is interrupted.
            if !command.isEmpty { raise(4) }
            command = [byte]
        } else {
            guard !command.isEmpty else { return raise(4) }
            command.append(byte)
        }
        guard byte != 0xFF, let whole = wholeCommand() else { return }
        let bytes = command
        command = []
        if wantsCRC, Self.checksum(bytes.dropLast()) != bytes.last { return raise(3) }
        obey(whole)
    }

    /// The command without device number and checksum, where all of it has come.
    private mutating func wholeCommand() -> [UInt8]? {
        var body = command[...]
        if body.first == 0xAA {
            guard body.count >= 3 else { return nil }
            // To another one on the line: it is waited for all the same.
            body = [body[body.startIndex + 2] | 0x80] + body.dropFirst(3)
        }
        guard let code = body.first, let length = Self.length(code) else {
            raise(4)
            command = []
            return nil
        }
        let needed = 1 + length + (wantsCRC ? 1 : 0)
        guard body.count >= needed else { return nil }
        if command.first == 0xAA, command[1] != 12 {
            command = []
            return nil
        }
        return Array(body.prefix(1 + length))
    }

    private mutating func obey(_ body: [UInt8]) {
        guard body.count > 1 else {
            switch body[0] {
            case 0xA1:
                said += [UInt8(errors & 0xFF), UInt8(errors >> 8)]
                errors = 0
            case 0xA2: goHome()
            default: said.append(channels.contains { $0.pulse != $0.target } ? 1 : 0)
            }
            return
        }
        let channel = Int(body[1])
        guard channel < channels.count else { return raise(4) }
        guard body.count == 4 else {
            let pulse = UInt16(channels[channel].pulse.rounded())
            said += [UInt8(pulse & 0xFF), UInt8(pulse >> 8)]
            return
        }
        let value = Int(body[2]) | Int(body[3]) << 7
        switch body[0] {
        case 0x84: target(Double(value), channel)
        case 0x87: channels[channel].speedLimit = value
        default: channels[channel].accelerationLimit = min(value, 255)
        }
    }

    private mutating func target(_ value: Double, _ channel: Int) {
        let target = value == 0 ? 0 : min(max(value, Self.range.lowerBound), Self.range.upperBound)
        if target > 0, channels[channel].pulse == 0, channel < 2 {
            let axis: Axis = channel == 0 ? .pan : .tilt, way = angle(target, axis) - motors[axis]
            if abs(way) > 0.05 { snaps += 1 }
        }
        channels[channel].target = target
        // Without pulses there is no way from one to the next, and a target of none is at once.
        if target == 0 || channels[channel].pulse == 0 {
            (channels[channel].pulse, channels[channel].speed) = (target, 0)
        }
    }

    private mutating func raise(_ bit: Int) {
        errors |= 1 << UInt16(bit)
        goHome()
    }

    private mutating func goHome() {
        for channel in 0..<2 {
            switch onError {
            case .off: target(0, channel)
            case .ignore: break
            case .goTo(let pulse): target(4 * pulse, channel)
            }
        }
    }

    /// CRC-7, by the division that the guide explains.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 {
        var rest = 0
        for byte in bytes {
            rest ^= Int(byte)
            for _ in 0..<8 {
                if rest % 2 == 1 { rest ^= 0x91 }
                rest /= 2
            }
        }
        return UInt8(rest)
    }
}
