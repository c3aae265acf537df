/// The settings that FeeTech's servos keep (FeeTech's memory tables of the STS3215, V3.6, and of the SCS series).
extension FeetechProtocol {
    /// The last ID. The next one addresses all servos.
    var lastID: UInt8 { Self.broadcast - 1 }

    /// The speeds of the line by their codes (FeeTech's SDK). Older tables have 57,600, 38,400 and 19,200 as the last
    /// three, so that only the first five are certain.
    var speeds: [Int] { [1_000_000, 500_000, 250_000, 128_000, 115_200, 76_800, 57_600, 38_400] }
    var certainSpeeds: Int { 5 }

    func row(_ setting: StoredSetting) -> StoredRow? {
        switch setting {
        case .byteOrder: StoredRow(2, factory: isNewer ? 0 : 1)
        case .id: StoredRow(5, factory: 1)
        case .baud: StoredRow(6, factory: 0)
        case .returnDelay: StoredRow(7, factory: 0, scale: 2, unit: "µs")
        // 0: pings and reads are answered; 1: all instructions.
        case .statusLevel: StoredRow(8, factory: 1)
        // Most bits of this phase belong to the hardware, so that no number fits all models. Bit 2 is the unit of
        // speed: 50 positions per second, or 1.
        case .driveMode: isNewer ? StoredRow(18, factory: nil) : nil
        case .operatingMode: isNewer ? StoredRow(33, factory: 0) : nil
        case .lowestPosition: StoredRow(9, 2, factory: 0)
        case .highestPosition: StoredRow(11, 2, factory: Int(lastPosition))
        case .offset: isNewer ? StoredRow(31, 2, factory: 0, coding: .sign(bit: 11)) : nil
        case .highestTemperature: StoredRow(13, factory: nil, unit: "°C")
        case .lowestVoltage: StoredRow(15, factory: nil, scale: 0.1, unit: "V")
        case .highestVoltage: StoredRow(14, factory: nil, scale: 0.1, unit: "V")
        }
    }

    /// One part from the byte order to the mode, or to the torque limit in the older series.
    var storedParts: [ServoMemory] { [ServoMemory(address: 2, count: isNewer ? 32 : 16)] }

    /// The lock, at the address of the series: while it is not 0, settings are lost with the supply.
    var lock: ServoMemory? { ServoMemory(address: isNewer ? 55 : 48, count: 1) }

    func decode(_ bytes: [UInt8]) -> Int {
        (isNewer ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | Int($1) }
    }

    func encode(_ raw: Int, count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: raw >> (8 * $0)) }
        return isNewer ? bytes : bytes.reversed()
    }

    /// Returns a question after the identity, because the answer to a ping does not contain it.
    func ping(_ id: UInt8) -> [UInt8] { read(identity, of: id) }
    func pinged(_ parameters: [UInt8]) -> (model: UInt16, firmware: String)? { identified(parameters) }
    var pingOfAll: [UInt8] { Self.frame(.ping, to: Self.broadcast, []) }

    /// Returns nil: the errors are about the servo's state and not about the write.
    func refusal(_ answer: ServoPacket?) -> String? { nil }

    /// Compares the unit of speed with the profile's. A measured unit differs a little from the nominal one.
    func objections(toDriveMode number: Int) -> [ServoObjection] {
        let unit = number & 4 == 0 ? 50.0 : 1.0
        guard max(unit / speedUnit, speedUnit / unit) >= 5 else { return [] }
        return [
            ServoObjection(
                text: "counts speeds in units of \(RigProfile.words(unit)) positions per second, and the profile in "
                    + "units of \(RigProfile.words(speedUnit))",
                remedy: "set speed_unit_steps = \(RigProfile.words(unit)) in the options of the profile")
        ]
    }
}
