/// Why bytes are not a frame, or a frame is not a message.
public enum WireError: Error, Equatable, Sendable {
    /// 256 bytes arrived without the end of a frame. All bytes up to the next end are dropped.
    case noFrameEnd
    /// A run of bytes that is longer than any frame can be.
    case tooLong
    /// A run of bytes that is shorter than type, sequence and checksum.
    case tooShort
    /// The byte stuffing (COBS) is inconsistent.
    case stuffing
    /// The checksum is wrong.
    case checksum
    /// A valid frame whose body is too short for its type.
    case bodyLength(type: UInt8)
    /// A valid frame with a value outside its range.
    case value(type: UInt8)
}
