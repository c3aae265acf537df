internal import CEventDevice
public import Gamepad
internal import Glibc

/// Reads the events of a device from a descriptor.
public struct EventReader {
    /// What a reading brought.
    public enum Reading: Equatable {
        /// Events, in order.
        case events([DeviceEvent])
        /// Nothing waits.
        case nothing
        /// The device is gone, with this error number; 0 if the other side was closed.
        case gone(Int32)
    }

    private let descriptor: Int32
    private var buffer: [UInt8]
    /// The bytes of an event that has not arrived completely. A device never leaves any.
    private var rest = 0

    /// The most events of one reading. A device that floods must not keep the program from its other work.
    public static let most = 64

    /// Creates a reader of a descriptor, which must not block. It stays open.
    public init(_ descriptor: Int32) {
        self.descriptor = descriptor
        buffer = Array(repeating: 0, count: Self.most * cevent_size())
    }

    /// Reads what waits, at most `most` events.
    public mutating func read() -> Reading {
        let start = rest
        let count = buffer.withUnsafeMutableBytes { bytes in
            Glibc.read(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .gone(errno) }
        if count == 0 { return .gone(0) }
        let size = cevent_size(), whole = (start + count) / size
        let events = buffer.withUnsafeBytes { bytes in
            (0..<whole).compactMap { index in
                bytes.baseAddress.map { base in
                    let event = cevent_decode(base + index * size)
                    return DeviceEvent(type: event.type, code: event.code, value: event.value)
                }
            }
        }
        rest = start + count - whole * size
        for index in 0..<rest { buffer[index] = buffer[whole * size + index] }
        return events.isEmpty ? .nothing : .events(events)
    }
}
