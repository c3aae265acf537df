import FaceTracker
import Geometry
import TestSupport
import Testing

extension Seeded {
    /// A normally distributed number with deviation 1.
    mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
    }
}

@Suite struct StreamFuzzTests {
    static let text =
        [
            hello(#","clock":"media","image":{"w":640,"h":480},"landmarks":["a","b"]"#),
            #"{"type":"frame","seq":1,"t":0.1,"faces":[{"rect":[0.41,0.22,0.12,0.21],"score":0.93,"lm":[0.4,0.3]}]}"#,
            "tap 0.4 0.6", "{\"bad\":", #"{"type":"status","level":"warn","code":"x","text":"a\u00e9\n"}"#,
            #"{"type":"frame","seq":2,"t":0.2,"faces":[{"rect":[-1e-1,2E-1,0.12,0.21],"yaw":-0.2},{"rect":[]}]}"#,
            String(repeating: "z", count: 70_000), #"{"method":"x"}"#, #"{"faces":[]}"#, #"{"type":"bye"}"#,
        ].joined(separator: "\n") + "\n"

    @Test func `any split of the bytes gives the same events`() {
        let bytes = Array(Self.text.utf8)
        var whole = Listener()
        whole.hear(bytes: bytes[...])
        var random = Seeded(1)
        for round in 0..<60 {
            var cut = Listener()
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = round == 0 ? 1 : Int.random(in: 1...(round % 2 == 0 ? 20 : 5000), using: &random)
                cut.hear(bytes: rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(cut.events == whole.events)
            #expect(cut.frames == whole.frames)
            #expect(cut.decoder.counters == whole.decoder.counters)
        }
        #expect(whole.frames.count == 3)
    }

    @Test func `broken bytes never trap and good lines after them still count`() {
        let bytes = Array(Self.text.replacing(String(repeating: "z", count: 70_000), with: "zz").utf8)
        var random = Seeded(2)
        var tracker = Tracker()
        for _ in 0..<4000 {
            var broken = bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<broken.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: broken[place] = UInt8.random(in: 0...255, using: &random)
                case 1: broken.remove(at: place)
                default: broken.insert(broken[Int.random(in: 0..<broken.count, using: &random)], at: place)
                }
            }
            var stream = Listener()
            stream.hear(bytes: broken[...])
            stream.hear("")
            for frame in stream.frames { tracker.update(frame) }
            stream.hear(hello())
            stream.hear(#"{"faces":[]}"#)
            #expect(stream.events.last == .frame)
        }
    }

    @Test func `random bytes never trap`() {
        var random = Seeded(3)
        var stream = Listener()
        let alphabet = Array("{}[]\",:0123456789.eE-+ntfu\\ \n\nrectfacestype".utf8)
        for _ in 0..<3000 {
            let line = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            stream.hear(bytes: ArraySlice([0x7B] + line + [0x0A]))
        }
        #expect(stream.decoder.counters.lines >= 3000)
    }
}
