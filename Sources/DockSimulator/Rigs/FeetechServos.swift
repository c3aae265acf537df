public import Geometry

/// Two FeeTech servos on one bus: memory, packets, and motors that move to their goals.
///
/// Implements FeeTech's protocol manual and the memory tables of the STS3215 and the SCS series. The bus is half
/// duplex: output on a busy bus is lost, as on a real one.
public struct FeetechServos: RigElectronics {
    /// One servo: its memory and the state of its motor.
    struct Servo: Sendable {
        /// A position (a speed, in speed mode), and the speed toward it.
        struct Goal: Equatable, Sendable { var place: Int, top: Int }

        var late = LateGoal<Goal>(delay: 0)
        var memory = [UInt8](repeating: 0, count: 128)
        let axis: Axis
        let series: FeetechSeries
        /// Its position when the head looks straight ahead.
        let middle: Double

        init(id: UInt8, axis: Axis, series: FeetechSeries, middle: Double) {
            self.axis = axis
            self.series = series
            self.middle = middle
            (memory[0], memory[1]) = (3, 10)
            store(series.model, at: 3)
            (memory[5], memory[8]) = (id, 1)
            store(series.last, at: 11)
            store(1000, at: 16)
            if series.isNewer {
                store(1000, at: 48)
                memory[55] = 1
            }
            store(Int(middle), at: 42)
            (memory[62], memory[63]) = (74, 31)
        }

        mutating func store(_ value: Int, at place: Int) {
            let size = min(abs(value), 0x7FFF) | (value < 0 ? 0x8000 : 0)
            let low = UInt8(size & 0xFF), high = UInt8(size >> 8)
            (memory[place], memory[place + 1]) = series.isNewer ? (low, high) : (high, low)
        }

        func word(_ place: Int) -> Int {
            let first = Int(memory[place]), second = Int(memory[place + 1])
            let raw = series.isNewer ? first | second << 8 : second | first << 8
            return raw & 0x8000 != 0 ? -(raw & 0x7FFF) : raw
        }

        var holds: Bool { memory[40] == 1 }
    }

    private let series: FeetechSeries
    /// Number of bytes written to the EEPROM area so far.
    public private(set) var wear = 0

    var servos: [Servo]
    /// Error bits of the next status packets: 4 heat, 32 load (FeeTech's SDK).
    public var errors: UInt8 = 0
    private let lag: Seconds
    private var heard: [UInt8] = []
    private var said: [UInt8] = []

    /// Ids 1 (pan) and 2 (tilt), STS series, mounted at their middle positions, unless the options differ.
    public init(model: RigModel, options: [String: Double]) {
        lag = max(model.lag, 0.01)
        let series = options["scs"] == 1 ? FeetechSeries.scs : .sts
        self.series = series
        func servo(_ axis: Axis, _ name: String, _ id: Double) -> Servo {
            Servo(
                id: UInt8(options[name + "_id"] ?? id), axis: axis, series: series,
                middle: options[name + "_center"] ?? Double(series.middle))
        }
        servos = [servo(.pan, "pan", 1), servo(.tilt, "tilt", 2)]
        for index in servos.indices { servos[index].late = LateGoal(delay: model.commandLatency) }
    }

    /// Whether both are position-controlled, as a driver without a deadman timer requires.
    public var followsPlaces: Bool { servos.allSatisfy { $0.memory[33] == 0 } }
    /// The torque limit of an axis, as a fraction of the stall torque.
    public func torqueLimit(_ axis: Axis) -> Double {
        servos.first { $0.axis == axis }.map { Double($0.word(series.torqueLimit)) / 1000 } ?? 0
    }
    /// Leaves both servos in speed mode, as another program might.
    public mutating func leaveInSpeedMode() { for index in servos.indices { servos[index].memory[33] = 1 } }

    /// Axes whose servo holds.
    public var powered: Set<Axis> { Set(servos.filter(\.holds).map(\.axis)) }

    /// Returns the output so far; each byte is returned once.
    public mutating func drainOutput() -> [UInt8] {
        defer { said = [] }
        return said
    }

    /// Interrupts the supply. Afterwards the torque is off.
    public mutating func reboot() {
        for index in servos.indices {
            let mode = servos[index].memory[33]
            let old = servos[index]
            servos[index] = Servo(id: old.memory[5], axis: old.axis, series: series, middle: old.middle)
            servos[index].late = old.late
            servos[index].memory[33] = mode
        }
        heard = []
        said = []
    }

