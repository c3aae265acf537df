package import Geometry

/// One Dynamixel X servo: its control table, the part of it that is kept without a supply, and its goal.
///
/// Implements the e-Manual of the XL330-M288.
package struct DynamixelServo: BusServo {
    package static let modeAddress = 11
    /// A goal position, the speed toward it (or the time for it), and the speed in speed mode, all in the table's
    /// units.
    struct Goal: Equatable, Sendable { var place: Int, top: Int, speed: Int }

    /// The errors of a status packet: none, a value out of range, a goal beyond a limit, and no access.
    enum Problem: UInt8 { case ok = 0, range = 4, limit = 6, access = 7 }

    /// The first address that is lost without a supply, and the first one that only the servo itself writes.
    static let volatile = 64, measured = 126
    /// The speeds of the line by their codes, bits per second.
    static let bauds = [9600, 57_600, 115_200, 1_000_000, 2_000_000, 3_000_000, 4_000_000]
    static let countsPerRadian = 4096 / (2 * Double.pi)
    /// 0.229 turns a minute.
    static let velocityUnit = 0.229 * 2 * Double.pi / 60
    /// The id with which it leaves the factory.
    static let newID: UInt8 = 1

    var late: LateGoal<Goal>
    private(set) var table = [UInt8](repeating: 0, count: 160)
    /// The addresses that are kept without a supply.
    private var kept = [UInt8](repeating: 0, count: volatile)
    package let axis: Axis
    /// Its position when the head looks straight ahead, without an offset.
    let middle: Double
    /// Time of the last packet on the bus, for the watchdog.
    var heardAt: Seconds = 0
    /// After a reboot it answers from this time on.
    var answersFrom: Seconds = 0

    init(axis: Axis, middle: Double, delay: Seconds) {
        self.axis = axis
        self.middle = middle
        late = LateGoal(delay: delay)
        makeNew()
    }

    /// Resets the table to the state in which the servo leaves the factory.
    package mutating func makeNew() {
        kept = [UInt8](repeating: 0, count: Self.volatile)
        let rows: [(place: Int, count: Int, value: Int)] = [
            (0, 2, 1200), (6, 1, 52), (7, 1, Int(Self.newID)), (8, 1, 1), (9, 1, 250), (11, 1, 3), (12, 1, 255),
            (13, 1, 2), (24, 4, 10), (31, 1, 70), (32, 2, 70), (34, 2, 35), (36, 2, 885), (38, 2, 1750), (44, 4, 445),
            (48, 4, 4095), (62, 1, 140), (63, 1, 53),
        ]
        for row in rows {
            for index in 0..<row.count {
                kept[row.place + index] = UInt8(truncatingIfNeeded: row.value >> (8 * index))
            }
        }
        start()
    }

    /// Starts, as when the supply returns or after a reboot: the torque is off, and everything that is not kept is
    /// lost.
    mutating func start() {
        let position = number(132, 4)
        table = kept + [UInt8](repeating: 0, count: table.count - Self.volatile)
        table[68] = 2
        store(number(36, 2), at: 100, 2)
        store(Int(middle), at: 116, 4)
        store(position, at: 132, 4)
        store(50, at: 144, 2)
        table[146] = 30
    }

    // MARK: the table

    mutating func store(_ value: Int, at place: Int, _ count: Int) {
        for index in 0..<count { table[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    func number(_ place: Int, _ count: Int) -> Int {
        var value = 0
        for index in 0..<count { value |= Int(table[place + index]) << (8 * index) }
        let top = 1 << (8 * count - 1)
        return value & top == 0 ? value : value - 2 * top
    }

    /// Writes bytes as the host asks. Either all of them are written or none.
    mutating func write(_ bytes: [UInt8], at place: Int) -> Problem {
        let problem = refusal(of: bytes, at: place)
        guard problem == .ok else { return problem }
        let isGoal = place <= 116 && place + bytes.count >= 120
        for (offset, byte) in bytes.enumerated() { put(byte, at: place + offset) }
        // Torque on by goal update.
        if isGoal, table[10] & 8 != 0, table[70] == 0 { table[64] = 1 }
        return .ok
    }

    private func refusal(of bytes: [UInt8], at place: Int) -> Problem {
        let end = place + bytes.count
        // Model, firmware and measurements are read-only.
        guard place >= 7, end <= Self.measured else { return .access }
        // The EEPROM area is locked while the servo holds, and goals are locked while the watchdog has tripped.
        if place < Self.volatile, holds { return .access }
        if hasTripped, place >= 100 { return .access }
        // After a shutdown by an error it does not hold before a reboot.
        if place == 64, bytes.first == 1, table[70] != 0 { return .access }
        func new(_ address: Int) -> UInt8? {
            bytes.indices.contains(address - place) ? bytes[address - place] : nil
        }
        let id = new(7) ?? 0, baud = Int(new(8) ?? 0), level = new(68) ?? 0
        guard id <= 252, baud < Self.bauds.count, level <= 2 else { return .range }
        guard place <= 116, end >= 120 else { return .ok }
        var goal = 0
        for index in 0..<4 { goal |= Int(new(116 + index) ?? 0) << (8 * index) }
        let isInside = (number(52, 4)...max(number(52, 4), number(48, 4))).contains(goal)
        return isInSpeedMode || isInside ? .ok : .limit
    }

    /// Puts a byte into both memories, as another program might have done before.
    package mutating func put(_ byte: UInt8, at place: Int) {
        table[place] = byte
        if place < Self.volatile { kept[place] = byte }
    }

    /// The byte that the servo has after its supply returns; nil beyond the part that is kept.
    package func stored(at place: Int) -> UInt8? { kept.indices.contains(place) ? kept[place] : nil }

    // MARK: what the settings mean

    package var id: UInt8 { table[7] }
    /// The speed of its line, bits per second. A code that does not exist counts as the factory's.
    package var baud: Int { Self.bauds.indices.contains(Int(table[8])) ? Self.bauds[Int(table[8])] : 57_600 }
    /// 0: it answers pings only; 1: also reads; 2: all instructions.
    var statusLevel: UInt8 { table[68] }
    var holds: Bool { table[64] == 1 }
    var hasTripped: Bool { table[98] == 0xFF }
    var isInSpeedMode: Bool { table[11] == 1 }

    private var sense: Double { table[10] & 1 == 0 ? 1 : -1 }
    /// The homing offset. In position mode, one beyond a quarter of a turn has no effect.
    private var offset: Double { abs(number(20, 4)) <= 1024 ? Double(number(20, 4)) : 0 }

    /// The position that it reports at this angle of its motor, rad.
    func place(of angle: Double) -> Int { Int((middle + sense * angle * Self.countsPerRadian + offset).rounded()) }

    /// The angle to which it turns for a goal, rad.
    func angle(of goal: Int) -> Double { sense * (Double(goal) - offset - middle) / Self.countsPerRadian }

    /// The highest speed on a way of this length, rad and rad/s. In a time-based profile, the number is the time for
    /// the way in milliseconds.
    func speed(_ number: Int, for way: Double) -> Double {
        guard number != 0 else { return .infinity }
        return table[10] & 4 != 0 ? abs(way) * 1000 / Double(abs(number)) : Double(abs(number)) * Self.velocityUnit
    }
}
