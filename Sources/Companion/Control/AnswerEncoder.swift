internal import ControlProtocol
internal import FaceTracker
internal import Geometry

/// Encodes an answer of a detector for topic `detections`.
enum AnswerEncoder {
    /// How far a face of an answer is, or nil if that is unknown.
    typealias Ruler = (Detection, DetectorAnswer) -> SubjectDistance?

    static func json(_ answer: DetectorAnswer, distance: Ruler) -> JSONValue {
        let frame = answer.frame, others = PassedOn(line: answer.line)
        var reading = DetectionsReading()
        reading.sequence = frame.sequence
        reading.time = frame.exposure.isFinite ? frame.exposure : nil
        (reading.arrival, reading.source, reading.isActive) = (frame.arrival, answer.source, answer.isActive)
        reading.dropped = answer.drop?.rawValue
        reading.size = frame.size.map { ($0.width, $0.height) }
        func faces(_ seen: [Detection]) -> [DetectedFaceReading] {
            seen.map { Self.face($0, distance: distance($0, answer)) }
        }
        (reading.faces, reading.maybe) = (faces(frame.detections), faces(frame.maybe))
        reading.unread = frame.unread
        (reading.zoom, reading.camera) = (frame.optics.zoom, frame.optics.camera)
        (reading.objects, reading.people, reading.hands) = (others.objects, others.people, others.hands)
        return reading.json
    }

    private static func face(_ face: Detection, distance: SubjectDistance?) -> DetectedFaceReading {
        var new = DetectedFaceReading()
        (new.rect, new.score, new.kind) = (face.rect, face.score, face.kind.rawValue)
        (new.landmarks, new.attributes) = (
            (0..<face.landmarks.count).compactMap { face.landmarks[$0] }, face.attributes
        )
        new.distance = distance
        return new
    }
}
