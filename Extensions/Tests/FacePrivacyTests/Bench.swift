import ControlProtocol
import Geometry

@testable import FacePrivacy

/// An answer of a detector, as a test writes it.
struct Answer {
    var source = "blazeface"
    var sequence: Int? = 0
    var time: Seconds?
    var arrival: Seconds = 0
    var size: (width: Double, height: Double)? = (160, 120)
    /// Rectangles with scores. Those below 0.5 are written as `maybe`, as a stage does.
    var faces: [(rect: Rect, score: Double)] = []
    /// The number of faces that no reader can read.
    var broken = 0

    /// The answer as topic `detections` sends it.
    var json: JSONValue {
        var reading = DetectionsReading()
        (reading.source, reading.sequence, reading.time, reading.size) = (source, sequence, time, size)
        (reading.arrival, reading.isActive) = (arrival, true)
        reading.faces = faces.filter { $0.score >= 0.5 }.map { Self.face($0.rect, $0.score) }
        reading.maybe = faces.filter { $0.score < 0.5 }.map { Self.face($0.rect, $0.score) }
        guard broken > 0, case .object(var members) = reading.json else { return reading.json }
        let bad = JSONValue.object(["rect": .string("here"), "score": .number(0.9)])
        members["faces"] = .array((members["faces"]?.array ?? []) + [JSONValue](repeating: bad, count: broken))
        return .object(members)
    }

    static func face(_ rect: Rect, _ score: Double = 0.9, kind: String = "person") -> DetectedFaceReading {
        var face = DetectedFaceReading()
        (face.rect, face.score, face.kind) = (rect, score, kind)
        return face
    }
}

extension FaceLook {
    /// Reads an answer as the program gets it: the client reads the data of the topic first.
    init(json: JSONValue, leastScore: Double = FacePolicy().leastScore) throws(LookProblem) {
        guard let reading = DetectionsReading(json: json) else { throw .garbage }
        try self.init(reading, leastScore: leastScore)
    }
}

extension FaceLedger {
    /// Adds an answer, or notes that it cannot be used, as the program does.
    mutating func receive(_ answer: Answer) {
        do throws(LookProblem) {
            add(try FaceLook(json: answer.json, leastScore: policy.leastScore))
        } catch {
            refuse(error, source: answer.source, now: answer.arrival)
        }
    }
}

/// A ledger with pictures at 30 a second: picture n is taken at 100 + n / 30.
struct Bench {
    var ledger: FaceLedger

    init(_ change: (inout FacePolicy) -> Void = { _ in }) {
        var policy = FacePolicy()
        change(&policy)
        ledger = FaceLedger(policy: policy)
    }

    static let face = Rect(x: 0.4, y: 0.3, width: 0.1, height: 0.2)
    static let still = PanTilt.zero

    static func time(_ frame: Int) -> Seconds { 100 + Double(frame) / 30 }

    static func stamp(
        _ frame: Int, rate: PanTilt? = still, width: Int = 640, height: Int = 480, optics: FrameOptics = .usual
    ) -> FrameStamp {
        FrameStamp(
            sequence: frame, exposure: time(frame), width: width, height: height, rate: rate, optics: optics)
    }

    static func look(
        _ frame: Int, _ faces: [Rect] = [face], source: String = "blazeface", late: Seconds = 0.1,
        aspect: Double? = nil, optics: FrameOptics = .usual
    ) -> FaceLook {
        FaceLook(
            source: source, sequence: frame, exposure: time(frame), arrival: time(frame) + late, aspect: aspect,
            optics: optics, faces: faces)
    }

    mutating func pass(_ frames: ClosedRange<Int>, rate: PanTilt? = still, optics: FrameOptics = .usual) {
        for frame in frames { ledger.pass(Self.stamp(frame, rate: rate, optics: optics)) }
    }

    mutating func add(_ looks: FaceLook...) { for look in looks { ledger.add(look) } }

    func verdict(_ frame: Int, rate: PanTilt? = still, optics: FrameOptics = .usual) -> FrameVerdict {
        ledger.verdict(for: Self.stamp(frame, rate: rate, optics: optics))
    }
}

extension FrameVerdict {
    /// The areas, if faces are covered.
    var areas: [FaceArea] { if case .faces(let areas) = self { areas } else { [] } }
    /// The reason, if the whole picture is covered.
    var reason: CoverReason? { if case .whole(let reason) = self { reason } else { nil } }

    /// Whether a rectangle is inside one of the areas.
    func covers(_ rect: Rect) -> Bool {
        areas.contains {
            $0.rect.x <= rect.x && $0.rect.y <= rect.y && $0.rect.maxX >= rect.maxX && $0.rect.maxY >= rect.maxY
        }
    }
}
