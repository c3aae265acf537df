internal import NIOWebSocket

/// Which side of a WebSocket this is. Only a client masks what it sends (RFC 6455, 5.1).
enum WebSocketRole: Sendable {
    case client, server

    /// The mask of the next frame.
    var mask: WebSocketMaskingKey? { self == .client ? .random() : nil }
}
