import FaceTracker
import Foundation
import Geometry
import Testing

@testable import DockSimulator

@Suite struct SceneLibraryTests {
    @Test func `every scene of the library has frames, and no other name is a scene`() {
        for name in SceneLibrary.names {
            let scene = SceneLibrary.scene(named: name)
            #expect((scene?.recording.frames.count ?? 0) > 50, "\(name)")
            #expect(scene?.recording.problems.isEmpty == true, "\(name)")
        }
        #expect(SceneLibrary.scene(named: "nowhere") == nil)
    }

    /// After a change of the visit, run this with DOCKFACE_RECORD=1 to write the file.
    @Test func `the recordings of the examples are those of the library`() throws {
        let visit = URL(fileURLWithPath: SceneTests.examples + "visit.jsonl")
        if ProcessInfo.processInfo.environment["DOCKFACE_RECORD"] != nil {
            try Data(StagedVisit.lines()).write(to: visit)
        }
        #expect(try [UInt8](Data(contentsOf: visit)) == StagedVisit.lines())
        let people = try Data(contentsOf: URL(fileURLWithPath: SceneTests.examples + "two-people.jsonl"))
        #expect([UInt8](people) == [UInt8]((SceneLibrary.twoPeople + "\n").utf8))
    }

    @Test func `two people visit, and they cross the room on both sides of the robot`() {
        let truth = SceneTruth(StagedVisit.recording())
        #expect(truth.persons == 2)
        for visitor in StagedVisit.visitors {
            let pans = visitor.places.map(\.pan)
            #expect((pans.min() ?? 0) < -30 && (pans.max() ?? 0) > 30)
        }
    }

    @Test func `a dock can follow the visitors, and their heads fit into the frame`() {
        for visitor in StagedVisit.visitors {
            var last: StagedVisit.Place?
            for time in stride(from: 0, to: StagedVisit.duration, by: 0.01) {
                guard let place = visitor.place(at: time) else {
                    last = nil
                    continue
                }
                if let last { #expect(abs(place.pan - last.pan) / 0.01 < 60, "at \(time) s") }
                #expect(place.distance >= 0.4 && place.tilt > 0 && place.tilt < 30)
                last = place
            }
        }
    }

    @Test func `the room is empty at the beginning and at the end`() {
        #expect(StagedVisit.visitors.allSatisfy { $0.place(at: 1) == nil && $0.place(at: StagedVisit.lastExit) == nil })
        #expect(StagedVisit.lastExit + 8 < StagedVisit.duration)
    }

    @Test func `a visitor steps up to the robot fast enough to startle it`() throws {
        let visitor = try #require(StagedVisit.visitors.last)
        let before = try #require(visitor.place(at: 27)), after = try #require(visitor.place(at: 27.4))
        // The width of the face in the picture grows by half, as the reaction demands.
        #expect(before.distance / after.distance > 1.5)
    }

    @Test func `the cues of a scene come at their times, in every round`() {
        var player = CuePlayer([.init(time: 1, word: "one"), .init(time: 2, word: "two")], period: 5)
        func words(until now: Seconds) -> String {
            var lines: [UInt8] = []
            player.play(now: now, into: &lines)
            return String(decoding: lines, as: UTF8.self)
        }
        #expect(words(until: 100) == "")
        player.begin(now: 100)
        #expect(words(until: 100.9) == "")
        #expect(words(until: 101) == "one\n")
        #expect(words(until: 102.5) == "two\n")
        #expect(words(until: 105.9) == "")
        #expect(words(until: 107) == "one\ntwo\n")
    }
}
