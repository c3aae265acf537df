import ControlProtocol
import FaceTracker
import Geometry
import TestSupport
import Testing

@testable import Companion
@testable import DockControl

/// Every attribute of a face goes through traces and the API, and the documents name it, whichever there are.
@Suite struct FaceAttributeCodingTests {
    private static func face(_ attribute: FaceAttribute) -> TraceFace {
        var face = TraceFace(identifier: 7, rect: Rect(x: 0.4, y: 0.2, width: 0.1, height: 0.2), score: 0.5)
        face.attributes[attribute] = 0.25
        return face
    }

    @Test(arguments: FaceAttribute.all)
    func `a trace keeps an attribute, in the ring and as text`(attribute: FaceAttribute) throws {
        let face = Self.face(attribute), recorder = FlightRecorder()
        recorder.observed(exposure: 1, camera: [], count: 2) { _ in face }
        let record = try #require(recorder.copy(cause: "asked").records.last)
        let observed = TraceObservation(exposure: 1, camera: [], faces: [face, face])
        #expect(record.body == .input(.observed(observed)))
        let line = TraceWriter.line(of: .observed(observed), time: 1)
        let value = try JSONReader.value(of: line)
        #expect(Trace.input("observe", value) == .observed(observed))
    }

    @Test func `a trace from before an attribute existed is read without it`() throws {
        let old = #"{"k":"see","t":1,"exposure":1,"faces":[{"rect":[0.4,0.2,0.1,0.2],"score":0.5,"looking":1}]}"#
        let face = TraceFace(
            rect: Rect(x: 0.4, y: 0.2, width: 0.1, height: 0.2), score: 0.5, attributes: FaceAttributes(looking: 1))
        let value = try JSONReader.value(of: Array(old.utf8))
        #expect(Trace.input("see", value) == .picture(TracePicture(exposure: 1, faces: [face])))
    }

    @Test(arguments: FaceAttribute.all)
    func `a program's attribute is accepted, and reported in the topic`(attribute: FaceAttribute) throws {
        let name = attribute.coding.name.description
        func frame(_ number: Double) throws -> ObservationFrame {
            let observation: JSONValue = .object([
                "id": .number(7), "rect": .array([.number(0.4), .number(0.2), .number(0.1), .number(0.2)]),
                name: .number(number),
            ])
            let members: [String: JSONValue] = ["observations": .array([observation])]
            return try ControlTrack.frame(
                ControlParams(members, of: "track", MethodTable.row("track")?.parameters ?? []))
        }
        #expect(try frame(0.25).observations.first?.attributes[attribute] == 0.25)
        #expect(throws: DockError.self) { try frame(-101) }
        var subject = TrackedSubject(id: 7, rect: .full), status = SessionStatus()
        subject.attributes[attribute] = 0.25
        status.frame = TrackedFrame(exposure: 1, subjects: [subject], selected: [], setPoint: Point(x: 0.5, y: 0.5))
        let value = TopicEncoder.data(of: .tracking, status, now: 1)["subjects"]?.array?.first?[name]
        #expect(value == (attribute.coding.isInTopic ? .number(0.25) : nil))
    }

    @Test(arguments: FaceAttribute.all)
    func `the documents and the Python client know an attribute`(attribute: FaceAttribute) throws {
        let coding = attribute.coding, name = coding.name.description
        func text(_ file: String) throws -> String {
            try #require(TemporaryFile.text(of: Place.file(file)), "\(file)")
        }
        let row = try text("docs/DETECTORS.md").split(separator: "\n").first { $0.hasPrefix("| `\(name)` |") }
        #expect(row?.contains("| \(coding.unit.rawValue) |") == true, "docs/DETECTORS.md: \(name)")
        #expect(try text("docs/CONTROL-API.md").contains("\(name)?"), "docs/CONTROL-API.md: parameter of `track`")
        if coding.isInTopic { #expect(try text("docs/CONTROL-API.md").contains(" \(name), ")) }
        let types = try JSONReader.value(of: Array(text("docs/control-api.schema.json").utf8))["definitions"]?["types"]
        #expect(types?["observation"]?["properties"]?[name] != nil)
        #expect((types?["subject"]?["properties"]?[name] != nil) == coding.isInTopic)
        let fields = try text("clients/python/dockface/values.py").split(separator: "\n")
            .filter { $0.hasPrefix("    \(name): Optional[float]") }
        #expect(fields.count == (coding.isInTopic ? 2 : 1), "values.py: Observation, and Subject for the topic")
    }
}
