import Companion
import FaceTracker
import Geometry
import Glibc
import Processes
import Synchronization
import TestSupport
import Testing

/// Sources of detections in this process, and the rooms that come with the program.
@Suite struct RoomSourceTests {
    private static let folder = Place.file("Examples/rooms")

    @Test func `rooms are found by name, and by path`() {
        let library = RoomLibrary(folders: ["/nowhere", Self.folder])
        #expect(library.names == ["room-a", "room-b", "room-c"])
        #expect(library.path(of: "room-b") == Self.folder + "/room-b.jsonl")
        #expect(library.path(of: "room-z") == nil)
        #expect(library.path(of: "mine.jsonl") == "mine.jsonl" && library.path(of: "/a/b") == "/a/b")
    }

    /// A writer of three frames, after which it ends.
    private static func writer() -> DetectionWriter {
        let count = Mutex(0)
        return DetectionWriter { now, lines in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { lines += Array("{\"type\":\"hello\",\"v\":1,\"detector\":\"painted\"}\n".utf8) }
            guard number <= 3 else { return nil }
            lines += Array("{\"seq\":\(number),\"t\":\(now),\"faces\":[],\"objects\":[]}\n".utf8)
            return now + 0.01
        }
    }

    @Test func `what a source in this process writes arrives as that of a detector, and its end ends the stream`()
        throws
    {
        let vision = try Vision(cameras: [], sources: [.written(name: "room", by: Self.writer())])
        #expect(vision.state.detectors.map(\.name) == ["room"] && vision.state.active == "room" && !vision.hasCamera)
        vision.start()
        var text: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var wait = pollfd(fd: vision.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&wait, 1, 10_000) == 1)
            let count = read(vision.descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 4 && lines.first?.contains("painted") == true, "\(lines)")
        #expect(lines.last?.contains(#""seq":3"#) == true)
        vision.stop()
        #expect(vision.state.detectors.first?.state == .over && vision.state.detectors.first?.detector == "painted")
    }

    @Test func `a room excludes other sources`() throws {
        #expect(try VisionPlan(camera: nil, detectors: ["room:room-a"]).other == .room(name: "room-a"))
        for words in [["room:room-a", "exec:cat"], ["room:room-a", "room:room-b"]] {
            #expect(throws: VisionPlan.Failure.self) { try VisionPlan(camera: nil, detectors: words) }
        }
        #expect(throws: VisionPlan.Failure.self) { try VisionPlan(camera: "test", detectors: ["room:room-a"]) }
        #expect(throws: DetectionSource.Failure.self) { try DetectionSource("room:") }
    }
}
