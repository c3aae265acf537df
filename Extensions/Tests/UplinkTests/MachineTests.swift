import ControlProtocol
import Geometry
import SpatialModel
import Testing

@testable import Aerie
@testable import Uplink

@Suite("the conversation with a server that receives frames")
struct MachineTests {
    /// A bench whose robot was accepted.
    private static func connected(_ change: (inout UplinkTerms) -> Void = { _ in }) -> Bench {
        var bench = Bench(change)
        bench.handle(.start)
        bench.run(0.5)
        return bench
    }

    @Test("a robot that is accepted sends 30 frames a second, and the server reads them in time")
    func streams() {
        var bench = Self.connected()
        #expect(bench.state == .paused)
        bench.shoot(for: 10)
        bench.run(10)
        #expect(bench.state == .streaming)
        #expect((295...300).contains(bench.frames.count))
        #expect(bench.frames.allSatisfy { $0.read - $0.exposure < 0.06 })
        let readout = bench.machine.readout(at: bench.moment)
        #expect((29...30.5).contains(readout.rate) && readout.shape == FrameShape())
        #expect((readout.age ?? 1) < 0.06 && (readout.roundTrip ?? 1) < 0.01)
        #expect(bench.connections == 1 && bench.requests == 1)
        bench.run(3)
        #expect(bench.state == .paused)
    }

    @Test(
        "30 frames a second remain of a camera with jitter",
        arguments: [(30.0, 28.5...30.0), (60, 28.5...31), (25, 24...25), (15, 14...15)])
    func rates(_ rate: Double, _ wanted: ClosedRange<Double>) {
        var clock = FrameClock(), random = SystemRandomNumberGenerator(), taken = 0
        for number in 0..<Int(rate * 20) {
            let time = Double(number) / rate + Double.random(in: 0.0005...0.005, using: &random)
            guard clock.wants(time, rate: 30) else { continue }
            clock.advance(past: time, rate: 30)
            taken += 1
        }
        #expect(wanted.contains(Double(taken) / 20))
    }

    @Test("a request that is lost inside of the server is repeated with a new number")
    func lostRequests() {
        var bench = Bench()
        bench.server.losesFirst = 3
        bench.handle(.start)
        bench.run(4)
        #expect(bench.state == .paused && bench.requests == 4)
    }

    @Test("a server that does not answer requests is tried again after ten seconds and a pause")
    func noAnswer() {
        var bench = Bench()
        bench.server.answersRequests = false
        bench.handle(.start)
        bench.run(60)
        #expect((4...6).contains(bench.connections) && bench.frames.isEmpty)
        #expect(!bench.states.contains { $0.1.isRefused })
        bench.server.answersRequests = true
        bench.run(15)
        #expect(bench.state == .paused)
    }

    @Test("a server that ends a connection because it does not know the robot is left alone for a minute")
    func policy() {
        var bench = Bench()
        bench.server.answersRequests = false
        bench.handle(.start)
        bench.run(2)
        bench.drop(code: 1008)
        bench.run(58)
        #expect(bench.state.isRefused && bench.connections == 1)
        bench.run(4)
        #expect(bench.connections == 2)
    }

    @Test(
        "a connection that ends is back within two seconds, with frames",
        arguments: [nil, 1001, 1006, 1011, 1009] as [Int?])
    func returns(_ code: Int?) {
        var bench = Self.connected()
        bench.shoot(for: 20)
        bench.run(5)
        bench.drop(code: code)
        let before = bench.frames.count
        bench.run(2)
        #expect(bench.state == .streaming && bench.frames.count > before)
    }

    @Test("a server that refuses connections for ten seconds has the robot back soon after")
    func unavailable() {
        var bench = Self.connected()
        bench.shoot(for: 40)
        bench.run(5)
        bench.server.isThere = false
        bench.drop()
        bench.run(10)
        #expect(bench.frames.last.map { $0.read < bench.now - 9 } == true)
        bench.server.isThere = true
        bench.run(10)
        #expect(bench.state == .streaming)
        // At once, then after half a second to fifteen.
        #expect((4...8).contains(bench.connections))
    }

    @Test("a server that has forgotten the connection gets a new one within three seconds")
    func disowned() {
        var bench = Self.connected()
        bench.shoot(for: 20)
        bench.run(5)
        bench.server.hasForgotten = true
        bench.run(0.2)
        bench.server.hasForgotten = false
        bench.run(2.8)
        #expect(bench.connections == 2 && bench.state == .streaming)
        #expect(bench.disconnects.contains { $0.contains("no longer takes frames") })
    }

    @Test("one refused message does not end a connection")
    func oneRefusal() {
        var bench = Self.connected()
        bench.shoot(for: 20)
        bench.run(5)
        for _ in 0..<3 {
            bench.say(.authResponse, AuthAnswer(isSuccess: false, error: "not understood").members)
            bench.run(2)
        }
        #expect(bench.connections == 1 && bench.state == .streaming)
    }

    @Test("a silent server is lost after five seconds")
    func silence() {
        var bench = Self.connected()
        bench.server.answersHeartbeats = false
        bench.run(6)
        #expect(bench.connections == 2)
    }

