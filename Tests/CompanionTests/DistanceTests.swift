import ControlProtocol
import DockControl
import DockTypes
import FaceTracker
import Geometry
import Testing

@testable import Companion

enum DistanceSamples {
    /// Subject 7 at 1.25 m, and something at 0.8 m.
    static let report: DistanceReport = {
        var report = DistanceReport()
        report.distances[7] = SubjectDistance(metres: 1.25, error: 0.02, source: .depth)
        report.nearest = 0.8
        return report
    }()
}

/// How far subjects are: what is measured, what a detector states, and what follows from the size.
@Suite struct DistanceTests {
    /// A face of 0.155 m at 2 m, through the lens of the profile.
    private static let rect: Rect = {
        let width = CameraModel(camera: RigProfile.Camera()).focal.x * 0.155 / 2
        return Rect(x: 0.5 - width / 2, y: 0.4, width: width, height: 0.2)
    }()

    private static func frame(_ subject: TrackedSubject) -> TrackedFrame {
        TrackedFrame(
            exposure: 1, camera: CameraModel(camera: RigProfile.Camera()), subjects: [subject], followed: subject,
            selected: [], setPoint: Point(x: 0.5, y: 0.5))
    }

    private static func state() -> SessionState {
        SessionState(
            options: SessionState.Options(
                hasFace: false, display: .fixed, endsWithInput: false, dryRun: false, seed: 1))
    }

    private static func ticket(_ client: Int = 4) -> Ticket {
        var ticket = Ticket(asker: .client(client))
        ticket.call = 9
        return ticket
    }

    private static func used(_ effects: [SessionEffect]) -> Int? {
        for case .reply(_, .success(let outcome)) in effects {
            if case .used(let count) = outcome.value { return count }
        }
        return nil
    }

    @Test func `a measured distance counts more than a stated one, and that more than the size`() throws {
        var subject = TrackedSubject(id: 7, rect: Self.rect)
        var frame = Self.frame(subject)
        let size = try #require(frame.distance(of: subject))
        #expect(size.source == .size && abs(size.metres - 2) < 0.01 && abs((size.error ?? 0) - 0.2) < 0.01)
        subject.attributes.distance = 2.4
        #expect(frame.distance(of: subject) == SubjectDistance(metres: 2.4, error: nil, source: .detector))
        frame.measured = DistanceSamples.report.distances
        #expect(frame.distance(of: subject)?.metres == 1.25 && frame.distance(of: subject)?.source == .depth)
        let other = TrackedSubject(id: 8, rect: Self.rect)
        #expect(frame.distance(of: other)?.source == .size, "another person was not measured")
    }

    @Test func `an object, and a face before the lens is known, have no size`() {
        var frame = Self.frame(TrackedSubject(id: 7, kind: .object, rect: Self.rect))
        #expect(frame.distance(of: frame.subjects[0]) == nil)
        frame.subjects[0].kind = .person
        frame.camera = nil
        #expect(frame.distance(of: frame.subjects[0]) == nil)
    }

    @Test func `the topic and the words say how far the subject is, and how that is known`() throws {
        var status = SessionStatus()
        status.frame = Self.frame(TrackedSubject(id: 7, rect: Self.rect))
        func subject() throws -> SubjectReading {
            let data = TopicEncoder.data(of: .tracking, status, now: 1)
            return try #require(TrackingReading(json: data)?.subjects.first)
        }
        #expect(try subject().distance?.source == .size)
        status.frame?.measured = DistanceSamples.report.distances
        #expect(try subject().distance == DistanceSamples.report.distances[7])
        status.frame?.measured = [:]
        status.frame?.camera = nil
        let unknown = try subject()
        #expect(unknown.distance == nil && unknown.distanceError == nil && unknown.distanceSource == nil)
        var view = TrackingView()
        view.record(Self.frame(TrackedSubject(id: 7, rect: Self.rect)), now: 1)
        #expect(view.followedWords == " #7 at ~2.0 m")
        _ = view.measured(DistanceSamples.report, client: 1, now: 1, until: 2)
        #expect(view.followedWords == " #7 at 1.3 m")
    }

    @Test func `a reading of an older or a newer daemon is still read`() throws {
        var new = SubjectReading()
        (new.id, new.kind) = (7, "person")
        new.distance = SubjectDistance(metres: 2, error: 0.2, source: .size)
        var members = try #require(new.json.object)
        (members["distanceError"], members["distanceSource"]) = (nil, nil)
        let old = try #require(SubjectReading(json: .object(members)))
        #expect(old.distance == SubjectDistance(metres: 2, error: nil, source: .detector))
        members["distance"] = nil
        #expect(SubjectReading(json: .object(members))?.distance == nil)
        members["distance"] = .number(2)
        members["distanceSource"] = .string("sonar")
        let newer = try #require(SubjectReading(json: .object(members)))
        #expect(newer.distanceSource == "sonar" && newer.attributes.distance == 2 && newer.distance == nil)
    }

