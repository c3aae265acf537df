/// The settings that the X series keeps (ROBOTIS e-Manual, XL330-M288 and XL430-W250).
extension DynamixelProtocol {
    /// The last ID.
    var lastID: UInt8 { 252 }

    /// The speeds of the line by their codes. The XL330 does not have the last one.
    var speeds: [Int] { [9600, 57_600, 115_200, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 4_500_000] }
    var certainSpeeds: Int { 7 }

    func row(_ setting: StoredSetting) -> StoredRow? {
        switch setting {
        case .byteOrder: nil
        case .id: StoredRow(7, factory: 1)
        case .baud: StoredRow(8, factory: 1)
        case .returnDelay: StoredRow(9, factory: 250, scale: 2, unit: "µs")
        // 0: only pings are answered; 1: also reads; 2: all instructions.
        case .statusLevel: StoredRow(68, factory: 2)
        // Bit 0 reverses the direction, bit 2 makes profiles of times, bit 3 switches the torque on with every goal.
        case .driveMode: StoredRow(10, factory: 0)
        case .operatingMode: StoredRow(11, factory: 3)
        case .lowestPosition: StoredRow(52, 4, factory: 0)
        case .highestPosition: StoredRow(48, 4, factory: 4095)
        case .offset: StoredRow(20, 4, factory: 0, coding: .twosComplement)
        case .highestTemperature: StoredRow(31, factory: nil, unit: "°C")
        case .lowestVoltage: StoredRow(34, 2, factory: nil, scale: 0.1, unit: "V")
        case .highestVoltage: StoredRow(32, 2, factory: nil, scale: 0.1, unit: "V")
        }
    }

    /// From the id to the lowest position, and the status level with its neighbour. No other answer has these sizes.
    var storedParts: [ServoMemory] { [ServoMemory(address: 7, count: 49), ServoMemory(address: 68, count: 2)] }

    /// Nil: settings are locked only while the servo holds.
    var lock: ServoMemory? { nil }

    func decode(_ bytes: [UInt8]) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
    func encode(_ raw: Int, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: raw >> (8 * $0)) }
    }

    func ping(_ id: UInt8) -> [UInt8] { Self.frame(.ping, to: id, []) }
    /// Reads the model and the firmware in the answer to a ping.
    func pinged(_ parameters: [UInt8]) -> (model: UInt16, firmware: String)? {
        parameters.count < 3 ? nil : (UInt16(parameters[0]) | UInt16(parameters[1]) << 8, "\(parameters[2])")
    }
    var pingOfAll: [UInt8] { ping(Self.broadcast) }

    func refusal(_ answer: ServoPacket?) -> String? {
        switch (answer?.errors ?? 0) & 0x7F {
        case 0: nil
        case 4: "it is out of range"
        case 6: "it is beyond a limit"
        case 7: "the servo holds, or the setting is read-only"
        case let error: "error \(error)"
        }
    }

    func objections(toDriveMode number: Int) -> [ServoObjection] {
        var found: [ServoObjection] = []
        if number & 4 != 0 {
            found.append(
                ServoObjection(
                    text: "has a time-based profile, so that it would take a speed for a time", forbidsMotion: true))
        }
        if number & 8 != 0 {
            found.append(
                ServoObjection(
                    text: "switches its torque on with every goal, before its limits are set", forbidsMotion: true))
        }
        return found
    }
}
