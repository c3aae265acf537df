public import Geometry

/// A Pololu Mini Maestro on its command port, with two hobby servos on channels 0 and 1. Its pulses move to their
/// targets within limits of speed and acceleration. The servos follow the pulses and send no feedback.
///
/// Implements the User's Guide (0J40). It is full duplex, like USB. A channel without pulses does not know its servo's
/// position, so its first pulse is the target itself.
public struct MaestroServos: RigElectronics {
    /// The behaviour of a channel after an error ("On startup or error").
    public enum OnError: Sendable {
        /// Pulses off: a Maestro that was never configured.
        case off
        /// As before.
        case ignore
        /// Moves to this pulse, microseconds.
        case goTo(Double)
    }

    /// A channel, in quarter microseconds and seconds.
    struct Channel: Sendable {
        var target = 0.0
        var pulse = 0.0
        var speed = 0.0
        /// In the Maestro's units; 0: none.
        var speedLimit = 0, accelerationLimit = 0

        /// Advances by one period.
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
            // The highest speed from which it can still brake, one period later.
            let braking = (2 * change / period * abs(way)).squareRoot()
            let demand = min(top, braking) * (way < 0 ? -1 : 1)
            speed = min(max(demand, speed - change), speed + change)
            if abs(way) <= abs(speed) * period, way * speed >= 0 || abs(way) < change * period {
                (pulse, speed) = (target, 0)
            } else {
                pulse += speed * period
            }
        }
    }

    /// Period of the servo pulses, seconds.
    private static let period: Seconds = 0.02
    /// The servos: quarter microseconds per radian (10 us per degree by default), and at the centre.
    private let quarters: (pan: Double, tilt: Double), middle: (pan: Double, tilt: Double)
    /// Range of its channels: 500...2500 us.
    private static let range = 2000.0...10000.0

    var channels = [Channel](repeating: Channel(), count: 12)
    /// The reaction to an error. A new Maestro switches its pulses off.
    public var onError = OnError.off
    /// Whether it is in a UART mode, as delivered. It then ignores the command port.
    public var isInUARTMode = false
    /// Whether each command needs a checksum.
    public var wantsCRC = false
    /// Errors that were not read yet.
    public private(set) var errors: UInt16 = 0
    /// Number of first pulses of both servos that did not match the servo's position.
    public private(set) var snaps = 0
    /// Time constant of the position, seconds.
    private let lag: Seconds
    private var late: [LateGoal<Double>]
    private var motors = PanTilt.zero
    private var nextPeriod: Seconds?
    private var command: [UInt8] = []
    private var said: [UInt8] = []

    /// A Maestro without pulses. Its servos lag behind them by twice the model's lag. Faster ones would oscillate,
    /// because they cannot brake as fast as their pulses do.
    public init(model: RigModel, options: [String: Double]) {
        lag = 2 * max(model.lag, 0.01)
        late = Axis.allCases.map { _ in LateGoal(delay: model.commandLatency) }
        func quarters(_ axis: String) -> Double {
            4 * (options[axis + "_us_per_degree"] ?? options["us_per_degree"] ?? 10) * 180 / .pi
        }
        self.quarters = (quarters("pan"), quarters("tilt"))
        middle = (4 * (options["pan_center_us"] ?? 1500), 4 * (options["tilt_center_us"] ?? 1500))
    }

    /// The angle of a servo for a pulse (quarter microseconds), rad.
    private func angle(_ pulse: Double, _ axis: Axis) -> Double {
        axis == .pan ? (pulse - middle.pan) / quarters.pan : (pulse - middle.tilt) / quarters.tilt
    }

    /// The speed limit of an axis, in units of 0.25 us per 10 ms; 0: none.
    public func speedLimit(_ axis: Axis) -> Int { channels[axis == .pan ? 0 : 1].speedLimit }
    /// The acceleration limit, in the Maestro's units; 0: none.
    public func accelerationLimit(_ axis: Axis) -> Int { channels[axis == .pan ? 0 : 1].accelerationLimit }
    /// The pulse of an axis, microseconds; 0: none.
    public func pulse(_ axis: Axis) -> Double { channels[axis == .pan ? 0 : 1].pulse / 4 }
    /// Leaves pulses on, as another program might, microseconds.
    public mutating func leavePulses(pan: Double, tilt: Double) {
        for (index, pulse) in [pan, tilt].enumerated() {
            (channels[index].target, channels[index].pulse) = (4 * pulse, 4 * pulse)
        }
    }

    /// It sends nothing unasked.
    public var nextWord: Seconds { .infinity }
    /// The axes with pulses.
    public var powered: Set<Axis> {
        Set(Axis.allCases.filter { pulse($0) > 0 })
    }

    /// Returns the output so far; each byte is returned once.
    public mutating func drainOutput() -> [UInt8] {
        defer { said = [] }
        return said
    }

    /// Interrupts the supply. Afterwards there are no pulses and no limits.
    public mutating func reboot() {
        channels = [Channel](repeating: Channel(), count: channels.count)
        if case .goTo(let pulse) = onError { for index in 0..<2 { channels[index].target = 4 * pulse } }
        (errors, command, said) = (0, [], [])
    }

    /// Advances by a millisecond.
    public mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        self.motors = motors
        let next = nextPeriod ?? time
        if time >= next {
            nextPeriod = next + Self.period
            for index in channels.indices { channels[index].advance(Self.period) }
        }
        var demand = PanTilt.zero
        for (index, axis) in Axis.allCases.enumerated() {
            let goal = late[index].admit(angle(pulse(axis) * 4, axis), at: time, holds: pulse(axis) > 0)
            if pulse(axis) > 0 { demand[axis] = (goal - motors[axis]) / lag }
        }
        return demand
    }

    // MARK: the line

    /// Number of data bytes after a command; nil for an unknown command.
    private static func length(_ code: UInt8) -> Int? {
        switch code {
        case 0x84, 0x87, 0x89: 3
        case 0x90: 1
        case 0x93, 0xA1, 0xA2: 0
        default: nil
        }
    }

    /// Takes a byte from the host.
    public mutating func receive(_ byte: UInt8, at time: Seconds) {
        guard !isInUARTMode else { return }
        // Mini SSC: a channel and a value, which may be anything except FF.
        if command.first == 0xFF {
            command.append(byte)
            guard command.count == 3 else { return }
            let channel = Int(command[1])
            if channel < channels.count { target((1500 + (Double(command[2]) - 127) * 3.75) * 4, channel) }
            command = []
            return
        }
        if byte == 0xFF || byte & 0x80 != 0 {
            // An incomplete command was interrupted.
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

    /// The command without device number and checksum, once it is complete.
    private mutating func wholeCommand() -> [UInt8]? {
        var body = command[...]
        if body.first == 0xAA {
            guard body.count >= 3 else { return nil }
            // A command for another device on the line must be complete too.
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
        // Without pulses there is no ramp, and a target of none applies at once.
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
