/// Two sectors of memory that is erased in large blocks and written in words.
protocol Flash {
    /// Words in a sector.
    var words: Int { get }
    func word(_ index: Int, of sector: Int) -> UInt32
    /// Writes an erased word. Returns false if the memory did not store it.
    mutating func write(_ word: UInt32, at index: Int, of sector: Int) -> Bool
    mutating func erase(_ sector: Int) -> Bool
}

/// A board without flash.
struct NoFlash: Flash {
    var words: Int { 0 }
    func word(_ index: Int, of sector: Int) -> UInt32 { .max }
    mutating func write(_ word: UInt32, at index: Int, of sector: Int) -> Bool { false }
    mutating func erase(_ sector: Int) -> Bool { false }
}

/// Stores one record: the newest that was written completely, across any loss of power.
///
/// Records are appended. The other sector is erased only at boot, because erasing takes longer than the watchdog's
/// timeout, and while the newest record is still in this sector.
struct RecordLog<Memory: Flash> {
    typealias Record = InlineArray<13, UInt32>
    /// Size of a slot in words: number, record, checksum.
    static var size: Int { 15 }
    /// Number of slots that must be free at boot for one run's SAVEs. Otherwise the other sector is started.
    static var room: Int { 32 }

    private(set) var memory: Memory
    private(set) var newest: Record?
    private var number: UInt32 = 0
    private var sector = 0
    private var next = 0

    init(_ memory: Memory) {
        self.memory = memory
        for candidate in 0..<2 { search(candidate) }
    }

    private var slots: Int { memory.words / Self.size }

    private mutating func search(_ candidate: Int) {
        var end = 0
        var holdsNewest = false
        for slot in 0..<slots {
            if !isErased(slot, of: candidate) { end = slot + 1 }
            guard let (number, record) = read(slot, of: candidate) else { continue }
            guard newest == nil || Int32(bitPattern: number &- self.number) > 0 else { continue }
            newest = record
            self.number = number
            holdsNewest = true
        }
        if holdsNewest || newest == nil && candidate == 0 {
            sector = candidate
            next = end
        }
    }

    /// Makes room, then writes a record. Only allowed at boot.
    mutating func begin(with record: Record) -> Bool {
        if slots - next < Self.room {
            guard memory.erase(1 - sector) else { return false }
            sector = 1 - sector
            next = 0
        }
        return append(record)
    }

    /// Appends a record. Returns false if there is no room or the memory did not store it.
    mutating func append(_ record: Record) -> Bool {
        guard next < slots else { return false }
        let start = next * Self.size
        next += 1
        let written = number &+ 1
        guard memory.write(written, at: start, of: sector) else { return false }
        for index in record.indices {
            guard memory.write(record[index], at: start + 1 + index, of: sector) else { return false }
        }
        guard memory.write(Self.checksum(written, record), at: start + Self.size - 1, of: sector) else { return false }
        number = written
        newest = record
        return true
    }

    private func isErased(_ slot: Int, of sector: Int) -> Bool {
        for index in 0..<Self.size where memory.word(slot * Self.size + index, of: sector) != .max { return false }
        return true
    }

    private func read(_ slot: Int, of sector: Int) -> (UInt32, Record)? {
        let start = slot * Self.size
        let number = memory.word(start, of: sector)
        var record = Record(repeating: 0)
        for index in record.indices { record[index] = memory.word(start + 1 + index, of: sector) }
        guard memory.word(start + Self.size - 1, of: sector) == Self.checksum(number, record) else { return nil }
        return (number, record)
    }

    /// FNV-1a over words. Erased slots and slots of zeros do not match it.
    private static func checksum(_ number: UInt32, _ record: Record) -> UInt32 {
        var sum = (2_166_136_261 ^ number) &* 16_777_619
        for index in record.indices { sum = (sum ^ record[index]) &* 16_777_619 }
        return sum ^ sum >> 15
    }
}
