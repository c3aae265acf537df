/// The settings that were read from a servo's memory.
package struct StoredSettings: Sendable, Equatable {
    private var numbers: [StoredSetting: Int] = [:]

    package init() {}

    /// The number of a setting, or nil if it was not read or the family does not have it.
    package subscript(_ setting: StoredSetting) -> Int? { numbers[setting] }

    /// Adds that a servo answers pings and no reads, if its family has such a status level. It is the lowest of three.
    mutating func inferLowestLevel(by bus: any ServoProtocol) {
        if bus.row(.statusLevel)?.factory == 2 { numbers[.statusLevel] = 0 }
    }

    /// Returns the settings among `wanted` that a servo of this family has changed since it left the factory, and that
    /// have one factory setting for all models.
    package func changed(_ wanted: [StoredSetting], in family: ServoFamily) -> [StoredSetting: Int] {
        var numbers: [StoredSetting: Int] = [:]
        for setting in wanted {
            guard let factory = family.factory(setting), let number = self[setting], number != factory else { continue }
            numbers[setting] = factory
        }
        return numbers
    }

    /// Adds the settings that a part of the memory contains.
    mutating func read(_ bytes: [UInt8], of part: ServoMemory, by bus: any ServoProtocol) {
        for setting in StoredSetting.allCases {
            guard let row = bus.row(setting), row.memory.address >= part.address else { continue }
            let start = Int(row.memory.address - part.address), end = start + row.memory.count
            guard end <= bytes.count else { continue }
            numbers[setting] = row.number(bus.decode(Array(bytes[start..<end])))
        }
    }
}

extension ServoProtocol {
    /// Returns a number of a setting in words: a speed of the line in bits per second, other numbers in their units.
    func words(_ number: Int, of setting: StoredSetting) -> String {
        if setting == .baud { return speeds.indices.contains(number) ? "\(speeds[number]) baud" : "code \(number)" }
        guard let kept = row(setting), kept.scale != 1 || !kept.unit.isEmpty else { return String(number) }
        return RigProfile.words(Double(number) * kept.scale) + (kept.unit.isEmpty ? "" : " " + kept.unit)
    }
}