    @Test("a server that takes only small parts gets them, and then smaller pictures")
    func smallParts() {
        var bench = Bench()
        bench.server.largestFragment = 4_096
        bench.handle(.start)
        bench.shoot(for: 20)
        bench.run(20)
        #expect(bench.state == .streaming && bench.frames.count > 400)
        #expect(bench.connections == 2)
    }

    // MARK: slow networks

    @Test("over 10 Mbit/s, frames arrive in time, at nearly the full rate, and smaller")
    func slow() {
        var bench = Self.connected()
        (bench.server.bytesPerSecond, bench.server.delay) = (1_250_000, 0.01)
        bench.shoot(for: 30)
        bench.run(30)
        let steady = bench.frames.filter { $0.read > 110 }
        let ages = steady.map { $0.read - $0.exposure }.sorted()
        #expect(ages[ages.count * 95 / 100] <= 0.12)
        #expect(Double(steady.count) / 20 >= 25)
        #expect(bench.machine.readout(at: bench.moment).shape != FrameShape())
    }

    @Test("over a tenth of that, fewer frames arrive, and still in time")
    func verySlow() {
        var bench = Self.connected()
        (bench.server.bytesPerSecond, bench.server.delay) = (125_000, 0.02)
        bench.shoot(for: 60)
        bench.run(60)
        let steady = bench.frames.filter { $0.read > 130 }
        #expect(steady.allSatisfy { $0.read - $0.exposure < 0.4 })
        #expect(Double(steady.count) / 30 > 3)
    }

    @Test("a server that reads nothing for 20 s gets at most three old frames later")
    func stall() {
        var bench = Self.connected()
        bench.shoot(for: 60)
        bench.run(10)
        bench.server.readsFrom = bench.now + 20
        bench.run(45)
        // The connection may have been made again meanwhile; what was on its way is gone then.
        #expect(bench.frames.count { $0.read - $0.exposure > 1 } <= 3)
        #expect(bench.state == .streaming)
    }

    @Test("a shape never has more bytes, pixels or pictures than the best, and falls step by step")
    func shapes() {
        let best = FrameShape(width: 1280, quality: 70, rate: 25)
        var governor = FrameGovernor(best: best), last = governor.shape
        #expect(last == best)
        for _ in 0..<200 {
            governor.arrived(age: 0.5)
            let shape = governor.shape
            #expect(shape.width <= last.width && shape.quality <= last.quality && shape.rate <= last.rate)
            last = shape
        }
        #expect(last.width == 640 && last.quality == 40 && abs(last.rate - 25 / 6.0) < 1e-9)
        for _ in 0..<400 { governor.arrived(age: 0.01) }
        #expect(governor.shape.width == 1280)
    }

    // MARK: people

    @Test("a report of people has this machine's time, with the server's clock taken out", arguments: [-50.0, 0, 7.5])
    func people(_ clock: Double) throws {
        var bench = Bench()
        (bench.server.clock, bench.server.delay) = (clock, 0.03)
        bench.handle(.start)
        bench.run(2)
        var joints = Joints<PlacedPerson.PlacedJoint>()
        joints[.head] = .init(.init(0, 1.7, -3), confidence: 1)
        let seen = bench.now - 0.05
        let report = PoseReport(
            time: bench.unixAtStart + seen + clock, people: [.init(name: "person-001", device: "D", joints: joints)])
        bench.say(.poseBroadcast, report.members)
        bench.run(1)
        let got = try #require(bench.people.first)
        #expect(got.report.people == report.people && abs(got.time - seen) < 0.001)
    }

    @Test("rubbish changes nothing but a few lines of the log")
    func rubbish() {
        var bench = Self.connected()
        bench.shoot(for: 20)
        for number in 0..<500 {
            bench.handle(.received(Array("{\"type\":\"x\(number)\"".utf8)))
            bench.run(0.01)
        }
        #expect(bench.state == .streaming && bench.connections == 1)
        #expect(bench.lines.count <= 25)
    }

    @Test("after the owner has ended it, nothing is sent and nothing is tried")
    func stops() {
        var bench = Self.connected()
        bench.shoot(for: 20)
        bench.run(2)
        bench.handle(.stop)
        let frames = bench.frames.count
        bench.run(60)
        #expect(bench.state == .off && bench.frames.count == frames && bench.connections == 1)
        bench.handle(.start)
        bench.run(1)
        #expect(bench.state == .paused)
    }

    @Test("pauses grow to 15 seconds, differ by chance, and begin again after a good connection")
    func pauses() {
        var plan = RetryPlan(seed: 3)
        for pause in RetryPlan.pauses + [15, 15] {
            let next = plan.next()
            #expect(next >= pause / 2 && next <= pause)
        }
        plan.lasted(10)
        #expect(plan.next() > 7)
        plan.lasted(31)
        #expect(plan.next() <= 0.5)
        var other = RetryPlan(seed: 4)
        #expect(
            other.next()
                != {
                    var plan = RetryPlan(seed: 3); return plan.next()
                }())
    }
}
