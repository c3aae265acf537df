import DockControl
import DockSimulator
import FaceTracker
import Foundation
import Geometry
import Testing

/// The simulated camera in a recorded room, and the files of such rooms.
@Suite struct RoomTests {
    static let rooms = #filePath.replacing("Tests/DockSimulatorTests/RoomTests.swift", with: "Examples/rooms/")

    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: rooms + name + ".jsonl", encoding: .utf8)
    }

    private static func camera(_ name: String = "room-a", profile: RigProfile = .dlpDock) throws -> RoomCamera {
        RoomCamera(try RecordedRoom(text(name)), profile: profile)
    }

    private static func view(_ pan: Double, _ tilt: Double, magnification: Double = 1) -> HeadView {
        HeadView(.degrees(pan: pan, tilt: tilt), magnification: magnification)
    }

    @Test func `the rooms of the examples can be read, and have names`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.rooms).filter { $0.hasSuffix(".jsonl") }
        #expect(!files.isEmpty)
        for file in files.map({ String($0.dropLast(6)) }) {
            let room = try RecordedRoom(Self.text(file))
            #expect(file == "room-\(room.name)" && room.pan.count == 35 && room.tilt.count == 10)
        }
    }

    @Test func `a pose between two views shows the nearest one, moved by the rest`() throws {
        let camera = try Self.camera()
        let exact = try #require(camera.sightings(from: Self.view(-60, -10), rate: 0).objects.first)
        let aside = try #require(camera.sightings(from: Self.view(-57, -10), rate: 0).objects.first)
        #expect(exact.label == "cup" && aside.label == "cup")
        // Three of 66 degrees.
        #expect(abs(exact.rect.x - aside.rect.x - 3.0 / 66) < 0.01)
        let above = try #require(camera.sightings(from: Self.view(-60, -8), rate: 0).objects.first)
        #expect(abs(above.rect.y - exact.rect.y - 2.0 / 51.9) < 0.01)
    }

    @Test func `a thing appears in the middle when the head looks at it, and not from behind`() throws {
        let camera = try Self.camera()
        func cats(_ pan: Double) -> [RecordedRoom.Sighting] {
            camera.sightings(from: Self.view(pan, 10), rate: 0).objects.filter { $0.label == "cat" }
        }
        let cat = try #require(cats(-125).first)
        #expect(abs(cat.rect.center.x - 0.5) < 0.05 && abs(cat.rect.center.y - 0.5) < 0.05)
        #expect(cats(60).isEmpty)
        // Beyond the range of the recording, the last view counts.
        let beyond = camera.sightings(from: Self.view(400, 10), rate: 0).objects
        #expect(beyond.allSatisfy { Rect.full.contains($0.rect.center) })
    }

    @Test func `a head that turns fast sees less`() throws {
        let camera = try Self.camera()
        let still = camera.sightings(from: Self.view(-60, -10), rate: .degrees(19))
        let fast = camera.sightings(from: Self.view(-60, -10), rate: .degrees(90))
        #expect(fast.objects.count < still.objects.count)
    }

    @Test func `a lens that magnifies makes things larger`() throws {
        let camera = try Self.camera()
        func width(_ magnification: Double) throws -> Double {
            let seen = camera.sightings(from: Self.view(-125, 10, magnification: magnification), rate: 0)
            return try #require(seen.objects.first { $0.label == "cat" }).rect.width
        }
        #expect(try abs(width(1.3) / width(1) - 1.3) < 0.01)
    }

    @Test func `a camera that does not turn with the head always sees the same`() throws {
        var profile = RigProfile.dlpDock
        (profile.camera.mount, profile.camera.offset) = (.fixed, .degrees(pan: -125, tilt: 10))
        let camera = try Self.camera(profile: profile)
        let here = camera.sightings(from: Self.view(0, 0), rate: 0)
        #expect(here == camera.sightings(from: Self.view(90, 0), rate: 0))
        #expect(here.objects.contains { $0.label == "cat" })
    }

    @Test func `the lines are a detection stream with the room's lens, a picture each tenth of a second`() throws {
        var camera = try Self.camera(), lines: [UInt8] = []
        #expect(camera.nextDelivery == nil)
        camera.begin(now: 10, into: &lines)
        #expect(camera.nextDelivery == 10.09)
        for number in 0..<20 {
            let now = 10.09 + Double(number) / 10
            camera.deliver(now: now, looking: { _ in Self.view(-125, 10) }, into: &lines)
        }
        let recording = lines.withUnsafeBytes { Recording($0) }
        #expect(recording.frames.count == 20 && recording.problems.isEmpty)
        #expect(abs(recording.duration - 1.9) < 1e-6)
        let hello = try #require(recording.hello)
        #expect(hello.clock == .monotonic && hello.image == PictureSize(width: 640, height: 480))
        #expect(abs((hello.intrinsics?.fx ?? 0) - 492.7) < 0.5)
        let text = String(decoding: lines, as: UTF8.self)
        #expect(text.split(separator: "\n").dropFirst().allSatisfy { $0.contains(#""label":"cat""#) })
    }

    @Test func `pictures that are late are skipped`() throws {
        var camera = try Self.camera(), lines: [UInt8] = []
        camera.begin(now: 10, into: &lines)
        camera.deliver(now: 60, looking: { _ in Self.view(0, 0) }, into: &lines)
        #expect(camera.nextDelivery == 59.5 + 0.09)
    }

    @Test func `the room of the manual is one`() throws {
        let manual = Self.rooms.replacing("Examples/rooms/", with: "docs/DETECTORS.md")
        let page = try String(contentsOfFile: manual, encoding: .utf8)
        let block = try #require(page.firstMatch(of: /```json\n(\{"type":"room"[^`]*)```/)).output.1
        let room = try RecordedRoom(String(block))
        #expect(room.pan.count == 2 && room.view(nearestTo: .degrees(pan: 10, tilt: 0)).view.faces.count == 1)
    }

    private static let head =
        #"{"type":"room","v":1,"name":"t","image":{"w":640,"h":480},"hfov":66,"pan":[0,10],"tilt":[0,0],"step":10}"#
    private static let first = #"{"pan":0,"tilt":0,"objects":[]}"#

    @Test func `faces of a view are faces of the stream`() throws {
        let face = #"{"pan":10,"tilt":0,"objects":[],"faces":[{"rect":[0.4,0.4,0.2,0.2],"score":0.9}]}"#
        let room = try RecordedRoom([Self.head, Self.first, "", face].joined(separator: "\n"))
        var camera = RoomCamera(room, profile: .dlpDock), lines: [UInt8] = []
        camera.begin(now: 0, into: &lines)
        camera.deliver(now: 0.09, looking: { _ in Self.view(10, 0) }, into: &lines)
        let recording = lines.withUnsafeBytes { Recording($0) }
        #expect(recording.frames.first?.detections.first?.score == 0.9)
    }

    @Test(arguments: [
        (["", ""], 1, "not JSON"),
        (["[1]"], 1, "not an object"),
        ([#"{"type":"hello"}"#], 1, #"its type is not "room""#),
        ([head.replacing(#""v":1"#, with: #""v":2"#)], 1, "only version 1"),
        ([head.replacing("66", with: "366")], 1, #""hfov" must be 5 to 170 degrees"#),
        ([head.replacing(#","hfov":66"#, with: "")], 1, #""hfov" must be"#),
        ([head.replacing("640", with: "-1")], 1, #""w" must be"#),
        ([head.replacing("[0,10]", with: "[10,0]")], 1, #""pan" must be the first and the last angle"#),
        ([head.replacing("[0,10]", with: "[0,15]")], 1, "whole number of steps"),
        ([head.replacing(#""step":10"#, with: #""step":0"#)], 1, #""step" must be"#),
        ([head, first], 2, "the view at pan 10, tilt 0 is missing: 1 of 2"),
        ([head, first, first], 3, "this pose had a view before"),
        ([head, "", #"{"pan":5,"tilt":0,"objects":[]}"#], 3, "between two steps"),
        ([head, #"{"pan":20,"tilt":0,"objects":[]}"#], 2, #""pan" must be 0 to 10 degrees"#),
        ([head, #"{"pan":0,"tilt":0}"#], 2, #""objects" must be a list"#),
        ([head, #"{"pan":0,"tilt":0,"objects":[{"rect":[0,0,1,1],"score":1}]}"#], 2, "needs a label"),
        ([head, #"{"pan":0,"tilt":0,"objects":[{"label":"a","rect":[0,0,1],"score":1}]}"#], 2, "needs a rect"),
        ([head, #"{"pan":0,"tilt":0,"objects":[{"label":"a","rect":[0,0,1,1],"score":2}]}"#], 2, "needs a score"),
        ([head, #"{"pan":0,"tilt":0,"objects":[],"faces":[{"rect":[0,0,-1,1],"score":1}]}"#], 2, "needs a rect"),
    ])
    func `a file that is no room says in which line, and what is expected`(
        lines: [String], line: Int, text: String
    ) throws {
        do {
            _ = try RecordedRoom(lines.joined(separator: "\n"))
            Issue.record("accepted: \(lines)")
        } catch {
            #expect(error.line == line && error.text.contains(text), "\(error)")
        }
    }
}
