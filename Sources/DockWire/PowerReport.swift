/// The state of a dock's supply.
public enum PowerState: UInt8, Sendable {
    /// Unknown.
    case unknown = 0
    /// On battery.
    case discharging = 1
    /// The battery is being charged.
    case charging = 2
    /// The battery is full and on the charger.
    case full = 3
    /// On battery, and it is low.
    case low = 4
    /// On battery, and it is nearly empty.
    case critical = 5
    /// No battery in use.
    case external = 6
}

/// Battery and supply.
public struct PowerReport: Sendable, Equatable {
    /// Supply voltage, mV.
    public var millivolts: UInt16
    /// Current, mA; negative while the battery is discharged.
    public var milliamperes: Int16
    /// Charge, percent 0...100; nil if unknown.
    public var percent: UInt8?
    /// State of the supply. A state unknown to this side reads as `unknown`.
    public var state: PowerState
    /// Temperature, degrees Celsius.
    public var temperature: Int8

    /// A report from its parts.
    public init(millivolts: UInt16, milliamperes: Int16, percent: UInt8?, state: PowerState, temperature: Int8) {
        self.millivolts = millivolts
        self.milliamperes = milliamperes
        self.percent = percent
        self.state = state
        self.temperature = temperature
    }

    init(_ reader: inout BodyReader) throws(WireError) {
        millivolts = try reader.u16()
        milliamperes = Int16(bitPattern: try reader.u16())
        let charge = try reader.u8()
        percent = charge <= 100 ? charge : nil
        state = PowerState(rawValue: try reader.u8()) ?? .unknown
        temperature = Int8(bitPattern: try reader.u8())
    }

    func write(to body: inout FrameBody) {
        body.append(millivolts)
        body.append(UInt16(bitPattern: milliamperes))
        body.append(percent ?? 255)
        body.append(state.rawValue)
        body.append(UInt8(bitPattern: temperature))
    }
}
