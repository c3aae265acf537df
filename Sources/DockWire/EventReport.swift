/// What happened at a dock.
public enum EventKind: UInt8, Sendable {
    /// A kind that this side does not know; to be confirmed all the same.
    case unknown = 0
    /// A numbered button; value = id << 8 | pressed.
    case button = 1
    /// The shutter button; value = pressed.
    case shutter = 2
    /// The camera flip button; value = pressed.
    case flip = 3
    /// The zoom wheel; value = signed steps of 0.2 each.
    case zoom = 4
    /// An axis reached a limit; value = axis << 8 | 1 at the highest position, 0 at the lowest.
    case limit = 5
    /// A motor was blocked; value = axis.
    case stall = 6
    /// Reserved for a motion of the dock's own; used for the end of homing: value = 0 done, 1 broken off.
    case animation = 7
    /// A fault was latched; value = ``FaultCode``.
    case fault = 8
    /// The phone or camera was taken off; value = 1 off, 0 on again.
    case undock = 9
    /// The tracking button; value = pressed.
    case trackingButton = 10
}

/// Something that happened once; sent again every 50 ms until the host confirms its id.
public struct EventReport: Sendable, Equatable {
    /// Counts the dock's events, modulo 256.
    public var id: UInt8
    /// What happened.
    public var kind: EventKind
    /// Its meaning depends on the kind.
    public var value: Int16
    /// The dock's time of it, microseconds modulo 2^32.
    public var microseconds: UInt32
    /// How many older events were thrown away before this one because nobody confirmed them, up to 255.
    public var lost: UInt8

    /// A report of its parts.
    public init(id: UInt8, kind: EventKind, value: Int16, microseconds: UInt32, lost: UInt8 = 0) {
        self.id = id
        self.kind = kind
        self.value = value
        self.microseconds = microseconds
        self.lost = lost
    }

    init(_ reader: inout BodyReader) throws(WireError) {
        id = try reader.u8()
        kind = EventKind(rawValue: try reader.u8()) ?? .unknown
        value = Int16(bitPattern: try reader.u16())
        microseconds = try reader.u32()
        lost = reader.remaining > 0 ? try reader.u8() : 0
    }

    func write(to body: inout FrameBody) {
        body.append(id)
        body.append(kind.rawValue)
        body.append(UInt16(bitPattern: value))
        body.append(microseconds)
        if lost != 0 { body.append(lost) }
    }
}
