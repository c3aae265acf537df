/// Encodes messages as numbered frames.
public struct FrameEncoder: Sendable {
    /// The sequence number of the next frame.
    public var nextSequence: UInt8

    /// Starts with the given number.
    public init(firstSequence: UInt8 = 0) { nextSequence = firstSequence }

    /// Encodes a message to the dock.
    public mutating func encode(_ message: HostMessage) -> EncodedFrame {
        encode(type: message.type, body: message.body)
    }

    /// Encodes a message to the host.
    public mutating func encode(_ message: DockMessage) -> EncodedFrame {
        encode(type: message.type, body: message.body)
    }

    private mutating func encode(type: UInt8, body: FrameBody) -> EncodedFrame {
        let frame = Frame(type: type, sequence: nextSequence, body: body)
        nextSequence &+= 1
        return EncodedFrame(frame)
    }
}
