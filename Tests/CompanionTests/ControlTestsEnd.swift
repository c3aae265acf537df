import Synchronization
import TestSupport
import Testing

@testable import Companion

/// The end of the server.
@Suite struct ControlTestsEnd {
    @Test func `an end whose ring was already taken is not waited for`() throws {
        let ended = Atomic(0), threads = ThreadGroup(), rounds = 2000
        // On a thread of its own, so that an end that never comes fails this test and blocks no other.
        threads.start {
            // The end comes at another moment of the server's turn in each round. Without the second look at it, one of
            // some hundred rounds never ends.
            for round in 0..<rounds {
                guard let served = try? TestServer() else { return }
                served.server.publish(.events, .null)
                for _ in 0..<(round % 50) { served.server.look() }
                served.server.publish(.log, .null)
                withExtendedLifetime(served) {}
                ended.add(1, ordering: .relaxed)
            }
        }
        let isOver = eventually(60) { ended.load(ordering: .relaxed) == rounds }
        #expect(isOver)
        // Otherwise the thread sanitizer reports a thread that no one has joined.
        if isOver { threads.wait() }
    }
}
