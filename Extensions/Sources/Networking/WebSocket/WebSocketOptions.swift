/// The limits of a WebSocket connection. The defaults are the measured ones.
public struct WebSocketOptions: Sendable {
    /// How long a connection, and then its handshake, may take, in seconds.
    public var handshakeLimit = 10.0
    /// How often a ping is sent, in seconds.
    public var pingEvery = 5.0
    /// After how many seconds without a byte, and without progress of a file, a connection is lost.
    public var lostAfter = 10.0
    /// The largest message that is accepted, in bytes.
    public var largestMessage = 65_536
    /// The largest frame that is accepted, in bytes; a message may have several.
    public var largestFrame = Int(UInt32.max)
    /// The largest message that is accepted until `accept(messagesOf:)` permits larger ones, in bytes.
    public var firstMessage = Int.max
    /// The number of messages that wait for the program. At this number no more is read from the network. What one read
    /// has brought is not counted: at most 64 KiB.
    public var mostWaiting = 64
    /// The size of a file's fragment, in bytes. A pong waits for the fragment before it: with one frame of 60 MB a
    /// server that sends pings ended the connection.
    public var fragment = 131_072
    /// The largest part of a text message, in bytes. A server may end a connection with larger frames.
    public var textPart = Int.max
    /// How many bytes may wait in the kernel without being sent, in bytes (TCP_NOTSENT_LOWAT). A pong waits behind them,
    /// and a server that gets it too late ends the connection.
    public var unsent = 65_536
    /// How long to wait for the other side's close frame, in seconds.
    public var closeLimit = 2.0

    /// Creates the default limits.
    public init() {}
}

/// A message of the server, or the news that one of ours has left.
public enum WebSocketEvent: Sendable, Equatable {
    /// A text message, as UTF-8 that was not checked.
    case text([UInt8])
    /// A binary message.
    case binary([UInt8])
    /// The last message of this side is on its way. The event is in order with the messages: only what follows it can
    /// be an answer.
    case sent
}
