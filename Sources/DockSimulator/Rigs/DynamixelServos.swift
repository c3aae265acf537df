public import Geometry

/// Two Dynamixel X servos on one bus: control table, Protocol 2.0, bus watchdog, alert, and motors that move to their
/// goals.
///
/// Implements the e-Manual.
public struct DynamixelServos: BusServos {
    package var servos: [DynamixelServo]
    /// The speed of the host's line, bits per second; nil: it has none.
    public var lineSpeed: Int?
    /// Axes whose servo is unplugged. It has no supply either, because both come through one cable.
    public var unplugged: Set<Axis> = [] {
        didSet {
            for index in servos.indices where oldValue.contains(servos[index].axis) { restart(index) }
        }
    }
    private let lag: Seconds
    private var time: Seconds = 0
    private var heard: [UInt8] = []
    private var said: [UInt8] = []

    /// Ids 1 (pan) and 2 (tilt), mounted at position 2048, 57,600 baud, unless the options differ.
    public init(model: RigModel, options: [String: Double]) {
        lag = max(model.lag, 0.01)
        func servo(_ axis: Axis, _ name: String, _ id: Double) -> DynamixelServo {
            var servo = DynamixelServo(
                axis: axis, middle: options[name + "_center"] ?? 2048, delay: model.commandLatency)
            servo.put(UInt8(options[name + "_id"] ?? id), at: 7)
            if let baud = options["baud"], let code = DynamixelServo.bauds.firstIndex(of: Int(baud)) {
                servo.put(UInt8(code), at: 8)
            }
            return servo
        }
        servos = [servo(.pan, "pan", 1), servo(.tilt, "tilt", 2)]
    }

    /// Overloads an axis: the motor releases, and every answer carries the alert until a reboot.
    public mutating func overload(_ axis: Axis) {
        for index in servos.indices where servos[index].axis == axis {
            servos[index].put(32, at: 70)
            servos[index].put(0, at: 64)
        }
    }

    /// Whether a watchdog has tripped.
    public var hasTripped: Bool { servos.contains(where: \.hasTripped) }
    /// The output limit of an axis, of 885.
    public func outputLimit(_ axis: Axis) -> Int { servos.first { $0.axis == axis }?.number(100, 2) ?? 0 }
    /// Whether both are position-controlled, as a driver without a deadman timer requires.
    public var followsPlaces: Bool { servos.allSatisfy { $0.table[11] == 3 } }

    /// Axes whose servo holds.
    public var powered: Set<Axis> { Set(servos.filter(\.holds).map(\.axis)).subtracting(unplugged) }

    /// Returns the output so far; each byte is returned once.
    public mutating func drainOutput() -> [UInt8] {
        defer { said = [] }
        return said
    }

    /// Interrupts the supply. Afterwards the torque is off.
    public mutating func reboot() {
        for index in servos.indices { restart(index) }
        heard = []
        said = []
    }

    private mutating func restart(_ index: Int) {
        servos[index].start()
        servos[index].answersFrom = time + 0.2
    }

