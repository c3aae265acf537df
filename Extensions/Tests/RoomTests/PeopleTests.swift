import ControlProtocol
import Geometry
import SpatialModel
import Testing

@testable import Aerie
@testable import Room

@Suite("the people of a room")
struct PeopleTests {
    private static func members(_ frame: CameraFrame) -> [String: JSONValue] {
        JSONValue(json: frame.payload())?.object ?? [:]
    }

    /// Two rigs 2 m apart look at people for a while. `clock`: how far the second one's clock is ahead.
    private static func watch(
        _ bench: inout Bench, _ people: [Joints<RigidTransform.Vector>], for duration: Seconds, clock: Double = 0
    ) {
        let (left, right) = (bench.robot("LEFT"), bench.robot("RIGHT"))
        for _ in 0..<Int(duration * 10) {
            let now = bench.moment.unix
            let a = Scene.view(x: -1, heading: 0.3, of: people, time: now - 0.03)
            let b = Scene.view(x: 1, heading: -0.3, of: people, time: now - 0.03 + clock)
            bench.say(left, .cameraFrame, members(a))
            bench.say(right, .cameraFrame, members(b), clock: clock)
            bench.run(0.1)
        }
    }

    @Test("two rigs place people to a centimetre, and everyone gets a name that stays", arguments: [0.0, 40, -3])
    func places(_ clock: Double) throws {
        var bench = Bench()
        let people = [Scene.person(x: -0.5, z: -3), Scene.person(x: 0.6, z: -3.4)]
        Self.watch(&bench, people, for: 3, clock: clock)
        #expect((25...31).contains(bench.broadcasts.count))
        let last = try #require(bench.broadcasts.last)
        #expect(last.visits.count == 2 && last.report.people.count == 2)
        for person in last.report.people {
            let head = try #require(person.joints[.head]).place
            let truth = people.map { $0[.head] ?? .zero }
            #expect(truth.contains { (($0 - head) * ($0 - head)).sum().squareRoot() < 0.01 })
            #expect(person.devices == ["LEFT", "RIGHT"])
        }
        let names = Set(bench.broadcasts.flatMap { $0.report.people.map(\.name) })
        #expect(names.count == 2)
    }

    @Test("headings that are wrong in opposite ways are corrected from the feet of people, and status says so")
    func headings() throws {
        var bench = Bench()
        let (left, right) = (bench.robot("LEFT"), bench.robot("RIGHT")), person = Scene.person(x: 0.3, z: -3)
        func error(_ report: PoseReport) -> Double {
            let head = report.people.first?.joints[.head]?.place ?? .zero, offset = head - (person[.head] ?? .zero)
            return (offset * offset).sum().squareRoot()
        }
        for _ in 0..<400 {
            for (visit, x) in [(left, -1.0), (right, 1.0)] {
                var frame = Scene.view(x: x, heading: -0.3 * x, of: [person], time: bench.moment.unix)
                let turn = RigidTransform.turn(right: -x * .degrees(0.4))
                if let axes = frame.skeletons?.view.camera.axes {
                    frame.skeletons?.view.camera.axes = (turn.rotate(axes.x), turn.rotate(axes.y), turn.rotate(axes.z))
                }
                bench.say(visit, .cameraFrame, Self.members(frame))
            }
            bench.run(0.1)
        }
        let first = try #require(bench.broadcasts.first?.report), last = try #require(bench.broadcasts.last?.report)
        #expect(error(first) > 0.05 && error(last) < 0.65 * error(first), "\(error(first)) m, then \(error(last)) m")
        #expect(bench.room.corrections.count == 2)
        #expect(bench.room.corrections.allSatisfy { $0.hasPrefix("hall 0.") || $0.hasPrefix("hall -0.") })
        bench.close(left)
        #expect(bench.room.corrections.isEmpty)
    }

    @Test("a report has the time of what was seen, not of its sending")
    func times() throws {
        var bench = Bench()
        Self.watch(&bench, [Scene.person(x: 0, z: -3)], for: 2)
        let report = try #require(bench.broadcasts.last?.report)
        let age = bench.moment.unix - report.time
        #expect((0.02...0.3).contains(age))
    }