    @Test func `what a program measures counts for its time, and until its connection ends`() throws {
        var session = Self.state()
        _ = session.handle(.tracked(Self.frame(TrackedSubject(id: 7, rect: Self.rect))), now: 1)
        func source(_ now: Seconds) -> SubjectDistance.Source? {
            let frame = Self.frame(TrackedSubject(id: 7, rect: Self.rect))
            _ = session.handle(.tracked(frame), now: now)
            let status = session.status(now: now)
            return status.frame.flatMap { frame in frame.followed.flatMap { frame.distance(of: $0)?.source } }
        }
        func report(_ report: DistanceReport, _ client: Int = 4, now: Seconds) -> [SessionEffect] {
            session.handle(.call(.show(.distances(report, time: 0.5)), Self.ticket(client)), now: now)
        }
        #expect(Self.used(report(DistanceSamples.report, now: 1)) == 1)
        #expect(source(1.1) == .depth && source(1.49) == .depth && source(1.51) == .size)
        var elsewhere = DistanceReport()
        elsewhere.distances[99] = DistanceSamples.report.distances[7]
        #expect(Self.used(report(elsewhere, now: 2)) == 0, "it is not in view")
        _ = report(DistanceSamples.report, now: 3)
        _ = session.handle(.clientClosed(client: 4), now: 3.1)
        #expect(source(3.2) == .size)
    }

    @Test func `of two programs the newer counts`() {
        var board = DistanceBoard()
        func report(_ metres: Double) -> DistanceReport {
            var report = DistanceReport()
            report.distances[7] = SubjectDistance(metres: metres, error: nil, source: .depth)
            report.nearest = metres / 2
            return report
        }
        board.set(report(1), client: 1, now: 0, until: 1)
        board.set(report(2), client: 2, now: 0, until: 0.5)
        #expect(board.distances(now: 0.1)[7]?.metres == 2 && board.nearest(now: 0.1) == 0.5)
        #expect(board.distances(now: 0.6)[7]?.metres == 1)
        #expect(board.distances(now: 1).isEmpty && board.nearest(now: 1) == nil)
    }

    @Test func `programs that take all places do not keep out one that sees something near`() {
        var board = DistanceBoard()
        for client in 1...DistanceBoard.most {
            board.set(DistanceReport(nearest: 5), client: client, now: 2, until: 4)
        }
        board.set(DistanceReport(nearest: 0.2), client: 99, now: 2.5, until: 3)
        #expect(board.nearest(now: 2.6) == 0.2)
        for client in 1..<DistanceBoard.most {
            board.set(DistanceReport(nearest: 5), client: client, now: 2.6, until: 4)
        }
        #expect(board.nearest(now: 2.7) == 0.2, "those with older reports give way first")
        board.remove(client: 99)
        #expect(board.nearest(now: 2.7) == 5)
    }

    @Test func `the faces of a detector's answer have distances, as far as they are known`() throws {
        var answer = DetectorAnswer(
            source: "yunet", isActive: true,
            frame: DetectionFrame(exposure: 1, detections: [Detection(rect: Self.rect)]))
        var sight = AnswerSight(frame: nil, profile: .dlpDock)
        func faces() throws -> [DetectedFaceReading] {
            let json = AnswerEncoder.json(answer, distance: sight.distance)
            return try #require(DetectionsReading(json: json)).faces
        }
        #expect(try faces().first?.distance?.source == .size)
        answer.frame.optics = FrameOptics(zoom: 2)
        let near = try #require(faces().first?.distance?.metres)
        answer.frame.optics = .usual
        let far = try #require(faces().first?.distance?.metres)
        #expect(abs(near / far - 2) < 0.01, "magnified, a face of this size is twice as far away")
        answer.frame.detections[0].attributes.distance = 3
        #expect(try faces().first?.distance == SubjectDistance(metres: 3, error: nil, source: .detector))
        sight.frame = Self.frame(TrackedSubject(id: 7, rect: Self.rect.offset(dx: 0.005, dy: 0)))
        sight.frame?.measured = DistanceSamples.report.distances
        #expect(try faces().first?.distance?.source == .depth)
        answer.isActive = false
        #expect(try faces().first?.distance?.source == .detector, "the subjects are not those of a standby detector")
        answer.isActive = true
        answer.frame.detections[0].rect.x += 0.2
        #expect(try faces().first?.distance?.source == .detector, "this is another face")
        answer.frame.detections = [Detection(rect: Self.rect, kind: .object)]
        sight.frame = nil
        #expect(try faces().first?.distance == nil)
    }
}
