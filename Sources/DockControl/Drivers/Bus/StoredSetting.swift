/// A setting in a servo's memory that decides whether the servo fits a rig, whichever its family.
///
/// Servos keep these settings without a supply, with one exception: a Dynamixel forgets its status level.
package enum StoredSetting: String, Sendable, CaseIterable {
    /// The order of the bytes of a word: 0 low byte first, 1 high byte first.
    case byteOrder
    /// The number on the bus.
    case id
    /// The code of the line's speed.
    case baud
    /// How long the servo waits before it answers.
    case returnDelay
    /// Which instructions the servo answers.
    case statusLevel
    /// The direction of rotation, and the meaning of speeds.
    case driveMode
    /// What the servo follows: positions, speeds or other quantities.
    case operatingMode
    /// The lowest position to which the servo turns.
    case lowestPosition
    /// The highest position to which the servo turns.
    case highestPosition
    /// The shift of the servo's positions.
    case offset
    /// The temperature above which the servo protects itself.
    case highestTemperature
    /// The supply below which the servo protects itself.
    case lowestVoltage
    /// The supply above which the servo protects itself.
    case highestVoltage

    /// The name for people.
    package var name: String {
        switch self {
        case .byteOrder: "byte order"
        case .id: "id"
        case .baud: "speed of the line"
        case .returnDelay: "return delay"
        case .statusLevel: "status level"
        case .driveMode: "drive mode"
        case .operatingMode: "operating mode"
        case .lowestPosition: "lowest position"
        case .highestPosition: "highest position"
        case .offset: "offset"
        case .highestTemperature: "highest temperature"
        case .lowestVoltage: "lowest voltage"
        case .highestVoltage: "highest voltage"
        }
    }

    /// The settings that a reset writes unless more are named: those that other programs change for their own rigs. A
    /// servo without its id or its speed would be lost on the bus.
    package static let resettable: [StoredSetting] = [
        .lowestPosition, .highestPosition, .offset, .driveMode, .operatingMode, .statusLevel, .returnDelay,
    ]
}

/// Where a family of servos keeps a setting, and how.
struct StoredRow: Sendable, Equatable {
    /// How a number is coded.
    enum Coding: Sendable, Equatable {
        /// Without a sign.
        case unsigned
        /// As two's complement.
        case twosComplement
        /// As an amount, with this bit as the sign.
        case sign(bit: Int)
    }

    var memory: ServoMemory
    /// The number with which the servo leaves the factory, or nil if it depends on the model.
    var factory: Int?
    var coding = Coding.unsigned
    /// The size of one unit, and its name for people.
    var scale = 1.0, unit = ""

    init(
        _ address: UInt16, _ count: Int = 1, factory: Int?, coding: Coding = .unsigned, scale: Double = 1,
        unit: String = ""
    ) {
        memory = ServoMemory(address: address, count: count)
        self.factory = factory
        self.coding = coding
        self.scale = scale
        self.unit = unit
    }

    /// Returns the number that the raw value of its bytes means.
    func number(_ raw: Int) -> Int {
        switch coding {
        case .unsigned: return raw
        case .twosComplement:
            let top = 1 << (8 * memory.count - 1)
            return raw & top == 0 ? raw : raw - 2 * top
        case .sign(let bit):
            let amount = raw & (1 << bit - 1)
            return raw & 1 << bit == 0 ? amount : -amount
        }
    }

    /// Returns the raw value of its bytes for a number.
    func raw(_ number: Int) -> Int {
        switch coding {
        case .unsigned: number
        case .twosComplement: number & (1 << (8 * memory.count) - 1)
        case .sign(let bit): abs(number) & (1 << bit - 1) | (number < 0 ? 1 << bit : 0)
        }
    }
}
