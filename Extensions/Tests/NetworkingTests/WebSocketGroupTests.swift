import NIOCore
import Synchronization
import Testing

@testable import NetworkTestKit
@testable import Networking

/// How the parts of a message leave.
@Suite(.timeLimit(.minutes(10))) struct WebSocketGroupTests {
    @Test func `the parts of a message leave together, and a long message leaves in groups`() async throws {
        let server = try await TestServer(), flushes = FlushCount()
        var options = quickOptions()
        // A ping would be counted, too.
        (options.textPart, options.pingEvery, options.lostAfter) = (1000, 100, 200)
        try await WebSocketClient(try plan(server.port), options: options).withConnection { connection in
            try await connection.channel.pipeline.addHandler(flushes, position: .first).get()
            try await connection.send(text: [UInt8](repeating: 0x20, count: 40_000))
            #expect(flushes.count.withLock { $0 } == 1)
            // 66 parts are more than 64 KiB.
            try await connection.send(text: [UInt8](repeating: 0x20, count: 200_000))
            #expect(flushes.count.withLock { $0 } == 5)
            try await server.wait { $0.texts.map(\.utf8.count) == [40_000, 200_000] }
        }
    }
}

/// Counts how often bytes leave.
private final class FlushCount: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let count = Mutex(0)

    func flush(context: ChannelHandlerContext) {
        count.withLock { $0 += 1 }
        context.flush()
    }
}
