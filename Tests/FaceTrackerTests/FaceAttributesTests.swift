import Geometry
import Testing

@testable import FaceTracker

/// Every attribute of a face goes through the detection stream, the tracker and the lines of subjects, whichever there are.
@Suite struct FaceAttributesTests {
    /// A frame with one face that has an attribute, as a detector writes it.
    private static func line(_ attribute: FaceAttribute, _ number: String) -> String {
        #"{"faces":[{"rect":[0.4,0.2,0.1,0.2],"\#(attribute.coding.name)":\#(number)}]}"#
    }

    private static func heard(_ attribute: FaceAttribute, _ number: String) -> Double? {
        var stream = Listener()
        stream.hear(line(attribute, number))
        return stream.frames.first?.detections.first?.attributes[attribute]
    }

    @Test(arguments: FaceAttribute.all)
    func `an attribute goes from a line to its subject and back to a line`(attribute: FaceAttribute) throws {
        var stream = Listener()
        stream.hear(Self.line(attribute, "0.25"))
        let frame = try #require(stream.frames.first)
        #expect(frame.detections.first?.attributes[attribute] == 0.25)
        for other in FaceAttribute.all where other != attribute {
            #expect(frame.detections.first?.attributes[other] == nil)
        }
        var bytes: [UInt8] = [], encoder = DetectionEncoder()
        encoder.writeFrame(sequence: 1, time: 1, detections: frame.detections, to: &bytes)
        var again = Listener()
        again.hear(bytes: bytes[...])
        #expect(again.frames.first?.detections == frame.detections)
        var tracker = Tracker()
        tracker.update(frame)
        #expect(tracker.subjects.first?.attributes == frame.detections.first?.attributes)
        bytes = []
        var subjects = SubjectEncoder()
        subjects.write(
            sequence: nil, time: nil, subjects: tracker.subjects, isSelected: { _ in false }, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""\#(attribute.coding.name)":0.25,"#))
    }

    @Test(arguments: FaceAttribute.all)
    func `an impossible number counts as not computed`(attribute: FaceAttribute) {
        for number in ["null", "NaN", "Infinity", "-Infinity", "true", #""0.25""#, "[0.25]"] {
            #expect(Self.heard(attribute, number) == nil, "\(number)")
        }
        switch attribute.coding.range {
        case .share: #expect(Self.heard(attribute, "-0.5") == 0 && Self.heard(attribute, "1.5") == 1)
        case .angle: #expect(Self.heard(attribute, "3.2") == nil && Self.heard(attribute, "-3.2") == nil)
        case .positive(let most):
            #expect(Self.heard(attribute, "\(most)") == most && Self.heard(attribute, "\(most + 0.1)") == nil)
            #expect(Self.heard(attribute, "0") == nil && Self.heard(attribute, "-1") == nil)
        }
    }

    @Test func `names differ, and a byte of a trace has a bit for each attribute`() {
        #expect(Set(FaceAttribute.all.map { $0.coding.name.description }).count == FaceAttribute.all.count)
        #expect(FaceAttribute.all.count <= 6)
    }

    @Test func `a frame that lay on its side gives no yaw and every other attribute`() {
        let face = FaceAttributes(yaw: 0.5, speaking: 0.25, looking: 0.75)
        #expect(PictureOrientation(rotate: 180).upright(face).yaw == -0.5)
        #expect(PictureOrientation(isMirrored: true).upright(face).yaw == -0.5)
        #expect(PictureOrientation(rotate: 90).upright(face) == FaceAttributes(speaking: 0.25, looking: 0.75))
    }
}
