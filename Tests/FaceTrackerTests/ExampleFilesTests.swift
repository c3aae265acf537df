import FaceTracker
import Geometry
import Testing

/// The recorded detections of real video in Examples/faces.
enum Example {
    static func path(_ name: String, from file: String = #filePath) -> String {
        let root = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        return root + "/Examples/faces/\(name).jsonl"
    }

    static func recording(_ name: String) throws -> Recording { try Recording(path: path(name)) }

    /// Tracks a whole recording and returns the tracker's output for each frame.
    static func track(_ name: String, _ options: TrackerOptions = TrackerOptions()) throws -> [[TrackedSubject]] {
        var tracker = Tracker(options: options)
        return try recording(name).frames.map { frame in
            tracker.update(frame)
            return tracker.subjects
        }
    }
}

@Suite struct ExampleFilesTests {
    @Test(arguments: [
        ("two-people", 56, 112), ("man-turning-head", 62, 62), ("woman-turning-head", 23, 23), ("walking", 35, 56),
        ("walking-and-pause", 41, 123), ("one-by-one", 1394, 374),
    ])
    func `every frame and face is decoded`(name: String, frames: Int, faces: Int) throws {
        let recording = try Example.recording(name)
        #expect(recording.frames.count == frames)
        #expect(recording.frames.reduce(0) { $0 + $1.detections.count } == faces)
        #expect(recording.problems.isEmpty)
        #expect(recording.hello?.detector == "blazeface-full-range")
    }

    @Test func `two people keep their two ids for the whole file`() throws {
        let seen = try Example.track("two-people")
        #expect(Set(seen.joined().map(\.id)) == [1, 2])
        #expect(seen.dropFirst(2).allSatisfy { $0.count == 2 && !$0.contains { $0.coasting } })
        let left = seen.compactMap { $0.min { $0.rect.x < $1.rect.x }?.id }
        #expect(Set(left.dropFirst(2)).count == 1)
    }

    @Test(arguments: ["man-turning-head", "woman-turning-head"])
    func `one person who turns the head keeps one id`(name: String) throws {
        #expect(Set(try Example.track(name).joined().map(\.id)) == [1])
    }

    @Test func `three people who walk and pause keep three ids`() throws {
        let ids = Set(try Example.track("walking-and-pause").joined().map(\.id))
        #expect(ids.count <= 4)
    }

    @Test func `no subject is created from scores below 0.7`() throws {
        var tracker = Tracker()
        for frame in try Example.recording("one-by-one").frames {
            let before = Set(tracker.subjects.map(\.id))
            tracker.update(frame)
            for subject in tracker.subjects where !before.contains(subject.id) && subject.age == 0 {
                #expect(subject.score >= 0.7)
            }
        }
        var weak = Tracker()
        for var frame in try Example.recording("one-by-one").frames {
            frame.detections.removeAll { $0.score >= 0.7 }
            weak.update(frame)
            #expect(weak.subjects.isEmpty)
        }
    }
}
