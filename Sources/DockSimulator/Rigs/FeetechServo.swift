package import Geometry

/// One FeeTech servo: its memory, the part of it that is kept without a supply, and its goal.
///
/// Implements the memory tables of the STS3215 (V3.6) and of the SCS series.
package struct FeetechServo: BusServo {
    package static let modeAddress = 33
    /// A position (a speed, in speed mode), and the speed toward it, positions and positions per second.
    struct Goal: Equatable, Sendable { var place: Int, top: Int }

    /// The first address that is lost without a supply, and the first one that only the servo itself writes.
    static let volatile = 40, measured = 56
    /// The speeds of the line by their codes, bits per second (FeeTech's SDK).
    static let bauds = [1_000_000, 500_000, 250_000, 128_000, 115_200, 76_800, 57_600, 38_400]
    /// The id with which it leaves the factory.
    static let newID: UInt8 = 1

    var late: LateGoal<Goal>
    private(set) var memory = [UInt8](repeating: 0, count: 128)
    /// The addresses that are kept without a supply.
    private var kept = [UInt8](repeating: 0, count: volatile)
    /// Number of writes to these addresses so far.
    private(set) var wear = 0
    package let axis: Axis
    let series: FeetechSeries
    /// Its position when the head looks straight ahead, without a position correction.
    let middle: Double

    init(axis: Axis, series: FeetechSeries, middle: Double, delay: Seconds) {
        self.axis = axis
        self.series = series
        self.middle = middle
        late = LateGoal(delay: delay)
        makeNew()
    }

    /// Resets the memory to the state in which the servo leaves the factory.
    package mutating func makeNew() {
        kept = [UInt8](repeating: 0, count: Self.volatile)
        (kept[0], kept[1], kept[2]) = (3, 10, series.isNewer ? 0 : 1)
        (kept[5], kept[8]) = (Self.newID, 1)
        kept.replaceSubrange(3...4, with: series.bytes(series.model))
        kept.replaceSubrange(11...12, with: series.bytes(series.last))
        (kept[13], kept[14], kept[15]) = (70, series.isNewer ? 80 : 250, series.isNewer ? 40 : 50)
        kept.replaceSubrange(16...17, with: series.bytes(1000))
        // The newer series counts speeds in positions per second, and 0 is the highest one.
        if series.isNewer { (kept[18], kept[30]) = (12, 1) }
        start()
    }

    /// Starts, as when the supply returns: the torque is off, and everything that was not kept is lost.
    mutating func start() {
        memory = kept + [UInt8](repeating: 0, count: memory.count - Self.volatile)
        if series.isNewer {
            (memory[48], memory[49]) = (kept[16], kept[17])
            memory[55] = 1
        }
        store(Int(middle), at: 42)
        (memory[62], memory[63]) = (74, 31)
    }

    // MARK: memory

    /// Writes what the servo measures.
    mutating func store(_ value: Int, at place: Int) {
        memory.replaceSubrange(place...place + 1, with: series.bytes(value))
    }

    /// A word of sign and magnitude.
    func word(_ place: Int) -> Int {
        let raw = unsigned(place)
        return raw & 0x8000 != 0 ? -(raw & 0x7FFF) : raw
    }

    private func unsigned(_ place: Int) -> Int {
        let first = Int(memory[place]), second = Int(memory[place + 1])
        return series.isNewer ? first | second << 8 : second | first << 8
    }

    /// Writes a byte as the host asks. Under the lock, a setting takes effect and is lost with the supply.
    mutating func write(_ byte: UInt8, at place: Int) {
        // Version numbers and measurements are read-only.
        guard (5..<Self.measured).contains(place) else { return }
        memory[place] = byte
        guard place < Self.volatile, memory[series.lock] == 0 else { return }
        kept[place] = byte
        wear += 1
    }

    /// Puts a byte into both memories, as another program might have done before.
    package mutating func put(_ byte: UInt8, at place: Int) {
        memory[place] = byte
        if place < Self.volatile { kept[place] = byte }
    }

    /// The byte that the servo has after its supply returns; nil beyond the part that is kept.
    package func stored(at place: Int) -> UInt8? { kept.indices.contains(place) ? kept[place] : nil }

    // MARK: what the settings mean

    package var id: UInt8 { memory[5] }
    /// The speed of its line, bits per second. A code that does not exist counts as the factory's.
    package var baud: Int { Self.bauds.indices.contains(Int(memory[6])) ? Self.bauds[Int(memory[6])] : Self.bauds[0] }
    /// Whether it answers writes. It always answers pings and reads.
    var answersWrites: Bool { memory[8] != 0 }
    var holds: Bool { memory[40] == 1 }
    var isInSpeedMode: Bool { memory[33] == 1 }
    /// The positions per second in one unit of speed: bit 2 of the phase selects the unit in the newer series.
    var speedUnit: Double { series.isNewer && memory[18] & 4 == 0 ? 50 : 1 }

    /// The correction that it subtracts from its positions; bit 11 is the sign. The SCS series has none.
    private var correction: Int {
        guard series.isNewer else { return 0 }
        let raw = unsigned(31)
        return raw & 0x800 != 0 ? -(raw & 0x7FF) : raw & 0x7FF
    }

    /// The position that it reports at this angle of its motor, rad.
    func place(of angle: Double) -> Int {
        Int((middle + angle * series.countsPerRadian).rounded()) - correction
    }

    /// The angle to which it turns for a goal, rad. Its limits apply unless both are 0.
    func angle(of goal: Int) -> Double {
        let low = word(9), high = word(11)
        let place = low == 0 && high == 0 || low > high ? goal : min(max(goal, low), high)
        return (Double(place + correction) - middle) / series.countsPerRadian
    }
}
