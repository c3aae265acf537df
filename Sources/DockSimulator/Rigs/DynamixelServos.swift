public import Geometry

/// Two Dynamixel X servos on one bus: control table, Protocol 2.0, bus watchdog, alert, and motors that move to their
/// goals.
///
/// Implements the e-Manual.
public struct DynamixelServos: RigElectronics {
    struct Servo: Sendable {
        /// A goal position, the speed toward it, and the speed in speed mode.
        struct Goal: Equatable, Sendable { var place: Int, top: Int, speed: Int }

        var late = LateGoal<Goal>(delay: 0)
        var table = [UInt8](repeating: 0, count: 160)
        let axis: Axis
        /// Its position when the head looks straight ahead.
        let middle: Double
        /// Time of the last packet on the bus, for the watchdog.
        var heardAt: Seconds = 0
        /// After a reboot it answers from this time on.
        var answersFrom: Seconds = 0

        init(id: UInt8, axis: Axis, middle: Double) {
            self.axis = axis
            self.middle = middle
            (table[0], table[1]) = (0xB0, 0x04)  // 1200: XL330-M288
            (table[6], table[7], table[11], table[68]) = (52, id, 3, 2)
            store(885, at: 36, 2)
            store(885, at: 100, 2)
            store(Int(middle), at: 116, 4)
            store(50, at: 144, 2)
            table[146] = 30
        }

        mutating func store(_ value: Int, at place: Int, _ count: Int) {
            for index in 0..<count { table[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
        }

        func number(_ place: Int, _ count: Int) -> Int {
            var value = 0
            for index in 0..<count { value |= Int(table[place + index]) << (8 * index) }
            let top = 1 << (8 * count - 1)
            return value & top == 0 ? value : value - 2 * top
        }

        var holds: Bool { table[64] == 1 }
    }

    private static let countsPerRadian = 4096 / (2 * Double.pi)
    /// 0.229 turns a minute.
    private static let velocityUnit = 0.229 * 2 * Double.pi / 60

    var servos: [Servo]
    private let lag: Seconds
    private var time: Seconds = 0
    private var heard: [UInt8] = []
    private var said: [UInt8] = []

    /// Ids 1 (pan) and 2 (tilt), unless the options name others.
    public init(model: RigModel, options: [String: Double]) {
        lag = max(model.lag, 0.01)
        servos = [
            Servo(id: UInt8(options["pan_id"] ?? 1), axis: .pan, middle: options["pan_center"] ?? 2048),
            Servo(id: UInt8(options["tilt_id"] ?? 2), axis: .tilt, middle: options["tilt_center"] ?? 2048),
        ]
        for index in servos.indices { servos[index].late = LateGoal(delay: model.commandLatency) }
    }

    /// Overloads an axis: the motor releases, and every answer carries the alert until a reboot.
    public mutating func overload(_ axis: Axis) {
        for index in servos.indices where servos[index].axis == axis {
            servos[index].table[70] = 32
            servos[index].table[64] = 0
        }
    }

    /// Whether a watchdog has tripped.
    public var hasTripped: Bool { servos.contains { $0.table[98] == 0xFF } }
    /// The output limit of an axis, of 885.
    public func outputLimit(_ axis: Axis) -> Int { servos.first { $0.axis == axis }?.number(100, 2) ?? 0 }
    /// Leaves both servos in speed mode, as another program might.
    public mutating func leaveInSpeedMode() { for index in servos.indices { servos[index].table[11] = 1 } }
    /// Whether both are position-controlled, as a driver without a deadman timer requires.
    public var followsPlaces: Bool { servos.allSatisfy { $0.table[11] == 3 } }

    /// Axes whose servo holds.
    public var powered: Set<Axis> { Set(servos.filter(\.holds).map(\.axis)) }

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
        let late = servos[index].late, mode = servos[index].table[11], position = servos[index].number(132, 4)
        servos[index] = Servo(
            id: servos[index].table[7], axis: servos[index].axis, middle: servos[index].middle)
        servos[index].late = late
        servos[index].table[11] = mode
        servos[index].store(position, at: 132, 4)
        servos[index].answersFrom = time + 0.2
    }

