import Networking
import Testing

@testable import Uplink

/// What the conversation wants of its connection.
@Suite struct ConversationTests {
    @Test(arguments: [4_096, 16_384])
    func `a frame with its header is no longer than a record of TLS`(fragment: Int) {
        let part = UplinkConversation.options(fragment).textPart
        // Two bytes, the length in two, and the mask in four (RFC 6455, 5.2).
        #expect(part + 8 <= 16_384 && part > fragment - 16)
    }
}
