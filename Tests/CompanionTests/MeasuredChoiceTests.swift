import DockTypes
import FaceTracker
import Geometry
import Testing

@testable import Companion
@testable import DockControl

/// The distances of `setDistances` on their way to the automatic choice between people.
@Suite struct MeasuredChoiceTests {
    /// The faces of the last frame, the smallest first: those of a child, an adult and, at first, a person in the middle.
    private static func faces(_ rig: RerunRig) -> [FlightRecorder.Rectangle] {
        for record in rig.core.recorder.copy(cause: "asked").records.reversed() {
            guard case .rectangles(_, let all) = record.body else { continue }
            return all.filter { !$0.isCoasting }.sorted { $0.rect.width < $1.rect.width }
        }
        return []
    }

    /// Nine seconds of a head that stands still. A person in the middle is followed, and leaves after five seconds. The
    /// child on the right then is nearer than the adult on the left, but looks smaller. During `times`, a program
    /// reports how far they are, with a shift of their numbers.
    private static func session(_ times: Range<Seconds>, shift: Int = 0) -> RerunRig {
        let rig = RerunRig(mode: .manual), begun = rig.now
        let places = [PanTilt(pan: 0.25, tilt: 0), PanTilt(pan: -0.25, tilt: 0), PanTilt(pan: 0, tilt: 0)]
        rig.sizes = [1.2, 1.5, 2]
        rig.people = { Array(places.prefix($0 < begun + 5 ? 3 : 2)) }
        for step in 0..<45 {
            let time = 0.2 * Double(step)
            if times.contains(time) {
                var report = DistanceReport()
                for (face, metres) in zip(faces(rig), [0.8, 1.6, 1.2]) {
                    report.distances[face.id + shift] = SubjectDistance(metres: metres, error: nil, source: .depth)
                }
                rig.ask(.show(.distances(report, time: 0.5)), client: 4)
            }
            rig.run(0.2)
        }
        return rig
    }

    /// Whether the child is followed, whose face is 0.12 wide, or nil if no person is.
    private static func isChildFollowed(_ rig: RerunRig) -> Bool? {
        faces(rig).first { $0.isFollowed }.map { $0.rect.width < 0.135 }
    }

    private static func hasDistances(_ record: TraceRecord) -> Bool {
        if case .input(.distances) = record.body { true } else { false }
    }

    @Test func `the nearer person is followed, and a replay of the trace follows the same one`() throws {
        let rig = Self.session(0..<9)
        #expect(Self.isChildFollowed(rig) == true)
        // Without room for the adult, the head turns to one of the two.
        rig.ask(.motion(.setFraming(.center)))
        rig.ask(.motion(.setMode(.system)))
        rig.run(4)
        #expect(Self.isChildFollowed(rig) == true)
        let pan = try #require(rig.snapshot.pose?.pan)
        #expect(pan > 0.1, "\(pan)")
        var trace = try rig.trace()
        #expect(trace.records.contains(where: Self.hasDistances))
        var same = try Rerun(trace)
        let report = same.run()
        #expect(report.isFromBeginning && report.difference == nil, "\(report)")
        #expect(report.setpoints.same == report.setpoints.all && report.setpoints.all > 50, "\(report.setpoints)")
        #expect(report.bytes.same == report.bytes.all)
        // Without the recorded distances, the head would have turned to the adult.
        trace.records.removeAll(where: Self.hasDistances)
        var other = try Rerun(trace)
        #expect(other.run().difference != nil)
    }

    @Test func `without distances, and once they are over, the size decides`() throws {
        #expect(Self.isChildFollowed(Self.session(0..<0)) == false)
        let rig = Self.session(0..<4)
        #expect(Self.isChildFollowed(rig) == false)
        #expect(try rig.trace().records.contains(where: Self.hasDistances), "they had counted")
    }

    @Test func `distances of unknown subjects change nothing, and are not recorded`() throws {
        let rig = Self.session(0..<9, shift: 1000)
        #expect(Self.isChildFollowed(rig) == false)
        #expect(try !rig.trace().records.contains(where: Self.hasDistances))
    }

    @Test func `tracking learns of each change, also when a program leaves`() {
        var session = SessionState(
            options: SessionState.Options(
                hasFace: false, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))
        func forwarded(_ event: SessionEvent, now: Seconds) -> [MeasuredDistance]? {
            for case .measured(let distances) in session.handle(event, now: now) { return distances }
            return nil
        }
        func report(_ metres: Double?, client: Int, now: Seconds, time: Seconds = 0.5) -> [MeasuredDistance]? {
            var report = DistanceReport(nearest: 0.5)
            report.distances[7] = metres.flatMap { SubjectDistance(metres: $0, error: 0.1, source: .depth) }
            return forwarded(.call(.show(.distances(report, time: time)), Ticket(asker: .client(client))), now: now)
        }
        let first = MeasuredDistance(id: 7, metres: 1.25, until: 1.5)
        #expect(report(1.25, client: 4, now: 1) == [first])
        #expect(report(nil, client: 6, now: 1) == nil, "the nearest thing is no subject")
        let second = MeasuredDistance(id: 7, metres: 2, until: 1.25)
        #expect(report(2, client: 5, now: 1, time: 0.25) == [first, second], "the newer one is the last one")
        #expect(forwarded(.clientClosed(client: 4), now: 1.125) == [second])
        #expect(forwarded(.clientClosed(client: 6), now: 1.125) == nil)
        #expect(report(nil, client: 5, now: 1.125) == [], "a report replaces the program's last one")
    }

    @Test func `only the newest distances wait for the next frame`() {
        let requests = PipelineRequests()
        #expect(requests.takeDistances() == nil)
        let newest = [MeasuredDistance(id: 2, metres: 2, until: 3)]
        requests.measure([MeasuredDistance(id: 1, metres: 1, until: 3)])
        requests.measure(newest)
        #expect(requests.takeDistances() == newest && requests.takeDistances() == nil)
        requests.measure([])
        #expect(requests.takeDistances() == [], "that nothing counts any more is news, too")
    }
}