    /// Advances motors and electronics by a millisecond.
    public mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        self.time = time
        var demand = PanTilt.zero
        for index in servos.indices {
            let axis = servos[index].axis
            servos[index].store(Int((servos[index].middle + motors[axis] * Self.countsPerRadian).rounded()), at: 132, 4)
            servos[index].store(Int((rate[axis] / Self.velocityUnit).rounded()), at: 128, 4)
            let watchdog = servos[index].table[98]
            if (1...127).contains(watchdog), time - servos[index].heardAt > Double(watchdog) * 0.02 {
                servos[index].table[98] = 0xFF
            }
            let said = Servo.Goal(
                place: servos[index].number(116, 4), top: servos[index].number(112, 4),
                speed: servos[index].number(104, 4))
            let goal = servos[index].late.admit(said, at: time, holds: servos[index].holds)
            guard servos[index].holds, servos[index].table[98] != 0xFF else { continue }
            if servos[index].table[11] == 1 {
                demand[axis] = Double(goal.speed) * Self.velocityUnit
                continue
            }
            let way =
                (Double(goal.place) - servos[index].middle) / Self.countsPerRadian - motors[axis]
            let top = goal.top, most = top == 0 ? .infinity : Double(abs(top)) * Self.velocityUnit
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
            var sum = 0
            for byte in heard[..<(5 + length)] {
                sum ^= Int(byte) << 8
                for _ in 0..<8 { sum = sum & 0x8000 != 0 ? (sum << 1 ^ 0x8005) & 0xFFFF : sum << 1 & 0xFFFF }
            }
            guard sum == Int(heard[5 + length]) + 256 * Int(heard[6 + length]) else {
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
        for index in servos.indices { servos[index].heardAt = time }
        let rest = Array(packet.body.dropFirst())
        func word(_ place: Int) -> Int { Int(rest[place]) + 256 * Int(rest[place + 1]) }
        switch instruction {
        case 0x83:
            guard rest.count > 4 else { return }
            let size = word(2)
            var place = 4
            while place + size < rest.count {
                for index in servos.indices where servos[index].table[7] == rest[place] {
                    _ = write(Array(rest[(place + 1)...(place + size)]), at: word(0), index)
                }
                place += size + 1
            }
        case 0x82:
            guard rest.count > 4 else { return }
            for id in rest[4...] {
                for index in servos.indices where servos[index].table[7] == id {
                    say(index, 0, read(word(0), word(2), index))
                }
            }
        case 0x08, 0x01, 0x02, 0x03:
            for index in servos.indices where servos[index].table[7] == packet.id {
                switch instruction {
                case 0x08:
                    say(index, 0, [])
                    restart(index)
                case 0x01: say(index, 0, [servos[index].table[0], servos[index].table[1], servos[index].table[6]])
                case 0x02 where rest.count == 4: say(index, 0, read(word(0), word(2), index))
                case 0x03 where rest.count > 2: say(index, write(Array(rest[2...]), at: word(0), index), [])
                default: say(index, 2, [])
                }
            }
        default: return
        }
    }

    private func read(_ place: Int, _ count: Int, _ index: Int) -> [UInt8] {
        place + count <= servos[index].table.count ? Array(servos[index].table[place..<place + count]) : []
    }

    /// Returns the error code; 7 means no access.
    private mutating func write(_ bytes: [UInt8], at place: Int, _ index: Int) -> UInt8 {
        guard place + bytes.count <= 126 else { return 7 }
        // The EEPROM area is locked while the servo holds, and goals are locked while the watchdog has tripped.
        if place < 64, servos[index].holds { return 7 }
        if servos[index].table[98] == 0xFF, place >= 100 { return 7 }
        // After a shutdown by an error it does not hold before a reboot.
        if place == 64, bytes.first == 1, servos[index].table[70] != 0 { return 7 }
        for (offset, byte) in bytes.enumerated() { servos[index].table[place + offset] = byte }
        return 0
    }

    private mutating func say(_ index: Int, _ error: UInt8, _ parameters: [UInt8]) {
        guard time >= servos[index].answersFrom else { return }
        let alert: UInt8 = servos[index].table[70] == 0 ? 0 : 0x80
        var body: [UInt8] = []
        for byte in [0x55, error | alert] + parameters {
            body.append(byte)
            if body.count >= 3, Array(body[(body.count - 3)...]) == [0xFF, 0xFF, 0xFD] { body.append(0xFD) }
        }
        let length = body.count + 2
        let frame = [0xFF, 0xFF, 0xFD, 0x00, servos[index].table[7], UInt8(length & 0xFF), UInt8(length >> 8)] + body
        var sum = 0
        for byte in frame {
            sum ^= Int(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 != 0 ? (sum << 1 ^ 0x8005) & 0xFFFF : sum << 1 & 0xFFFF }
        }
        said += frame + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }
}
