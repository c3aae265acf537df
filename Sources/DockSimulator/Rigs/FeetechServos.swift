public import Geometry

/// Two FeeTech servos on one bus: memory, packets, and motors that move to their goals.
///
/// Implements FeeTech's protocol manual and the memory tables of the STS3215 and the SCS series. The bus is half
/// duplex: output on a busy bus is lost, as on a real one.
public struct FeetechServos: BusServos {
    private let series: FeetechSeries
    package var servos: [FeetechServo]
    /// Error bits of the next status packets: 4 heat, 32 load (FeeTech's SDK).
    public var errors: UInt8 = 0
    /// The speed of the host's line, bits per second; nil: it has none.
    public var lineSpeed: Int?
    /// Axes whose servo is unplugged. It has no supply either, because both come through one cable.
    public var unplugged: Set<Axis> = [] {
        didSet {
            for index in servos.indices where oldValue.contains(servos[index].axis) { servos[index].start() }
        }
    }
    private let lag: Seconds
    private var heard: [UInt8] = []
    private var said: [UInt8] = []

    /// Ids 1 (pan) and 2 (tilt), STS series, mounted at their middle positions, 1,000,000 baud, unless the options
    /// differ.
    public init(model: RigModel, options: [String: Double]) {
        lag = max(model.lag, 0.01)
        let series = options["scs"] == 1 ? FeetechSeries.scs : .sts
        self.series = series
        func servo(_ axis: Axis, _ name: String, _ id: Double) -> FeetechServo {
            var servo = FeetechServo(
                axis: axis, series: series, middle: options[name + "_center"] ?? Double(series.middle),
                delay: model.commandLatency)
            servo.put(UInt8(options[name + "_id"] ?? id), at: 5)
            if let baud = options["baud"], let code = FeetechServo.bauds.firstIndex(of: Int(baud)) {
                servo.put(UInt8(code), at: 6)
            }
            // Firmware that counts speeds in units of 50 positions per second.
            if series.isNewer, options["speed_unit_steps"] ?? 1 > 25 { servo.put(8, at: 18) }
            return servo
        }
        servos = [servo(.pan, "pan", 1), servo(.tilt, "tilt", 2)]
    }

    /// Whether both are position-controlled, as a driver without a deadman timer requires.
    public var followsPlaces: Bool { servos.allSatisfy { !$0.isInSpeedMode } }
    /// The torque limit of an axis, as a fraction of the stall torque.
    public func torqueLimit(_ axis: Axis) -> Double {
        servos.first { $0.axis == axis }.map { Double($0.word(series.torqueLimit)) / 1000 } ?? 0
    }
    /// Number of bytes written to the EEPROM areas so far.
    public var wear: Int { servos.reduce(0) { $0 + $1.wear } }

    /// Axes whose servo holds.
    public var powered: Set<Axis> { Set(servos.filter(\.holds).map(\.axis)).subtracting(unplugged) }

    /// Returns the output so far; each byte is returned once.
    public mutating func drainOutput() -> [UInt8] {
        defer { said = [] }
        return said
    }

    /// Interrupts the supply. Afterwards the torque is off.
    public mutating func reboot() {
        for index in servos.indices { servos[index].start() }
        heard = []
        said = []
    }

    /// Advances motors and electronics by a millisecond.
    public mutating func tick(motors: PanTilt, rate: PanTilt, at time: Seconds) -> PanTilt {
        var demand = PanTilt.zero
        for index in servos.indices {
            let axis = servos[index].axis, unit = servos[index].speedUnit
            servos[index].store(servos[index].place(of: motors[axis]), at: 56)
            servos[index].store(Int((rate[axis] * series.countsPerRadian / unit).rounded()), at: 58)
            let said = FeetechServo.Goal(place: servos[index].word(42), top: servos[index].word(46))
            let goal = servos[index].late.admit(said, at: time, holds: servos[index].holds)
            let top = Double(goal.top) * unit / series.countsPerRadian
            guard servos[index].holds else { continue }
            if servos[index].isInSpeedMode {
                demand[axis] = top
                continue
            }
            let way = servos[index].angle(of: goal.place) - motors[axis]
            let most = goal.top == 0 ? .infinity : abs(top)
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
                write(Array(rest.dropFirst().prefix(length)), at: Int(place), to: listeners(id))
                rest = rest.dropFirst(length + 1)
            }
        case 0x82:
            // The older series does not support it.
            guard parameters.count > 2, series.isNewer else { return }
            for id in parameters[2...] { read(Int(parameters[0]), Int(parameters[1]), of: listeners(id)) }
        case 0x01: answerPing(packet.id)
        case 0x02:
            guard parameters.count == 2, packet.id != Self.everyone else { return }
            read(Int(parameters[0]), Int(parameters[1]), of: listeners(packet.id))
        case 0x03:
            guard let place = parameters.first else { return }
            let indices = listeners(packet.id)
            let answers = indices.filter { servos[$0].answersWrites }.map { answer(of: $0, []) }
            write(Array(parameters.dropFirst()), at: Int(place), to: indices)
            if packet.id != Self.everyone { said += SharedBus.overlaid(answers) }
        default: return
        }
    }

    /// A ping to all is answered by one id after the other in the newer series, and by all at once in the older one.
    private mutating func answerPing(_ id: UInt8) {
        let indices = listeners(id)
        guard id == Self.everyone, series.isNewer else {
            let answers = indices.map { answer(of: $0, []) }
            said += SharedBus.overlaid(answers)
            return
        }
        for turn in Set(indices.map { servos[$0].id }).sorted() {
            let answers = indices.filter { servos[$0].id == turn }.map { answer(of: $0, []) }
            said += SharedBus.overlaid(answers)
        }
    }

    private mutating func read(_ place: Int, _ count: Int, of indices: [Int]) {
        let answers = indices.filter { place + count <= servos[$0].memory.count }.map { index in
            answer(of: index, Array(servos[index].memory[place..<place + count]))
        }
        said += SharedBus.overlaid(answers)
    }

    private func answer(of index: Int, _ parameters: [UInt8]) -> [UInt8] {
        let body = [servos[index].id, UInt8(parameters.count + 2), errors] + parameters
        var sum = 0
        for byte in body { sum += Int(byte) }
        return [0xFF, 0xFF] + body + [UInt8(~sum & 0xFF)]
    }

    private mutating func write(_ bytes: [UInt8], at place: Int, to indices: [Int]) {
        for index in indices {
            for (offset, byte) in bytes.enumerated() { servos[index].write(byte, at: place + offset) }
        }
    }
}
