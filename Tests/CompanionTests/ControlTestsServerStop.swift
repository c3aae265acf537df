import CPosix
import ControlProtocol
import Geometry
import Synchronization
import TestSupport
import Testing

@testable import Companion

/// What others ask for in one turn of the server's thread does not delay a stop by more than the turn's time limit.
extension ControlTestsServer {
    /// Work of the server's thread that takes the whole time of a turn, and lasts until the test has sent its stop.
    private final class LongWork: Sendable {
        private let state = Mutex((hasBegun: false, isStopSent: false))

        var hasBegun: Bool { state.withLock { $0.hasBegun } }
        func recordStop() { state.withLock { $0.isStopSent = true } }
        func run() {
            state.withLock { $0.hasBegun = true }
            let begin = cposix_monotonic_now()
            _ = eventually { self.state.withLock { $0.isStopSent } }
            while cposix_monotonic_now() < begin + ControlServerLoop.budget {}
        }
    }

    @Test func `a stop on a new connection waits for one publication at most`() throws {
        let served = try TestServer()
        let work = LongWork()
        let client = try TestClient(served.path)
        client.send(request("subscribe", #"{"topics":["detections"]}"#) + [0x0A])
        _ = try client.line()
        _ = try client.line()
        let calls = Mutex<[Int]>([])
        let backend = served.backend
        served.server.encode(.detections) {
            work.run()
            return .object([:])
        }
        for _ in 1...20 {
            served.server.encode(.detections) {
                calls.withLock { $0.append(backend.seen.calls.count) }
                return .object([:])
            }
        }
        try #require(eventually { work.hasBegun })
        let other = try TestClient(served.path, greeted: false)
        other.send(request("stop") + [0x0A])
        work.recordStop()
        for number in 1...21 { #expect(try client.line()["params"]?["seq"] == .number(number)) }
        #expect(calls.withLock { $0 } == [Int](repeating: 1, count: 20))
    }

    @Test func `a stop on a new connection waits for one line of another client at most`() throws {
        let work = LongWork()
        let backend = FakeBackend(answer: { call in
            if call == .command(.motion(.home)) { work.run() }
            return .answer(.success(Outcome("done")))
        })
        let served = try TestServer(backend)
        let client = try TestClient(served.path)
        _ = try client.ask("status")
        client.send((1...20).flatMap { request("home", id: "\($0)") + [0x0A] })
        try #require(eventually { work.hasBegun })
        let other = try TestClient(served.path, greeted: false)
        other.send(request("stop") + [0x0A])
        work.recordStop()
        for id in 1...20 { #expect(try client.line()["id"] == .number(id)) }
        let stop = try #require(served.backend.seen.calls.firstIndex { $0.isStop })
        #expect(stop <= 3, "\(stop)")
    }
}
