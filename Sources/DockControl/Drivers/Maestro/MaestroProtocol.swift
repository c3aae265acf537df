internal import Geometry

/// Commands of Pololu's Maestro servo controllers (User's Guide 0J40, section 5): a command byte above 7F, data bytes
/// below 80. An answer has no frame around it: each question has an answer of a known length.
struct MaestroProtocol: Sendable {
    /// Whether the Maestro expects a checksum after each command. Its answers have none.
    let hasCRC: Bool
    /// The number of a Maestro that shares a line with others; 12 by default.
    let device: UInt8

    /// Requests the errors: two bytes, low byte first. The Maestro then clears them; nothing else changes.
    var getErrors: [UInt8] { command([0xA1]) }
    /// The same request for a Maestro that has not detected the line's speed yet: it detects the speed from the first
    /// byte.
    var getErrorsOfDevice: [UInt8] { command([0xAA, device, 0x21]) }

    /// Requests the width of the present pulses: two bytes, low byte first; 0 means no pulses.
    func getPosition(_ channel: UInt8) -> [UInt8] { command([0x90, channel]) }

    /// Sets the pulse width in quarters of a microsecond; 0 means no pulses, and the servo is limp.
    func setTarget(_ channel: UInt8, _ pulse: UInt16) -> [UInt8] { command([0x84, channel] + Self.data(pulse)) }

    /// Sets the speed limit, in units of 0.25 us per 10 ms; 0 means no limit.
    func setSpeed(_ channel: UInt8, _ speed: UInt16) -> [UInt8] { command([0x87, channel] + Self.data(speed)) }

    /// Sets the acceleration limit, in units of 0.25 us per 10 ms, gained in 80 ms; 0 means no limit.
    func setAcceleration(_ channel: UInt8, _ acceleration: UInt16) -> [UInt8] {
        command([0x89, channel] + Self.data(acceleration))
    }

    private func command(_ bytes: [UInt8]) -> [UInt8] { hasCRC ? bytes + [Self.crc(bytes)] : bytes }

    /// Encodes 14 bits, the lower seven first.
    static func data(_ value: UInt16) -> [UInt8] { [UInt8(value & 0x7F), UInt8(value >> 7 & 0x7F)] }

    /// Returns the CRC-7 with the polynomial 91 (hex), lowest bit first.
    static func crc(_ bytes: some Sequence<UInt8>) -> UInt8 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ byte) { rest, _ in (rest & 1 == 1 ? rest ^ 0x91 : rest) >> 1 }
        }
    }

    /// Returns the names of the errors in the bits of `getErrors`. It is nil if they are not an answer to it, because
    /// only nine bits exist.
    static func errors(_ bits: UInt16) -> [String]? {
        guard bits < 512 else { return nil }
        let names = [
            "signal", "overrun", "buffer full", "CRC", "protocol", "timeout", "script stack", "call stack",
            "program counter",
        ]
        return names.enumerated().filter { bits >> UInt16($0.offset) & 1 == 1 }.map(\.element)
    }
}

/// One servo on a Maestro: its channel, and the conversion between pulses and angles.
struct MaestroChannel: Sendable, Equatable {
    let axis: Axis
    let number: UInt8
    /// The pulse width at the centre of the axis, in quarters of a microsecond.
    let center: Double
    /// The number of quarters of a microsecond per radian; negative if the servo turns the other way.
    let perRadian: Double
    /// The profile's limits in the Maestro's units. They are rounded up, because the streamed positions already obey
    /// them.
    let speed: UInt16, acceleration: UInt16

    /// The slowest limit: 25 us per second.
    static let slowest: UInt16 = 1
    /// The shortest and the longest pulses that a Maestro sends, in quarters of a microsecond (64 us, 4080 us).
    static let pulses = 256.0...16320.0
    /// The pulse widths that hobby servos accept, in microseconds. With longer or shorter ones they run against their
    /// end stops (an estimate: data sheets of standard servos end between 500 and 900, and between 2100 and 2500).
    static let widths = 500.0...2500.0

    init(_ axis: Axis, number: Double, profile: RigProfile) {
        let name = axis.rawValue, own = profile[axis]
        func option(_ key: String) -> Double? { profile.options[name + key] }
        self.axis = axis
        self.number = UInt8((option("_channel") ?? number).clamped(to: 0...23))
        center = 4 * (option("_center_us") ?? 1500)
        let perDegree = option("_us_per_degree") ?? profile.options["us_per_degree"] ?? 10
        let scale = 4 * perDegree * 180 / .pi
        perRadian = own.invert ? -scale : scale
        // One unit of speed: 100 quarters of a microsecond per second. One unit of acceleration: as much in 0.08 s.
        func units(_ value: Double, _ unit: Double, _ most: Double) -> UInt16 {
            UInt16((value * scale / unit).rounded(.up).clamped(to: 1...most))
        }
        speed = units(own.maxSpeed, 100, 16383)
        acceleration = units(own.maxAcceleration, 1250, 255)
    }

    /// Returns the pulse for an angle (rad).
    func pulse(_ angle: Double) -> UInt16 {
        guard angle.isFinite else { return UInt16(center.clamped(to: Self.pulses)) }
        return UInt16((center + angle * perRadian).rounded().clamped(to: Self.pulses))
    }

    /// Returns the angle (rad) of a pulse.
    func angle(_ pulse: UInt16) -> Double { (Double(pulse) - center) / perRadian }
}
