import FaceTracker
import Geometry
import Testing

/// INTERFACES, sections 1 and 3: the kinds of lines, and how bad ones are handled.
@Suite struct StreamLinesTests {
    @Test func `words and JSON-RPC on the same stream are forwarded whole`() {
        var stream = Listener()
        stream.hear("tap 0.4 0.6\r")
        stream.hear("-0.4 0.6")
        stream.hear(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#)
        stream.hear(#"{"method":"stop","params":{"faces":[]}} "#)
        #expect(
            stream.events == [
                .command("tap 0.4 0.6"), .command("-0.4 0.6"),
                .command(#"{"jsonrpc":"2.0","id":1,"method":"status"}"#),
                .command(#"{"method":"stop","params":{"faces":[]}} "#),
            ])
    }

    @Test func `a source that may not command has its words counted as bad lines`() {
        var stream = Listener { $0.acceptsCommands = false }
        stream.hear("INFO: model loaded")
        stream.hear(#"{"method":"stop"}"#)
        #expect(stream.problems.map(\.reason) == [.noCommandsHere])
        #expect(stream.decoder.counters.badLines == 2)
    }

    @Test func `empty lines, carriage returns and a byte order mark do no harm`() {
        var stream = Listener()
        stream.hear(bytes: [0xEF, 0xBB, 0xBF])
        stream.hear(#"{"faces":[]}"# + "\r")
        stream.hear("")
        stream.hear("  \r")
        stream.hear(#"  {"faces":[]}  "#)
        #expect(stream.events == [.frame, .frame])
    }

    @Test func `rectangles that may be faces are kept apart`() {
        var stream = Listener()
        stream.hear(
            #"{"faces":[{"rect":[0.1,0.1,0.2,0.2]}],"maybe":[{"rect":[0.5,0.5,0.1,0.1],"score":0.35},{"rect":[1]},7]}"#)
        #expect(stream.decoder.frame.detections.count == 1 && stream.decoder.frame.maybe.count == 1)
        #expect(stream.decoder.frame.maybe.first?.score == 0.35 && stream.decoder.frame.unread == 2)
        for wrong in ["7", "null", "{}", "[]"] {
            stream.hear(#"{"faces":[],"maybe":"# + wrong + "}")
            #expect(stream.decoder.frame.maybe.isEmpty && stream.decoder.frame.unread == (wrong == "[]" ? 0 : 1))
        }
        #expect(stream.problems.isEmpty && stream.events.count { $0 == .frame } == 5)
    }

    @Test func `a frame says which camera took it and how much it is magnified`() {
        var stream = Listener()
        func optics(_ text: String) -> FrameOptics {
            stream.hear(#"{"faces":[]"# + text + "}")
            return stream.decoder.frame.optics
        }
        #expect(optics(#","camera":1,"zoom":2.5"#) == FrameOptics(camera: 1, zoom: 2.5))
        #expect(optics("") == .usual, "it is not carried over")
        #expect(optics(#","zoom":4,"camera":3"#) == FrameOptics(camera: 3, zoom: 4))
        for wrong in [#""zoom":0.5"#, #""zoom":NaN"#, #""zoom":1e9"#, #""zoom":"2""#, #""camera":4"#, #""camera":-1"#] {
            #expect(optics("," + wrong) == .usual, "\(wrong)")
        }
        #expect(optics(#","camera":{"name":"front"},"zoom":[2]"#) == .usual)
        #expect(stream.problems.isEmpty)
    }

    @Test func `the last line counts without its newline`() {
        var stream = Listener()
        stream.hear(bytes: ArraySlice(#"{"faces":[]}"#.utf8))
        #expect(stream.events.isEmpty)
        stream.finish()
        #expect(stream.events == [.frame])
    }

    @Test(arguments: [
        "{", "{}", "{\"faces\":[", "{\"faces\":[}", "{\"faces\":[]}}", "{\"faces\":[],}", "{\"faces\":[{]}",
        "{\"faces\":7}", "{\"faces\":null}", "{\"type\":\"frame\"}", "{faces:[]}", "{\"faces\":[{\"rect\":[1,2,,3]}]}",
        "{\"faces\":[{\"rect\":[.5,0,1,1]}]}", "{\"faces\":[],\"t\":\"now\"}", "{\"faces\":[],\"t\":NaN}",
        "{\"faces\":[],\"t\":1e999}", "{\"faces\":[],\"x\":tru}", "{\"faces\":[],\"x\":\"", "{\"faces\":[],\"x\":\"\\",
        "{\"faces\":[],\"x\":-}", "{\"faces\":[],\"x\":1e}", "{\"faces\":[],\"x\":1.}", "{\"faces\" []}",
        "{\"faces\":[] 1",
    ])
    func `a bad line is counted, reported and skipped`(line: String) {
        var stream = Listener()
        stream.hear(#"{"faces":[]}"#)
        stream.hear(line)
        stream.hear(#"{"faces":[]}"#)
        #expect(stream.events.count { $0 == .frame } == 2)
        #expect(stream.problems.map(\.line) == [2])
        #expect(stream.decoder.counters.badLines == 1)
        #expect(stream.decoder.counters.consecutiveBadLines == 0)
        #expect(stream.problems.first?.text.isEmpty == false)
    }

    @Test func `endless nesting is refused without harm`() {
        var stream = Listener()
        stream.hear(#"{"x":"# + String(repeating: "[", count: 60_000))
        stream.hear(#"{"x":"# + String(repeating: #"{"a":"#, count: 10_000))
        #expect(stream.decoder.counters.badLines == 2)
    }

    @Test func `bad lines are reported once a second, with a count`() {
        var stream = Listener(at: 100)
        for tenth in 0..<25 {
            stream.now = 100 + Double(tenth) / 10
            stream.hear("{")
        }
        #expect(stream.problems.map(\.count) == [1, 10, 10])
        #expect(stream.problems.map(\.line) == [1, 11, 21])
        stream.now = 103.5
        stream.hear(#"{"faces":[]}"#)
        #expect(stream.problems.map(\.count) == [1, 10, 10, 4])
    }

    @Test func `twenty bad lines in a row request a restart, and a good one resets the count`() {
        var stream = Listener()
        for _ in 0..<19 { stream.hear("{") }
        #expect(!stream.decoder.wantsRestart)
        stream.hear("{")
        #expect(stream.decoder.wantsRestart)
        stream.hear(#"{"faces":[]}"#)
        #expect(!stream.decoder.wantsRestart)
    }

    @Test func `a line of 64 KiB passes and a longer one is dropped and counted`() {
        let shell = #"{"faces":[],"x":""}"#
        for (extra, passes) in [(0, true), (1, false), (200_000, false)] {
            var stream = Listener()
            let filling = String(repeating: "x", count: 65_536 - shell.utf8.count + extra)
            stream.hear(#"{"faces":[],"x":"\#(filling)"}"#)
            stream.hear(#"{"faces":[]}"#)
            #expect(stream.events.count { $0 == .frame } == (passes ? 2 : 1))
            #expect(stream.decoder.counters.oversize == (passes ? 0 : 1))
            #expect(stream.problems.map(\.reason) == (passes ? [] : [.oversize]))
        }
    }

    @Test func `a line that never ends is not buffered`() {
        var stream = Listener()
        let block = [UInt8](repeating: 0x78, count: 65_536)
        for _ in 0..<64 { stream.hear(bytes: block[...]) }
        #expect(stream.decoder.counters.oversize == 1)
        #expect(!stream.decoder.hasRemainder)
        stream.hear("")
        stream.hear(#"{"faces":[]}"#)
        #expect(stream.events.last == .frame)
    }

    @Test func `a decoder that is fed without taking events keeps no more than a megabyte`() {
        var decoder = DetectionDecoder()
        let block = Array(String(repeating: "{\"faces\":[]}\n", count: 5000).utf8)
        for _ in 0..<100 { block.withUnsafeBytes { decoder.feed($0) } }
        var count = 0
        while decoder.next(arrival: 1, realtime: 2) != nil { count += 1 }
        #expect(count < (1 << 20) / 12)
    }
}