    /// Advances motors and electronics by a millisecond.
    public mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        self.time = time
        var demand = PanTilt.zero
        for index in servos.indices {
            let axis = servos[index].axis
            servos[index].store(servos[index].place(of: motors[axis]), at: 132, 4)
            servos[index].store(Int((rate[axis] / DynamixelServo.velocityUnit).rounded()), at: 128, 4)
            let watchdog = servos[index].table[98]
            if (1...127).contains(watchdog), time - servos[index].heardAt > Double(watchdog) * 0.02 {
                servos[index].put(0xFF, at: 98)
            }
            let said = DynamixelServo.Goal(
                place: servos[index].number(116, 4), top: servos[index].number(112, 4),
                speed: servos[index].number(104, 4))
            let goal = servos[index].late.admit(said, at: time, holds: servos[index].holds)
            guard servos[index].holds, !servos[index].hasTripped else { continue }
            if servos[index].isInSpeedMode {
                demand[axis] = Double(goal.speed) * DynamixelServo.velocityUnit
                continue
            }
            let way = servos[index].angle(of: goal.place) - motors[axis]
            let most = servos[index].speed(goal.top, for: way)
            demand[axis] = min(max(way / lag, -most), most)
        }
        return demand
    }

    // MARK: the bus

    /// Takes a byte from the host.
    public mutating func receive(_ byte: UInt8, at time: Seconds) {
        self.time = time
        heard.append(byte)
        while let packet = nextPacket() { obey(packet) }
    }

    private mutating func nextPacket() -> (id: UInt8, body: [UInt8])? {
        while !heard.isEmpty {
            let expected: [UInt8] = [0xFF, 0xFF, 0xFD, 0x00]
            guard zip(heard, expected).allSatisfy({ $0 == $1 }) else {
                heard.removeFirst()
                continue
            }
            guard heard.count >= 7 else { return nil }
            let length = Int(heard[5]) + 256 * Int(heard[6])
            guard length >= 3, length < 200 else {
                heard.removeFirst()
                continue
            }
            guard heard.count >= 7 + length else { return nil }
            guard Self.crc(heard[..<(5 + length)]) == Int(heard[5 + length]) + 256 * Int(heard[6 + length]) else {
                heard.removeFirst(7 + length)
                continue
            }
            var body: [UInt8] = []
            for byte in heard[7..<(5 + length)] {
                if byte == 0xFD, body.count >= 3, Array(body[(body.count - 3)...]) == [0xFF, 0xFF, 0xFD] { continue }
                body.append(byte)
            }
            let id = heard[4]
            heard.removeFirst(7 + length)
            return (id, body)
        }
        return nil
    }

    private mutating func obey(_ packet: (id: UInt8, body: [UInt8])) {
        // A servo ignores the status packets of others.
        guard let instruction = packet.body.first, instruction != 0x55 else { return }
        let rest = Array(packet.body.dropFirst()), indices = listeners(packet.id), isForAll = packet.id == Self.everyone
        for index in listeners(Self.everyone) { servos[index].heardAt = time }
        func word(_ place: Int) -> Int { Int(rest[place]) + 256 * Int(rest[place + 1]) }
        switch instruction {
        case 0x83:
            guard rest.count > 4 else { return }
            let size = word(2)
            guard size > 0 else { return }
            var place = 4
            while place + size < rest.count {
                for index in listeners(rest[place]) {
                    _ = servos[index].write(Array(rest[(place + 1)...(place + size)]), at: word(0))
                }
                place += size + 1
            }
        case 0x82:
            guard rest.count > 4 else { return }
            for id in rest[4...] { say(listeners(id).compactMap { reading(of: $0, word(0), word(2)) }) }
        case 0x01: answerPing(packet.id)
        case 0x02:
            guard !isForAll else { return }
            guard rest.count == 4 else { return say(indices.compactMap { answer(of: $0, .access, to: 0x02) }) }
            say(indices.compactMap { reading(of: $0, word(0), word(2)) })
        case 0x03 where rest.count > 2:
            var answers: [[UInt8]] = []
            for index in indices {
                // The packet carries the id, and is sent at the level, from before the write.
                let before = servos[index], problem = servos[index].write(Array(rest[2...]), at: word(0))
                answers += [answer(of: before, problem, to: 0x03)].compactMap { $0 }
            }
            if !isForAll { say(answers) }
        case 0x08:
            let answers = indices.compactMap { answer(of: $0, .ok, to: 0x08) }
            for index in indices { restart(index) }
            if !isForAll { say(answers) }
        default: return
        }
    }

    /// A ping to all is answered by one id after the other.
    private mutating func answerPing(_ id: UInt8) {
        let indices = listeners(id)
        for turn in Set(indices.map { servos[$0].id }).sorted() {
            say(
                indices.filter { servos[$0].id == turn }.compactMap { index in
                    let table = servos[index].table
                    return answer(of: index, .ok, to: 0x01, [table[0], table[1], table[6]])
                })
        }
    }

    private func reading(of index: Int, _ place: Int, _ count: Int) -> [UInt8]? {
        let table = servos[index].table
        guard place + count <= table.count else { return answer(of: index, .access, to: 0x02) }
        return answer(of: index, .ok, to: 0x02, Array(table[place..<place + count]))
    }

    private func answer(
        of index: Int, _ problem: DynamixelServo.Problem, to instruction: UInt8, _ parameters: [UInt8] = []
    ) -> [UInt8]? { answer(of: servos[index], problem, to: instruction, parameters) }

    /// Returns the status packet, or nil if the servo sends none.
    private func answer(
        of servo: DynamixelServo, _ problem: DynamixelServo.Problem, to instruction: UInt8, _ parameters: [UInt8] = []
    ) -> [UInt8]? {
        let needed: UInt8 = instruction == 0x01 ? 0 : instruction == 0x02 ? 1 : 2
        guard time >= servo.answersFrom, servo.statusLevel >= needed else { return nil }
        let alert: UInt8 = servo.table[70] == 0 ? 0 : 0x80
        var body: [UInt8] = []
        for byte in [0x55, problem.rawValue | alert] + parameters {
            body.append(byte)
            if body.count >= 3, Array(body[(body.count - 3)...]) == [0xFF, 0xFF, 0xFD] { body.append(0xFD) }
        }
        let length = body.count + 2
        let frame = [0xFF, 0xFF, 0xFD, 0x00, servo.id, UInt8(length & 0xFF), UInt8(length >> 8)] + body
        let sum = Self.crc(frame[...])
        return frame + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }

    private static func crc(_ bytes: ArraySlice<UInt8>) -> Int {
        var sum = 0
        for byte in bytes {
            sum ^= Int(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 != 0 ? (sum << 1 ^ 0x8005) & 0xFFFF : sum << 1 & 0xFFFF }
        }
        return sum
    }

    private mutating func say(_ answers: [[UInt8]]) { said += SharedBus.overlaid(answers) }
}
