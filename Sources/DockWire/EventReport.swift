/// The kinds of events at a dock.
public enum EventKind: UInt8, Sendable {
    /// A kind unknown to this side. It must still be confirmed.
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
    /// Reserved for a motion of the dock itself. Used for the end of homing: value = 0 done, 1 aborted.
    case animation = 7
    /// A fault was latched; value = ``FaultCode``.
    case fault = 8
    /// The phone or camera was removed; value = 1 removed, 0 attached again.
    case undock = 9
    /// The tracking button; value = pressed.
    case trackingButton = 10
}

/// A single event, repeated every 50 ms until the host confirms its id.
public struct EventReport: Sendable, Equatable {
    /// Counter of the dock's events, modulo 256.
    public var id: UInt8
    /// The kind of event.
    public var kind: EventKind
    /// A value whose meaning depends on the kind.
    public var value: Int16
    /// The dock's time of the event, microseconds modulo 2^32.
    public var microseconds: UInt32
    /// Number of older events that were dropped without confirmation before this one, up to 255.
    public var lost: UInt8

    /// A report from its parts.
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
