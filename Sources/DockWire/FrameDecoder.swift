/// Finds the frames in a stream of bytes.
///
/// Each run of bytes up to a 00 is either a frame or dropped whole. Garbage therefore destroys only the frame that it touches.
/// Empty runs are legal: a sender puts a 00 before its first frame to end older bytes on the line.
public struct FrameDecoder: Sendable {
    /// A run of this many bytes without a 00 is reported as garbage at once.
    public static let longestRun = 256

    /// Number of runs that were not a frame, modulo 2^32.
    public private(set) var invalidFrames: UInt32 = 0
    /// Number of valid frames, modulo 2^32.
    public private(set) var validFrames: UInt32 = 0

    private var run = InlineArray<61, UInt8>(repeating: 0)
    private var count = 0

    /// A decoder at the start of a run.
    public init() {}

    /// Discards the unfinished run, as after a reconnect.
    public mutating func reset() { count = 0 }

    /// Takes one byte. Returns a frame if the byte completed one.
    ///
    /// Throws once per bad run: at its 00, or with `noFrameEnd` at its 256th byte. It then drops all bytes up to the 00.
    public mutating func push(_ byte: UInt8) throws(WireError) -> Frame? {
        if byte != 0 {
            if count < 61 { run[count] = byte }
            guard count <= Self.longestRun else { return nil }
            count += 1
            if count == Self.longestRun {
                count += 1
                invalidFrames &+= 1
                throw .noFrameEnd
            }
            return nil
        }
        let length = count
        count = 0
        if length == 0 || length > Self.longestRun { return nil }
        do {
            let frame = try unstuff(length)
            validFrames &+= 1
            return frame
        } catch {
            invalidFrames &+= 1
            throw error
        }
    }

    private func unstuff(_ length: Int) throws(WireError) -> Frame {
        guard length <= 61 else { throw .tooLong }
        guard length >= 5 else { throw .tooShort }
        var frame = Frame(type: 0, sequence: 0)
        var crc = Crc16()
        var low: UInt8 = 0
        var high: UInt8 = 0
        var block = Int(run[0])
        for index in 1..<length {
            // The distance in the code byte gives the position of the next zero. A run must end exactly at such a
            // position.
            var byte = run[index]
            if index == block {
                block += Int(byte)
                byte = 0
            }
            switch index {
            case 1: frame.type = byte
            case 2: frame.sequence = byte
            case 3: low = byte
            case 4: high = byte
            default:
                frame.body.append(low)
                low = high
                high = byte
            }
        }
        guard block == length else { throw .stuffing }
        crc.update(frame.type)
        crc.update(frame.sequence)
        for index in 0..<frame.body.count { crc.update(frame.body[index]) }
        guard crc.value == UInt16(low) | UInt16(high) << 8 else { throw .checksum }
        return frame
    }
}
