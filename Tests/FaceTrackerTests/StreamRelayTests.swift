import CPosix
import Geometry
import Glibc
import Testing

@testable import FaceTracker

/// When a stage gets its next frame.
@Suite struct StagePaceTests {
    @Test func `the mean rate is the requested one, however the frames come`() {
        var pace = StagePace(framesPerSecond: 10)
        var now = 0.0, count = 0
        // A camera of 30 frames a second whose frames come up to 5 ms late.
        for picture in 0..<3000 {
            now = Double(picture) / 30 + Double(picture * 7 % 11) / 2200
            guard !pace.isWaiting, now >= pace.due else { continue }
            pace.handedOut(arrival: now, now: now)
            _ = pace.answered(now: now + 0.006)
            count += 1
        }
        #expect((995...1002).contains(count), "\(count) in 100 s")
    }

    @Test func `a stage that was slower than its pace is not flooded afterwards`() {
        var pace = StagePace(framesPerSecond: 10)
        pace.handedOut(arrival: 0, now: 0)
        _ = pace.answered(now: 5)
        pace.handedOut(arrival: 5, now: 5)
        #expect(pace.due > 5.04)
    }

    @Test func `latency counts from the frame, or from when the stage was free`() {
        var pace = StagePace(framesPerSecond: .infinity)
        pace.handedOut(arrival: 1, now: 1.002)
        #expect(abs((pace.answered(now: 1.010)?.median ?? 0) - 0.010) < 1e-9)
        pace.handedOut(arrival: 1.001, now: 1.010)
        #expect(abs((pace.answered(now: 1.018)?.median ?? 0) - 0.010) < 1e-9)
    }
}

/// Which parts of a stage's stream are forwarded.
@Suite struct StreamRelayTests {
    /// A pipe like a session's, and its outlet.
    private final class Pipe {
        let outlet: DetectionOutlet
        private let descriptor: Int32, writeEnd: Int32

        init() throws {
            var readEnd: Int32 = -1, writeEnd: Int32 = -1
            try #require(cposix_pipe(&readEnd, &writeEnd) == 0)
            _ = cposix_set_nonblocking(readEnd, true)
            (descriptor, self.writeEnd, outlet) = (readEnd, writeEnd, DetectionOutlet(writeEnd))
        }

        deinit { close(descriptor) }

        /// Returns the same pipe for the test's own outlet, and closes `outlet`.
        func another() throws -> Int32 {
            let copy = dup(writeEnd)
            try #require(copy >= 0)
            outlet.finish()
            return copy
        }

