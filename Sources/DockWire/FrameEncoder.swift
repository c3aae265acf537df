/// Turns messages into frames and numbers them.
public struct FrameEncoder: Sendable {
    /// The number that the next frame gets.
    public var nextSequence: UInt8

    /// Starts with the given number.
    public init(firstSequence: UInt8 = 0) { nextSequence = firstSequence }

    /// The frame of a message to the dock.
    public mutating func encode(_ message: HostMessage) -> EncodedFrame {
        encode(type: message.type, body: message.body)
    }

    /// The frame of a message to the host.
    public mutating func encode(_ message: DockMessage) -> EncodedFrame {
        encode(type: message.type, body: message.body)
    }

    private mutating func encode(type: UInt8, body: FrameBody) -> EncodedFrame {
        let frame = Frame(type: type, sequence: nextSequence, body: body)
        nextSequence &+= 1
        return EncodedFrame(frame)
    }
}
