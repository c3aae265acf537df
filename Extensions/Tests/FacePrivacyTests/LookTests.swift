import ControlProtocol
import Geometry
import Testing

@testable import FacePrivacy

@Suite struct LookTests {
    static let face = Bench.face
    static let good = Answer(sequence: 7, time: 100.25, arrival: 100.3, faces: [(face, 0.9)])

    static func problem(_ change: (inout Answer) -> Void) -> LookProblem? {
        var answer = good
        change(&answer)
        do throws(LookProblem) {
            _ = try FaceLook(json: answer.json)
            return nil
        } catch { return error }
    }

    @Test func `an answer names its frame, its time, its shape and its faces`() throws {
        let look = try FaceLook(json: Self.good.json)
        #expect(look.source == "blazeface" && look.sequence == 7 && look.exposure == 100.25 && look.arrival == 100.3)
        #expect(look.faces == [Self.face] && look.aspect == 160.0 / 120)
    }

    @Test func `an answer without a number or a time is no look`() {
        #expect(Self.problem { $0.sequence = nil } == .noSequence)
        #expect(Self.problem { $0.time = nil } == .noTime)
        #expect(Self.problem { $0.time = .nan } == .noTime)
        #expect(Self.problem { _ in } == nil)
    }

    @Test func `low scores count from 0.3 on, wherever the detector writes them`() throws {
        var answer = Self.good
        let others = (1...4).map { Self.face.offset(dx: Double($0) / 10, dy: 0) }
        answer.faces += [(others[0], 0.5), (others[1], 0.49), (others[2], 0.3), (others[3], 0.29)]
        #expect(try FaceLook(json: answer.json).faces == [Self.face] + others.prefix(3))
        var reading = DetectionsReading()
        (reading.sequence, reading.time) = (1, 1)
        reading.faces = [Answer.face(Self.face, 0.31), Answer.face(others[0], 0.2)]
        reading.maybe = [Answer.face(others[1], 0.3)]
        #expect(try FaceLook(reading).faces == [Self.face, others[1]])
    }

    @Test func `a face that cannot be read makes the whole answer useless`() {
        #expect(Self.problem { $0.broken = 1 } == .garbage)
        guard case .object(var answer) = Self.good.json else { return }
        answer["unread"] = .number(1)
        #expect(throws: LookProblem.garbage) { try FaceLook(json: .object(answer)) }
        let bad: [JSONValue] = [
            .array([.number(0.1), .number(0.1), .number(0), .number(0.2)]),
            .array([.number(0.1), .number(0.1), .number(0.2), .number(-0.2)]),
            .array([.number(9), .number(0.1), .number(0.2), .number(0.2)]), .null,
            .string("x"), .array([.number(1e300), .number(0), .number(1e300), .number(1)]),
        ]
        for rect in bad {
            for member in ["faces", "maybe"] {
                guard case .object(var members) = Self.good.json else { return }
                guard case .object(var face) = Answer.face(Self.face).json else { return }
                face["rect"] = rect
                members[member] = .array([.object(face)])
                #expect(throws: LookProblem.garbage) { try FaceLook(json: .object(members)) }
            }
        }
    }

    @Test func `a number that is not finite makes the answer useless`() {
        for odd in [Double.nan, .infinity, -.infinity] {
            var reading = DetectionsReading()
            (reading.sequence, reading.time, reading.faces) = (1, 1, [Answer.face(Self.face, odd)])
            #expect(throws: LookProblem.garbage) { try FaceLook(reading) }
            let rects = [
                Rect(x: odd, y: 0, width: 1, height: 1), Rect(x: 0, y: odd, width: 1, height: 1),
                Rect(x: 0, y: 0, width: odd, height: 1), Rect(x: 0, y: 0, width: 1, height: odd),
            ]
            for rect in rects {
                reading.faces = [Answer.face(rect)]
                #expect(throws: LookProblem.garbage) { try FaceLook(reading) }
            }
            reading.faces = []
            reading.size = (640, odd)
            #expect(throws: LookProblem.garbage) { try FaceLook(reading) }
            reading.size = nil
            reading.arrival = odd
            #expect(throws: LookProblem.noTime) { try FaceLook(reading) }
        }
    }

    @Test(arguments: [(0.0, 480.0), (640, 0), (-640, -480), (640, -480)])
    func `a size that cannot be makes the answer useless`(size: (Double, Double)) {
        #expect(Self.problem { $0.size = (size.0, size.1) } == .garbage)
    }

    @Test func `things are no faces, and more than 64 faces are too many`() throws {
        var reading = DetectionsReading()
        (reading.sequence, reading.time) = (1, 1)
        reading.faces = [Answer.face(Self.face, kind: "object"), Answer.face(Self.face, kind: "robot")]
        #expect(try FaceLook(reading).faces.count == 1, "an unknown kind may be a person")
        reading.faces = [DetectedFaceReading](repeating: Answer.face(Self.face), count: 64)
        #expect(try FaceLook(reading).faces.count == 64)
        reading.faces.append(Answer.face(Self.face))
        #expect(throws: LookProblem.crowded) { try FaceLook(reading) }
    }

    @Test func `what is no answer is no reading`() {
        for json in [JSONValue.null, .object([:]), .array([]), .object(["maybe": .number(1)])] {
            #expect(DetectionsReading(json: json) == nil)
        }
        guard case .object(var members) = Self.good.json else { return }
        members["maybe"] = .string("no")
        #expect(DetectionsReading(json: .object(members)) == nil)
    }

    @Test func `a reading counts the faces that it could not read`() throws {
        guard case .object(var members) = Self.good.json, let face = members["faces"]?.array?.first else { return }
        #expect(try #require(DetectionsReading(json: .object(members))).misread == 0)
        members["faces"] = .array([.null, face, .object(["rect": .string("here")])])
        members["maybe"] = .array([.number(1)])
        let reading = try #require(DetectionsReading(json: .object(members)))
        #expect(reading.misread == 3 && reading.faces.count == 1 && reading.unread == 0)
        #expect(throws: LookProblem.garbage) { try FaceLook(reading) }
    }

    @Test(arguments: LookProblem.allCases)
    func `every problem has words and a reason`(problem: LookProblem) {
        #expect(!problem.words.isEmpty && problem.reason < .noLookBefore)
    }
}
