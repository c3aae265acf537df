import Testing

@testable import Companion

/// The end of the server.
@Suite(.timeLimit(.minutes(1))) struct ControlTestsEnd {
    @Test func `an end whose ring was already taken is not waited for`() throws {
        // The end comes at another moment of the thread's turn in each round. Without the second look at it, one of some
        // hundred rounds never ends.
        for round in 0..<2000 {
            let served = try TestServer()
            served.server.publish(.events, .null)
            for _ in 0..<(round % 50) { served.server.look() }
            served.server.publish(.log, .null)
        }
    }
}
