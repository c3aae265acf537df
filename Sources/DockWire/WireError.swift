/// Why bytes were not a frame, or a frame not a message.
public enum WireError: Error, Equatable, Sendable {
    /// 256 bytes came without a frame end; all up to the next one are dropped.
    case noFrameEnd
    /// A run of bytes that is longer than any frame can be.
    case tooLong
    /// A run of bytes that is shorter than type, sequence and checksum.
    case tooShort
    /// The byte stuffing (COBS) does not add up.
    case stuffing
    /// The checksum is wrong.
    case checksum
    /// A good frame whose body is too short for its type.
    case bodyLength(type: UInt8)
    /// A good frame with a value outside its range.
    case value(type: UInt8)
}
