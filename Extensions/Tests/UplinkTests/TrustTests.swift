import ControlProtocol
import Geometry
import SpatialModel
import Testing

@testable import Aerie
@testable import Uplink

@Suite("which server gets frames, and when")
struct TrustTests {
    /// A bench whose robot was accepted.
    private static func connected(_ change: (inout UplinkTerms) -> Void = { _ in }) -> Bench {
        var bench = Bench(change)
        bench.handle(.start)
        bench.run(0.5)
        return bench
    }

    @Test("no frame is sent to a server that does not prove itself", arguments: [true, false])
    func noProof(_ hasWrongSecret: Bool) {
        var bench = Bench()
        bench.server.proves = hasWrongSecret
        if hasWrongSecret { bench.server.secret = "another secret of thirty-two bytes!" }
        bench.handle(.start)
        bench.shoot(for: 120)
        bench.run(120)
        #expect(bench.frames.isEmpty)
        #expect(bench.state.isRefused)
        // A wrong secret does not become right by itself.
        #expect((2...3).contains(bench.connections))
        #expect(bench.lines.count <= 4)
    }

    @Test("a server with a proof of something else gets no frames")
    func wrongProof() {
        var bench = Bench()
        bench.server.answersRequests = false
        bench.handle(.start)
        bench.run(0.2)
        bench.say(.authResponse, AuthAnswer(isSuccess: true, session: "S1", proof: "AAAA").members)
        bench.shoot(for: 20)
        bench.run(20)
        #expect(bench.frames.isEmpty && !bench.disconnects.isEmpty)
    }

    @Test("without a proof, frames are sent only if the owner trusts the certificate or any server")
    func otherTrust() {
        for trust in [UplinkTerms.Trust.tls, .any] {
            var bench = Bench { ($0.trust, $0.isEncrypted) = (trust, true) }
            bench.server.proves = false
            bench.handle(.start)
            bench.shoot(for: 2)
            bench.run(2)
            #expect(!bench.frames.isEmpty)
        }
    }

    @Test("no frame is sent before the robot shows it, and none while it cannot")
    func sign() {
        var bench = Bench()
        bench.signProblem = "this robot has no screen"
        bench.handle(.start)
        bench.shoot(for: 5)
        bench.run(5)
        #expect(bench.frames.isEmpty && bench.state == .paused)
        #expect(bench.lines.contains { $0.contains("this robot has no screen") })
    }

    @Test("a sign that failed is tried again, and frames stop while the robot may not show it")
    func signReturns() {
        var bench = Bench()
        bench.signProblem = "the daemon is away"
        bench.handle(.start)
        bench.shoot(for: 40)
        bench.run(5)
        bench.signProblem = nil
        bench.run(5)
        #expect(bench.state == .streaming)
        bench.signProblem = "this robot has no screen"
        bench.handle(.signLost)
        let before = bench.frames.count
        bench.run(10)
        // One may have been on its way.
        #expect(bench.frames.count <= before + 1 && bench.state == .paused)
        bench.signProblem = nil
        bench.run(5)
        #expect(bench.state == .streaming)
    }

    @Test("a certificate is enough only if the connection has one")
    func plainTrust() {
        var bench = Bench { $0.trust = .tls }
        bench.server.proves = false
        bench.handle(.start)
        bench.shoot(for: 5)
        bench.run(5)
        #expect(bench.frames.isEmpty && bench.state.isRefused)
    }

    @Test("before the server is trusted, nothing that it says counts, and its noise hides no warning")
    func strangeServer() {
        var bench = Bench()
        bench.server.proves = false
        bench.server.losesFirst = 2
        bench.handle(.start)
        for number in 0..<60 {
            bench.say(number % 2 == 0 ? .poseBroadcast : .cameraFrame, ["timestamp": .number(1), "poses": .array([])])
            bench.run(0.1)
        }
        #expect(bench.people.isEmpty)
        #expect(bench.lines.count == 1 && bench.lines.contains { $0.contains("did not prove") })
    }

    @Test("an answer that is slower than a second proves as much as a quick one")
    func slowProof() {
        var bench = Bench()
        bench.server.delay = 1.4
        bench.handle(.start)
        bench.run(9)
        #expect(bench.state.isConnected && bench.connections == 1)
    }

    @Test("a report with an impossible time is ignored", arguments: [-1e30, 1e30, 0])
    func wrongTimes(_ time: Double) {
        var bench = Self.connected()
        var joints = Joints<PlacedPerson.PlacedJoint>()
        joints[.head] = .init(.init(0, 1.7, -3), confidence: 1)
        bench.say(
            .poseBroadcast, PoseReport(time: time, people: [.init(name: "a", device: "D", joints: joints)]).members)
        bench.run(1)
        #expect(bench.people.isEmpty && bench.state == .paused)
    }

    @Test("a server that talks and does not read is lost, and few messages wait for it")
    func talker() {
        var bench = Self.connected()
        bench.server.readsFrom = bench.now + 1000
        for _ in 0..<70 {
            bench.say(.poseBroadcast, ["timestamp": .number(bench.unixAtStart + bench.now), "poses": .array([])])
            bench.run(0.1)
        }
        #expect(bench.connections == 2)
    }

    @Test("another program with this robot's name has it back off for a minute")
    func replaced() {
        var bench = Self.connected()
        bench.drop(code: 4409)
        bench.run(50)
        #expect(bench.state.isRefused && bench.connections == 1)
    }

    @Test("a wrong certificate is tried again after a minute")
    func distrusted() {
        var bench = Bench()
        bench.server.isThere = false
        bench.handle(.start)
        bench.handle(.distrusted("the server shows another certificate"))
        bench.run(50)
        #expect(bench.state.isRefused && bench.connections == 1)
    }
}
