import FaceTracker
import Geometry
import Testing

@Suite struct TrackFilterTests {
    private func run(_ text: String, by chunk: Int = .max, _ options: TrackFilter.Options = .init()) -> [String] {
        var filter = TrackFilter(options: options)
        var output: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            rest.prefix(chunk).withUnsafeBytes { filter.feed($0, to: &output) }
            rest = rest.dropFirst(chunk)
        }
        filter.finish(to: &output)
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `one line of subjects per frame, in the stream's own times and numbers`() {
        let lines = run(
            """
            {"seq":7,"t":1.0,"faces":[{"rect":[0.4,0.2,0.1,0.2],"speaking":0.8}]}
            {"seq":8,"t":1.1,"faces":[]}
            {"faces":[]}
            """)
        #expect(
            lines == [
                #"{"type":"tracking","seq":7,"t":1,"subjects":[{"id":1,"kind":"person","rect":[0.4,0.2,0.1,0.2],"#
                    + #""saliency":1,"age":0,"coasting":false,"score":1,"yaw":null,"speaking":0.8,"looking":null,"distance":null,"#
                    + #""selected":true}]}"#,
                #"{"type":"tracking","seq":8,"t":1.1,"subjects":[{"id":1,"kind":"person","rect":[0.4,0.2,0.1,0.2],"#
                    + #""saliency":1,"age":0.1,"coasting":true,"score":1,"yaw":null,"speaking":0.8,"looking":null,"distance":null,"#
                    + #""selected":true}]}"#,
                #"{"type":"tracking","seq":null,"t":1.2,"subjects":[{"id":1,"kind":"person","rect":[0.4,0.2,0.1,0.2],"#
                    + #""saliency":1,"age":0.2,"coasting":true,"score":1,"yaw":null,"speaking":0.8,"looking":null,"distance":null,"#
                    + #""selected":true}]}"#,
            ])
    }

    @Test func `a tap on the command line selects as soon as a person is there`() throws {
        var options = TrackFilter.Options()
        options.select = Point(x: 0.72, y: 0.4)
        let bytes = try Recording(path: Example.path("two-people")).frames
        var output: [UInt8] = []
        var encoder = DetectionEncoder()
        for (index, frame) in bytes.enumerated() {
            encoder.writeFrame(sequence: index, time: frame.exposure, detections: frame.detections, to: &output)
        }
        let lines = run(String(decoding: output, as: UTF8.self), by: 100, options)
        #expect(lines.count == 56)
        for line in lines.dropFirst(2) {
            let chosen = line.split(separator: "{\"id\":").filter { $0.contains("\"selected\":true") }
            #expect(chosen.count == 1)
            #expect(chosen.first?.contains("\"rect\":[0.6") == true || chosen.first?.contains("\"rect\":[0.7") == true)
        }
    }

    @Test func `any split of the bytes gives the same lines`() throws {
        let text = StreamFuzzTests.text
        #expect(run(text, by: 1) == run(text))
        #expect(run(text, by: 7) == run(text))
    }

    @Test func `an error is reported to the owner and produces no line`() {
        var filter = TrackFilter()
        var output: [UInt8] = []
        Array("oops\n{\"type\":\"hello\",\"v\":3}\n{\"faces\":[]}\n{\"type\":\"bye\"}\n".utf8).withUnsafeBytes {
            filter.feed($0, to: &output)
        }
        #expect(output.isEmpty)
        #expect(filter.problems.map(\.reason) == [.noCommandsHere])
        #expect(filter.refusedVersion == "3")
    }

    @Test func `twenty bad lines are reported one by one, the rest is counted`() {
        var filter = TrackFilter()
        var output: [UInt8] = []
        let bad = [String](repeating: "oops\n", count: 50).joined()
        Array((bad + "{\"faces\":[]}\n" + bad).utf8).withUnsafeBytes { filter.feed($0, to: &output) }
        filter.finish(to: &output)
        #expect(filter.problems.prefix(20).map(\.line) == Array(1...20))
        #expect(filter.problems.map(\.count).reduce(0, +) == 100, "none is lost: \(filter.problems.map(\.count))")
        #expect(filter.problems.count < 24 && filter.problems.last?.line == 101)
        #expect(filter.counters.badLines == 100)
    }

    @Test func `a stream that restarts gets new ids`() {
        let face = #""faces":[{"rect":[0.4,0.2,0.1,0.2]}]}"#
        let lines = run([5.0, 5.1, 5.2, 0.0, 0.1].map { "{\"t\":\($0),\(face)" }.joined(separator: "\n"))
        #expect(lines.count == 5)
        #expect(lines.prefix(3).allSatisfy { $0.contains("\"id\":1,") })
        #expect(lines.suffix(2).allSatisfy { $0.contains("\"id\":2,") })
    }
}