        /// The available output, at most this many bytes.
        func read(_ most: Int = 1 << 20) -> String {
            var text: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 1 << 12)
            while text.count < most {
                outlet.flush()
                let count = Glibc.read(descriptor, &chunk, min(chunk.count, most - text.count))
                guard count > 0 else { break }
                text += chunk[..<count]
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    private func feed(_ relay: inout StreamRelay, _ text: String) -> [StreamRelay.Event] {
        Array(text.utf8).withUnsafeBytes { relay.feed($0, now: 100, realtime: 1e9) }
    }

    @Test func `whole lines are forwarded, half ones wait`() throws {
        let pipe = try Pipe()
        var relay = StreamRelay(to: pipe.outlet, source: 0)
        #expect(feed(&relay, #"{"faces":[]}"#) == [])
        #expect(pipe.read() == "")
        #expect(feed(&relay, "\n{\"fa") == [.frame])
        #expect(pipe.read() == "{\"faces\":[]}\n")
        relay.begin()
        _ = feed(&relay, "{\"type\":\"hello\",\"v\":1}\n")
        #expect(pipe.read() == "{\"type\":\"hello\",\"v\":1}\n", "half a line of a dead child is dropped")
    }

    @Test func `frames that were given to a source get their optics, other lines do not`() throws {
        let pipe = try Pipe()
        var relay = StreamRelay(to: pipe.outlet, source: 0, isGivenPictures: true)
        relay.given = GivenPicture(width: 640, height: 480, optics: FrameOptics(camera: 2, zoom: 1.5))
        _ = feed(&relay, #"{"seq":1,"faces":[{"rect":[0,0,1,1]}]}"# + "\n" + #"{"type":"status","text":"x"}"# + "\n")
        #expect(
            pipe.read() == #"{"size":[640,480],"seq":1,"faces":[{"rect":[0,0,1,1]}],"camera":2,"zoom":1.5}"# + "\n"
                + #"{"type":"status","text":"x"}"# + "\n")
        relay.given?.optics = .usual
        _ = feed(&relay, #"{"seq":2,"faces":[],"size":[320,240]}"# + "\n")
        #expect(pipe.read() == #"{"size":[640,480],"seq":2,"faces":[],"size":[320,240]}"# + "\n", "its own size counts")
        var own = StreamRelay(to: pipe.outlet, source: 0)
        own.given = relay.given
        _ = feed(&own, #"{"seq":3,"faces":[],"zoom":3}"# + "\n")
        #expect(pipe.read() == #"{"seq":3,"faces":[],"zoom":3}"# + "\n", "a source with its own camera knows better")
    }

    @Test func `a reader that does not read gets whole lines, up to the available room`() throws {
        let pipe = try Pipe()
        var relay = StreamRelay(to: pipe.outlet, source: 0, isCapped: false)
        let line = "{\"faces\":[],\"x\":\"" + String(repeating: "x", count: 1000) + "\"}\n"
        for _ in 0..<1000 { _ = feed(&relay, line) }
        let text = pipe.read()
        #expect(text.utf8.count <= DetectionOutlet.room + (1 << 16), "the backlog, and what the pipe holds")
        #expect(text.utf8.count % line.utf8.count == 0)
        #expect(pipe.outlet.dropped == 1000 - text.utf8.count / line.utf8.count)
    }

    @Test
    func `of a flood of frames the newest are forwarded, 240 a second, together with all other lines`()
        throws
    {
        let pipe = try Pipe()
        var relay = StreamRelay(to: pipe.outlet, source: 0)
        let frames = (0..<1000).map { #"{"seq":\#($0),"faces":[]}"# }
        let hello = #"{"type":"hello","v":1}"#, last = #"{"type":"bye"}"#
        let events = feed(&relay, (frames + [hello, last]).joined(separator: "\n") + "\n")
        let problem = "760 lines dropped: the source sends more than 240 per second"
        #expect(events.filter { $0 == .frame }.count == 240 && events.contains(.bye))
        #expect(events.last == .problem(problem))
        let lines = pipe.read().split(separator: "\n").map(String.init)
        #expect(lines == Array(frames.suffix(240)) + [hello])
        #expect(feed(&relay, frames[0] + "\n") == [], "and it is reported once a second")
        let later = Array((frames[1] + "\n").utf8).withUnsafeBytes { relay.feed($0, now: 100.01, realtime: 1e9) }
        #expect(later == [.frame])
    }

    @Test func `no more bytes are read than a source may send`() throws {
        let pipe = try Pipe()
        var relay = StreamRelay(to: pipe.outlet, source: 0)
        let kilobyte = Array((#"{"faces":[],"x":""# + String(repeating: "x", count: 1004) + "\"}\n").utf8)
        var now = 0.0, read = 0
        while now < 10 {
            // A source that always sends.
            while relay.room(now: now) >= kilobyte.count {
                _ = kilobyte.withUnsafeBytes { relay.feed($0, now: now, realtime: 1e9) }
                read += kilobyte.count
            }
            #expect(relay.opens > now && relay.opens < now + 0.02)
            now = relay.opens
        }
        #expect(read > 9 << 20 && read < 11 << 20, "\(read) bytes in ten seconds")
        relay.begin()
        #expect(relay.room(now: now) < 1 << 15, "a restarted source has only the allowance that its predecessor left")
    }

    @Test func `a late frame is still a sign of life`() throws {
        let pipe = try Pipe()
        var relay = StreamRelay(to: pipe.outlet, source: 0)
        _ = feed(&relay, "{\"type\":\"hello\",\"v\":1,\"clock\":\"monotonic\"}\n")
        #expect(feed(&relay, "{\"t\":90,\"faces\":[]}\n") == [.frame])
    }

    @Test func `a stream in another version is not forwarded until it speaks this one`() throws {
        let pipe = try Pipe()
        var relay = StreamRelay(to: pipe.outlet, source: 0)
        #expect(feed(&relay, "{\"type\":\"hello\",\"v\":2}\n{\"faces\":[]}\n") == [.refused(version: "2")])
        #expect(pipe.read() == "")
        _ = feed(&relay, "{\"type\":\"hello\",\"v\":1}\n{\"faces\":[]}\n")
        #expect(pipe.read() == "{\"type\":\"hello\",\"v\":1}\n{\"faces\":[]}\n")
    }

    @Test func `lines without an end are reported once a second, and twenty of them are a reason to restart`() throws {
        let pipe = try Pipe()
        var relay = StreamRelay(to: pipe.outlet, source: 0)
        let long = String(repeating: "x", count: 70_000) + "\n"
        var problems = 0
        for _ in 0..<20 { problems += feed(&relay, long).count }
        #expect(problems == 1)
        #expect(relay.wantsRestart)
        _ = feed(&relay, "{\"faces\":[]}\n")
        #expect(!relay.wantsRestart)
    }

    @Test func `a detector that gets our frames need not know the mounting of the camera`() throws {
        let pipe = try Pipe()
        var relay = StreamRelay(to: pipe.outlet, source: 0, isGivenPictures: true)
        _ = feed(&relay, "{\"type\":\"hello\",\"v\":1}\n")
        #expect(pipe.read() == "{\"mirrored\":false,\"rotate\":0,\"type\":\"hello\",\"v\":1}\n")
        _ = feed(&relay, " {\"type\":\"hello\",\"v\":1,\"rotate\":90}\n")
        #expect(pipe.read() == " {\"mirrored\":false,\"type\":\"hello\",\"v\":1,\"rotate\":90}\n")
        relay.begin()
        _ = feed(&relay, "{\"type\":\"hello\",\"v\":1,\"rotate\":0,\"mirrored\":true}\n")
        #expect(pipe.read() == "{\"type\":\"hello\",\"v\":1,\"rotate\":0,\"mirrored\":true}\n")
        pipe.outlet.activate(1)
        pipe.outlet.activate(0)
        #expect(pipe.read().contains("\"mirrored\":true"))
    }

    // MARK: several sources

    @Test func `the stream ends with the last source, whichever is active`() throws {
        let pipe = try Pipe()
        let other = DetectionOutlet(try pipe.another(), sources: ["first", "second"])
        #expect(!other.end(of: 1, saying: Array("bye\n".utf8)))
        #expect(!other.end(of: 1, saying: Array("bye\n".utf8)), "the same one twice")
        other.put(Array("a\n".utf8)[...], from: 0)
        #expect(other.end(of: 0, saying: Array("bye\n".utf8)))
        #expect(other.isWaiting(for: 0))
        other.flush()
        #expect(!other.isWaiting(for: 0))
        #expect(pipe.read() == "a\nbye\n")
    }

    @Test func `a hello finds room when nothing else does`() throws {
        let pipe = try Pipe()
        var relay = StreamRelay(to: pipe.outlet, source: 0, isCapped: false)
        let line = "{\"faces\":[],\"x\":\"" + String(repeating: "x", count: 1000) + "\"}\n"
        for _ in 0..<1000 { _ = feed(&relay, line) }
        _ = feed(&relay, "{\"type\":\"hello\",\"v\":1,\"fps\":7}\n")
        #expect(pipe.read().hasSuffix("{\"type\":\"hello\",\"v\":1,\"fps\":7}\n"))
    }

    @Test func `a flood of hellos uses only the available room`() throws {
        let pipe = try Pipe()
        let hello = Array("{\"type\":\"hello\",\"v\":1,\"detector\":\"\(String(repeating: "x", count: 3000))\"}\n".utf8)
        for _ in 0..<1000 { pipe.outlet.put(hello[...], from: 0, isHello: true) }
        let last = Array("{\"type\":\"hello\",\"v\":1,\"detector\":\"last\"}\n".utf8)
        pipe.outlet.put(last[...], from: 0, isHello: true)
        // Three megabytes were sent.
        let said = pipe.read(1 << 22).split(separator: "\n").map(String.init)
        #expect(said.last == String(decoding: last.dropLast(), as: UTF8.self))
        #expect(said.reduce(0) { $0 + $1.utf8.count } < 2 * DetectionOutlet.room)
    }

    @Test func `only the active source is forwarded, and a new one introduces itself first`() throws {
        let pipe = try Pipe()
        var first = StreamRelay(to: pipe.outlet, source: 0), second = StreamRelay(to: pipe.outlet, source: 1)
        let hello = "{\"type\":\"hello\",\"v\":1,\"fps\":7}\n"
        _ = feed(&first, "{\"faces\":[],\"a\":1}\n")
        _ = feed(&second, hello + "{\"faces\":[],\"b\":1}\n")
        #expect(pipe.read() == "{\"faces\":[],\"a\":1}\n")
        pipe.outlet.activate(1)
        _ = feed(&second, "{\"faces\":[],\"b\":2}\n")
        _ = feed(&first, "{\"faces\":[],\"a\":2}\n")
        #expect(pipe.read() == hello + "{\"faces\":[],\"b\":2}\n")
        pipe.outlet.activate(0)
        #expect(
            pipe.read() == "{\"type\":\"hello\",\"v\":1}\n", "a source that never sent hello still starts a new epoch")
    }

    @Test(arguments: [0, 1, 1000, 65_000, 65_536])
    func `a line that was begun is ended before another source is forwarded`(taken: Int) throws {
        let pipe = try Pipe()
        var relay = StreamRelay(to: pipe.outlet, source: 0, isCapped: false)
        let line = "{\"faces\":[],\"x\":\"" + String(repeating: "x", count: 7000) + "\"}\n"
        // More than the pipe holds: it ends in the middle of a line.
        for _ in 0..<20 { _ = feed(&relay, line) }
        var text = pipe.read(taken)
        pipe.outlet.activate(1)
        pipe.outlet.put(Array("{\"faces\":[],\"b\":1}\n".utf8)[...], from: 1)
        text += pipe.read()
        let lines = text.split(separator: "\n")
        #expect(lines.last == "{\"faces\":[],\"b\":1}")
        #expect(lines.dropLast(2).allSatisfy { $0 == line.dropLast() }, "no line is cut")
        #expect(lines.count < 22, "and the backlog is dropped")
    }

    @Test func `an owner that changes sources does not end because the reader has gone`() throws {
        var readEnd: Int32 = -1, writeEnd: Int32 = -1
        try #require(cposix_pipe(&readEnd, &writeEnd) == 0)
        let outlet = DetectionOutlet(writeEnd)
        close(readEnd)
        // This thread does not block SIGPIPE, and an owner's might not either.
        outlet.activate(1)
        #expect(outlet.isWaiting)
    }
}
