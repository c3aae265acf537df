internal import Geometry

/// The memory table and units of FeeTech's servos (STS3215 and SCS0009; addresses as in FeeTech's memory tables).
struct FeetechProtocol: ServoProtocol {
    /// Whether the series is little-endian and has the newer table; false for the SCS series.
    let isNewer: Bool
    /// The number of positions per second in one unit of speed.
    let speedUnit: Double

    init(profile: RigProfile) {
        isNewer = profile.options["scs"] != 1
        speedUnit = profile.options["speed_unit_steps"] ?? 1
    }

    var countsPerTurn: Double { isNewer ? 4096 : 1024 * 360 / 300 }
    var lastPosition: Double { isNewer ? 4095 : 1023 }
    /// The highest value of fifteen bits, in units of speed.
    var mostSpeed: Double { 32767 * speedUnit }
    let bauds = 19200...1_000_000

    let identity = ServoMemory(address: 0, count: 5)
    let torque = ServoMemory(address: 40, count: 1)
    /// The position, time (0 means by speed), speed.
    let goal = ServoMemory(address: 42, count: 6)
    /// The position, speed, load (two bytes each), supply, temperature.
    let feedback = ServoMemory(address: 56, count: 8)

    func identified(_ bytes: [UInt8]) -> (model: UInt16, firmware: String)? {
        bytes.count < 5 ? nil : (word(bytes[3..<5]), "\(bytes[0]).\(bytes[1])")
    }

    func name(ofModel number: UInt16) -> String {
        switch number {
        case 777: "STS3215"
        case 2825: "STS3250"
        case 1284: "SCS0009"
        default: "FeeTech \(number)"
        }
    }

    /// The value 0 means position mode. The SCS series has no other mode at this address.
    var mode: ServoWrite? { isNewer ? ServoWrite(ServoMemory(address: 33, count: 1), [0]) : nil }
    /// The writes unlock the memory that survives without a supply, and lock it again.
    var modeChange: [ServoWrite] {
        guard let mode, let lock else { return [] }
        return [ServoWrite(lock, [0]), mode, ServoWrite(lock, [1])]
    }

    func settings(_ axis: RigProfile.AxisProfile) -> [ServoWrite] {
        // The value is in units of 0.1 % of the stall torque.
        let torque = UInt16((axis.maxTorque * 10).clamped(to: 0...1000))
        guard isNewer else {
            // The SCS series has its only limit in the memory that survives without a supply. While the lock is on, a
            // value written there applies at once and is lost with the supply: the memory does not wear out, and the
            // next user finds the servo unchanged.
            return [
                ServoWrite(ServoMemory(address: 48, count: 1), [1]),
                ServoWrite(ServoMemory(address: 16, count: 2), bytes(torque)),
            ]
        }
        // The value is in units of 100 positions/s².
        let acceleration = (axis.maxAcceleration * countsPerTurn / (2 * .pi) / 100).rounded(.up).clamped(to: 1...254)
        return [
            // A change of the mode that was interrupted has left the lock open.
            ServoWrite(ServoMemory(address: 55, count: 1), [1]),
            ServoWrite(ServoMemory(address: 48, count: 2), bytes(torque)),
            ServoWrite(ServoMemory(address: 41, count: 1), [UInt8(acceleration)]),
        ]
    }

    func goalBytes(_ position: Double, speed: Double) -> [UInt8] {
        // A value of 0 would mean as fast as possible.
        let units = UInt16((speed / speedUnit).rounded(.up).clamped(to: 1...32767))
        return bytes(UInt16(position.rounded().clamped(to: 0...lastPosition))) + bytes(0) + bytes(units)
    }

    var slowest: ServoWrite { ServoWrite(ServoMemory(address: 46, count: 2), bytes(1)) }

    func reading(_ bytes: [UInt8]) -> ServoReading? {
        guard bytes.count >= feedback.count else { return nil }
        return ServoReading(
            position: Double(Self.signed(word(bytes[0..<2]))),
            rate: Double(Self.signed(word(bytes[2..<4]))) * speedUnit, voltage: Double(bytes[6]) / 10)
    }

    let faultDetail: ServoMemory? = nil
    /// Decodes the bits of a status packet (FeeTech's SDK): 1 voltage, 2 angle, 4 heat, 8 current, 32 load. A low
    /// supply does not latch.
    func fault(_ errors: UInt8, detail: UInt8?) -> DockFault? {
        errors & 4 != 0 ? .overTemperature : errors & 40 != 0 ? .stall : errors & 2 != 0 ? .device : nil
    }

    /// Returns nothing, because the servo releases a fault by itself when its cause is over.
    func recovery(of id: UInt8) -> [UInt8] { [] }

    // MARK: numbers

    /// Returns two bytes in the order of this series.
    func bytes(_ value: UInt16) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: value), high = UInt8(truncatingIfNeeded: value >> 8)
        return isNewer ? [low, high] : [high, low]
    }

    func word(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        guard bytes.count == 2, let first = bytes.first, let last = bytes.last else { return 0 }
        return isNewer ? UInt16(first) | UInt16(last) << 8 : UInt16(last) | UInt16(first) << 8
    }

    /// Converts a word of sign and magnitude; the top bit means backwards.
    static func signed(_ word: UInt16) -> Int {
        let size = Int(word & 0x7FFF)
        return word & 0x8000 == 0 ? size : -size
    }
}