    /// Advances motors and electronics by a millisecond.
    public mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        var demand = PanTilt.zero
        for index in servos.indices {
            let axis = servos[index].axis
            let place = Int((servos[index].middle + motors[axis] * series.countsPerRadian).rounded())
            servos[index].store(place, at: 56)
            servos[index].store(Int((rate[axis] * series.countsPerRadian).rounded()), at: 58)
            let said = Servo.Goal(place: servos[index].word(42), top: servos[index].word(46))
            let goal = servos[index].late.admit(said, at: time, holds: servos[index].holds), top = goal.top
            guard servos[index].holds else { continue }
            if servos[index].memory[33] == 1 {
                demand[axis] = Double(top) / series.countsPerRadian
                continue
            }
            let way = (Double(goal.place) - servos[index].middle) / series.countsPerRadian - motors[axis]
            let most = top == 0 ? .infinity : Double(abs(top)) / series.countsPerRadian
            // A position controller: its speed is proportional to the distance, up to the commanded speed.
            demand[axis] = min(max(way / lag, -most), most)
        }
        return demand
    }

    // MARK: the bus

    /// Takes a byte from the host.
    public mutating func receive(_ byte: UInt8, at time: Seconds) {
        heard.append(byte)
        while let packet = nextPacket() { obey(packet) }
    }

    /// id, instruction and parameters of the packet at the front. Other bytes are dropped.
    private mutating func nextPacket() -> (id: UInt8, instruction: UInt8, parameters: [UInt8])? {
        while heard.count >= 2 {
            guard heard[0] == 0xFF, heard[1] == 0xFF, heard.count < 3 || heard[2] != 0xFF else {
                heard.removeFirst()
                continue
            }
            guard heard.count >= 4 else { return nil }
            let length = Int(heard[3])
            guard (2...120).contains(length) else {
                heard.removeFirst()
                continue
            }
            guard heard.count >= 4 + length else { return nil }
            var sum = 0
            for byte in heard[2..<3 + length] { sum += Int(byte) }
            guard UInt8(~sum & 0xFF) == heard[3 + length] else {
                // A real servo discards the whole packet that it has waited for.
                heard.removeFirst(4 + length)
                continue
            }
            let packet = (heard[2], heard[4], Array(heard[5..<3 + length]))
            heard.removeFirst(4 + length)
            return packet
        }
        return nil
    }

    private mutating func obey(_ packet: (id: UInt8, instruction: UInt8, parameters: [UInt8])) {
        let parameters = packet.parameters
        switch packet.instruction {
        case 0x83:
            guard parameters.count > 2 else { return }
            let place = parameters[0], length = Int(parameters[1])
            var rest = parameters[2...]
            while rest.count > length {
                let id = rest[rest.startIndex]
                write(Array(rest.dropFirst().prefix(length)), at: Int(place), to: id)
                rest = rest.dropFirst(length + 1)
            }
        case 0x82:
            // The older series does not support it.
            guard parameters.count > 2, series.isNewer else { return }
            for id in parameters[2...] { answer(id, read(Int(parameters[0]), Int(parameters[1]), of: id)) }
        case 0x01: answer(packet.id, [])
        case 0x02:
            guard parameters.count == 2 else { return }
            answer(packet.id, read(Int(parameters[0]), Int(parameters[1]), of: packet.id))
        case 0x03:
            guard let place = parameters.first else { return }
            write(Array(parameters.dropFirst()), at: Int(place), to: packet.id)
            if packet.id != 0xFE { answer(packet.id, []) }
        default: return
        }
    }

    private func read(_ place: Int, _ count: Int, of id: UInt8) -> [UInt8]? {
        guard let servo = servos.first(where: { $0.memory[5] == id }), place + count <= servo.memory.count else {
            return nil
        }
        return Array(servo.memory[place..<place + count])
    }

    private mutating func answer(_ id: UInt8, _ parameters: [UInt8]?) {
        guard let parameters, servos.contains(where: { $0.memory[5] == id }) else { return }
        let body = [id, UInt8(parameters.count + 2), errors] + parameters
        var sum = 0
        for byte in body { sum += Int(byte) }
        said += [0xFF, 0xFF] + body + [UInt8(~sum & 0xFF)]
    }

    private mutating func write(_ bytes: [UInt8], at place: Int, to id: UInt8) {
        for index in servos.indices where servos[index].memory[5] == id || id == 0xFE {
            for (offset, byte) in bytes.enumerated() {
                let place = place + offset
                // Identity and measurements are read-only. In the newer series the locked EEPROM area is read-only too.
                guard place < 56, place >= 5 else { continue }
                let isKept = place < 40, isOpen = servos[index].memory[series.lock] == 0
                guard !isKept || isOpen || !series.isNewer else { continue }
                if isKept, isOpen { wear += 1 }
                servos[index].memory[place] = byte
            }
        }
    }
}