    @Test("an empty room is not reported, and a robot that has left sees nothing any more")
    func leaves() {
        var bench = Bench()
        Self.watch(&bench, [], for: 2)
        #expect(bench.broadcasts.isEmpty)
        let visit = bench.robot("LEFT")
        bench.say(
            visit, .cameraFrame,
            Self.members(Scene.view(x: -1, heading: 0.3, of: [Scene.person(x: 0, z: -3)], time: bench.moment.unix)))
        bench.close(visit)
        let before = bench.broadcasts.count
        bench.run(2)
        #expect(bench.broadcasts.count == before)
    }

    @Test("a robot that stops sending is not reported for longer than half a second")
    func stops() {
        var bench = Bench()
        Self.watch(&bench, [Scene.person(x: 0, z: -3)], for: 2)
        bench.run(0.5)
        let before = bench.broadcasts.count
        bench.run(5)
        #expect(bench.broadcasts.count == before)
    }

    @Test("one rig places a person by the floor")
    func alone() throws {
        var bench = Bench()
        let visit = bench.robot(), person = Scene.person(x: 0.2, z: -3)
        for _ in 0..<20 {
            bench.say(
                visit, .cameraFrame, Self.members(Scene.view(x: 0, heading: 0, of: [person], time: bench.moment.unix)))
            bench.run(0.1)
        }
        let head = try #require(bench.broadcasts.last?.report.people.first?.joints[.head]).place
        let error = head - (person[.head] ?? .zero)
        #expect((error * error).sum().squareRoot() < 0.1)
    }

    @Test("a client that floods is not looked at more than 70 times a second")
    func flood() {
        var bench = Bench()
        let visit = bench.robot(), frame = Self.members(Scene.view(x: 0, heading: 0, of: [], time: bench.moment.unix))
        for _ in 0..<500 { bench.say(visit, .cameraFrame, frame) }
        #expect(bench.room.totals.frames == 70)
        bench.run(1.1)
        bench.say(visit, .cameraFrame, frame)
        #expect(bench.room.totals.frames == 71)
    }

    @Test("a wrong frame is refused with the reason, and the connection stays")
    func wrong() {
        var bench = Bench()
        let visit = bench.robot()
        bench.say(visit, .cameraFrame, ["frameId": .string("1")])
        #expect(bench.answer(visit)?.error == CameraFrame.Flaw.view.rawValue && bench.isIn(visit))
    }

    @Test("status has numbers and no names; the metrics and the summary count")
    func pages() {
        var bench = Bench()
        Self.watch(&bench, [Scene.person(x: 0, z: -3)], for: 2)
        let status = bench.room.status(timestamp: "2026-11-28T07:19:23Z")
        #expect(status["running"] == .bool(true) && status["authenticatedConnections"] == .number(2))
        #expect(!String(decoding: status.bytes, as: UTF8.self).contains("hall"))
        #expect(bench.room.metrics.contains("\ndockface_room_frames_total 40\n"))
        #expect(bench.room.lines.count == 2)
        #expect(bench.room.lines.allSatisfy { $0.hasPrefix("hall: 1") && $0.hasSuffix(" frames/s, with skeletons") })
    }

    @Test("clocks that are set, on either side, silence no one")
    func setClocks() {
        var bench = Bench()
        Self.watch(&bench, [Scene.person(x: 0, z: -3)], for: 2)
        let before = bench.broadcasts.count
        // The server's clock goes back by an hour.
        bench.unixAtStart -= 3600
        Self.watch(&bench, [Scene.person(x: 0, z: -3)], for: 4, clock: 3600)
        #expect(bench.broadcasts.count > before + 25)
        Self.watch(&bench, [Scene.person(x: 0, z: -3)], for: 4, clock: 3500)
        #expect(bench.broadcasts.count > before + 55)
    }

    @Test("an empty room has no people in the metrics")
    func goneAgain() {
        var bench = Bench()
        Self.watch(&bench, [Scene.person(x: 0, z: -3)], for: 2)
        #expect(bench.room.totals.people == 1)
        Self.watch(&bench, [], for: 3)
        #expect(bench.room.totals.people == 0)
    }

    @Test("a client's clock is known to the time of the quickest message")
    func clocks() {
        var clock = ClientClock()
        for delay in [0.2, 0.05, 0.4, 0.01, 0.3] { clock.heard(sent: 1000, arrived: 1040 + delay) }
        #expect(abs(clock.serverTime(2000) - 2040.01) < 1e-9)
        clock.heard(sent: .nan, arrived: 5)
        #expect(abs(clock.serverTime(2000) - 2040.01) < 1e-9)
    }
}
