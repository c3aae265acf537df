internal import Geometry

/// The control table and units of the X series (ROBOTIS e-Manual, XL330-M288 and XL430-W250; the addresses are the
/// same).
struct DynamixelProtocol: ServoProtocol {
    init(profile: RigProfile) {}

    let countsPerTurn = 4096.0
    let lastPosition = 4095.0
    let mostSpeed = 32767 * velocityUnit
    let bauds = 9600...4_500_000
    /// One unit of velocity, 0.229 turns per minute, in positions per second.
    static let velocityUnit = 0.229 / 60 * 4096

    /// Model number to firmware.
    let identity = ServoMemory(address: 0, count: 7)
    let torque = ServoMemory(address: 64, count: 1)
    /// Profile velocity, goal position.
    let goal = ServoMemory(address: 112, count: 8)
    /// The current, velocity, position, trajectories, supply, temperature.
    let feedback = ServoMemory(address: 126, count: 21)
    /// Details of the alert bit of an answer.
    let faultDetail: ServoMemory? = ServoMemory(address: 70, count: 1)
    private let watchdog = ServoMemory(address: 98, count: 1)

    func identified(_ bytes: [UInt8]) -> (model: UInt16, firmware: String)? {
        bytes.count < 7 ? nil : (UInt16(bytes[0]) | UInt16(bytes[1]) << 8, "\(bytes[6])")
    }

    func name(ofModel number: UInt16) -> String {
        switch number {
        case 1060: "XL430-W250"
        case 1190: "XL330-M077"
        case 1200: "XL330-M288"
        default: "Dynamixel \(number)"
        }
    }

    /// The value 3 means position mode, within one turn.
    var mode: ServoWrite? { ServoWrite(ServoMemory(address: 11, count: 1), [3]) }
    var modeChange: [ServoWrite] { [mode].compactMap { $0 } }

    /// The value is 12 units of 20 ms.
    var watchdogTime: Seconds? { 0.24 }

    func settings(_ axis: RigProfile.AxisProfile) -> [ServoWrite] {
        // The value is out of 885, the full output. In position mode this is the limit.
        let output = UInt16((axis.maxTorque * 8.85).clamped(to: 0...885))
        return [
            // A watchdog that has tripped blocks the goals, and 0 releases it. It is then set to 240 ms, because the
            // feedback is requested at least ten times a second.
            ServoWrite(watchdog, [0]), ServoWrite(watchdog, [12]),
            ServoWrite(ServoMemory(address: 100, count: 2), Self.bytes(Int32(output), 2)),
            // Ramps are off, because the positions that arrive already follow one.
            ServoWrite(ServoMemory(address: 108, count: 4), Self.bytes(0, 4)),
        ]
    }

    func goalBytes(_ position: Double, speed: Double) -> [UInt8] {
        // A value of 0 would mean as fast as possible.
        let velocity = Int32((speed / Self.velocityUnit).rounded(.up).clamped(to: 1...32767))
        return Self.bytes(velocity, 4) + Self.bytes(Int32(position.rounded().clamped(to: 0...lastPosition)), 4)
    }

    var slowest: ServoWrite { ServoWrite(ServoMemory(address: 112, count: 4), Self.bytes(1, 4)) }

    func reading(_ bytes: [UInt8]) -> ServoReading? {
        guard bytes.count >= feedback.count else { return nil }
        return ServoReading(
            position: Double(Self.number(bytes[6..<10])), rate: Double(Self.number(bytes[2..<6])) * Self.velocityUnit,
            voltage: Double(UInt16(bytes[18]) | UInt16(bytes[19]) << 8) / 10)
    }

    /// Decodes the hardware error status: 1 supply, 4 heat, 8 encoder, 16 shock, 32 overload.
    func fault(_ errors: UInt8, detail: UInt8?) -> DockFault? {
        guard errors & 0x80 != 0, let detail else { return nil }
        return detail & 4 != 0 ? .overTemperature : detail & 32 != 0 ? .stall : .device
    }

    /// Returns a reboot: the servo switches its motor off by itself, and holds again after a reboot.
    func recovery(of id: UInt8) -> [UInt8] { Self.frame(.reboot, to: id, []) }

    // MARK: numbers

    static func bytes(_ value: Int32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * Int32($0))) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int32 {
        var value: UInt32 = 0
        for (index, byte) in bytes.prefix(4).enumerated() { value |= UInt32(byte) << (8 * UInt32(index)) }
        return Int32(bitPattern: value)
    }
}
