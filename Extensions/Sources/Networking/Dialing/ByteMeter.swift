internal import NIOCore

/// The first handler of a connection. It notes the server's first bytes, when the last one arrived, and whether bytes
/// would be read at all.
final class ByteMeter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private(set) var firstBytes: [UInt8] = []
    /// When the last byte arrived; at first, when the connection was made.
    private(set) var lastByte = NIODeadline.now()
    /// Whether bytes would be read. Otherwise the program does not take its messages, and silence means nothing. Only
    /// here is each end of reading the socket's own.
    private(set) var isReading = false

    func read(context: ChannelHandlerContext) {
        isReading = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        lastByte = .now()
        if firstBytes.count < HandshakeTrace.most {
            firstBytes += bytes.readableBytesView.prefix(HandshakeTrace.most - firstBytes.count)
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.fireChannelReadComplete()
    }
}
