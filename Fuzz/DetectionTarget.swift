import Geometry

@testable import FaceTracker

/// The detection stream: any bytes from a detector, in any pieces.
enum DetectionTarget: Target {
    static let name = "detections"
    static let share = 20
    private static let arrival = 5000.0, realtime = 1_700_005_000.0

    static func make(_ random: inout Random) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0...random.below(5) {
            var line = Array(random.pick(samples).utf8)
            if random.chance(8) { line = deep(&random) }
            for _ in 0..<random.below(3) {
                let piece = Array(random.pick(pieces).utf8)
                line.insert(contentsOf: piece, at: random.below(line.count + 1))
            }
            if random.chance(2) { Mutation.apply(to: &line, &random) }
            if random.chance(2000) { line += repeatElement(0x7A, count: 66_000) }
            bytes += line + (random.chance(12) ? [] : [0x0A])
        }
        return bytes
    }

    static func check(_ input: [UInt8]) -> String? {
        var random = Random(fingerprint(input))
        var options = DecoderOptions()
        options.isLive = random.chance(2)
        options.acceptsCommands = random.chance(2)
        options.mirror = random.chance(4)
        options.rotate = random.pick([0, 0, 90, 180, 270])
        var whole = Heard(options), cut = Heard(options)
        whole.hear(input[...])
        var rest = input[...]
        while !rest.isEmpty {
            let part = rest.prefix(1 + random.below(random.chance(2) ? 7 : 3000))
            cut.hear(part)
            rest = rest.dropFirst(part.count)
        }
        guard whole.events == cut.events, whole.frames == cut.frames, whole.decoder.counters == cut.decoder.counters
        else { return "the pieces of the input change the result" }
        if let wrong = counts(whole, input) ?? sane(whole) ?? splitter(input, &random) { return wrong }
        // After the next line end, a hello and a frame are read correctly, whatever came before.
        whole.hear(Array("\n{\"type\":\"hello\",\"v\":1}\n{\"faces\":[]}\n".utf8)[...])
        guard whole.events.last == .frame else {
            return "a valid line after it is not read: \(whole.events.suffix(3))"
        }
        return nil
    }

    /// A decoder and all of its output.
    private struct Heard {
        var decoder: DetectionDecoder
        var events: [DetectionEvent] = []
        var frames: [DetectionFrame] = []

        init(_ options: DecoderOptions) { decoder = DetectionDecoder(options: options) }

        mutating func hear(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { decoder.feed($0) }
            while let event = decoder.next(arrival: arrival, realtime: realtime) {
                events.append(event)
                if event == .frame { frames.append(decoder.frame) }
            }
        }
    }

    private static func counts(_ heard: Heard, _ input: [UInt8]) -> String? {
        let counters = heard.decoder.counters
        let ends = input.count { $0 == 0x0A }
        // A line that is too long counts when that is detected, and not again at its end.
        guard counters.lines >= ends, counters.lines <= ends + counters.oversize else {
            return "\(counters.lines) lines instead of \(ends)"
        }
        guard counters.frames == heard.frames.count else {
            return "\(counters.frames) frames instead of \(heard.frames.count)"
        }
        guard counters.faces == heard.frames.reduce(0, { $0 + $1.detections.count }) else { return "faces miscounted" }
        guard counters.badLines >= counters.oversize, counters.badLines <= counters.lines else {
            return "bad lines miscounted"
        }
        return nil
    }

    /// Output is safe for a tracker, and it can be written and read again without change.
    private static func sane(_ heard: Heard) -> String? {
        for frame in heard.frames {
            guard frame.exposure.isFinite else { return "a frame at \(frame.exposure)" }
            for face in frame.detections {
                let rect = face.rect
                guard [rect.x, rect.y, rect.width, rect.height].allSatisfy({ $0.isFinite && abs($0) <= 8 }),
                    rect.width > 0,
                    rect.height > 0, (0...1).contains(face.score),
                    FaceAttribute.all.allSatisfy({ $0.coding.value(of: face.attributes[$0]) == face.attributes[$0] })
                else { return "a face \(face)" }
            }
        }
        guard let frame = heard.frames.last, abs(frame.exposure) < 1e8 else { return nil }
        var encoder = DetectionEncoder(), bytes: [UInt8] = []
        encoder.writeHello(detector: "a \"name\"\n", clock: .monotonic, to: &bytes)
        encoder.writeFrame(sequence: 1, time: frame.exposure, detections: frame.detections, to: &bytes)
        var options = DecoderOptions()
        options.isLive = false
        var again = Heard(options)
        again.hear(bytes[...])
        guard let back = again.frames.first else { return "not read again: \(String(decoding: bytes, as: UTF8.self))" }
        // A face smaller than the written precision may round to nothing.
        let faces = frame.detections.filter { $0.rect.width > 2e-5 && $0.rect.height > 2e-5 }
        guard back.detections.count >= faces.count, abs(back.exposure - frame.exposure) < 1e-6 else {
            return "read again with \(back.detections.count) of \(frame.detections.count) faces"
        }
        guard faces.count == frame.detections.count else { return nil }
        for (a, b) in zip(frame.detections, back.detections)
        where abs(a.rect.x - b.rect.x) > 1e-4 || abs(a.rect.width - b.rect.width) > 1e-4 || a.kind != b.kind
            || abs(a.score - b.score) > 1e-3 || (a.yaw == nil) != (b.yaw == nil)
        {
            return "\(a) came back as \(b)"
        }
        return nil
    }

    /// Lines split at their ends, whatever the pieces. At most one line and the last piece are kept.
    private static func splitter(_ input: [UInt8], _ random: inout Random) -> String? {
        var splitter = LineSplitter(), lines: [[UInt8]] = [], rest = input[...]
        while !rest.isEmpty {
            let part = rest.prefix(1 + random.below(500))
            part.withUnsafeBytes { splitter.feed($0) }
            while let piece = splitter.next() {
                if case .line(let range) = piece { lines.append(Array(splitter.bytes[range])) }
            }
            rest = rest.dropFirst(part.count)
            guard splitter.bytes.count <= LineSplitter.maximumLine + 1000 else {
                return "\(splitter.bytes.count) bytes kept"
            }
        }
        var expected = input.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        expected.removeLast()
        return lines == expected.filter { $0.count <= LineSplitter.maximumLine } ? nil : "lines cut at the wrong places"
    }

    private static func deep(_ random: inout Random) -> [UInt8] {
        let open = random.pick(["[", "{\"a\":", "[{\"faces\":["]),
            depth = random.pick([1, 8, 31, 32, 33, random.chance(20) ? 5000 : 100])
        var text = "{\"x\":" + String(repeating: open, count: depth)
        if random.chance(2) { text += String(repeating: open == "[" ? "]" : "}", count: depth) + ",\"faces\":[]}" }
        return Array(text.utf8)
    }

    private static let samples = [
        #"{"type":"hello","v":1,"detector":"d","clock":"monotonic","image":{"w":640,"h":480},"fps":10,"mirrored":true}"#,
        #"{"type":"hello","v":1,"clock":"unix","units":"px","image":{"w":640,"h":480},"format":"xyxy"}"#,
        #"{"type":"hello","v":1,"clock":"media","origin":"bottom-left","rotate":90,"intrinsics":{"fx":1,"fy":1,"cx":0,"cy":0}}"#,
        #"{"type":"hello","v":2}"#, #"{"type":"hello","v":1,"clock":"remote","landmarks":["a","b"]}"#,
        #"{"type":"frame","seq":1041,"t":4999.9,"faces":[{"rect":[0.41,0.22,0.12,0.21],"score":0.93,"lm":[0.4,0.3,0.5,0.3],"yaw":-0.2,"speaking":0.8,"looking":0.6}]}"#,
        #"{"faces":[{"rect":[0.4,0.2,0.1,0.2]},{"rect":[0.1,0.2,0.1,0.2],"kind":"object"}]}"#,
        #"{"type":"frame","seq":2,"faces":[{"rect":[100,200,50,60]},{"rect":[]},{"rect":[1e999,0,1,1]}],"size":[640,480]}"#,
        #"{"type":"frame","t":1700004999.9,"seq":7,"faces":[]}"#, #"{"type":"pong","t":1,"sent":4999.5}"#,
        #"{"type":"status","level":"warn","code":"x","text":"a\u00e9\ud83d\ude00\n"}"#,
        #"{"type":"bye","reason":"eof"}"#,
        #"{"id":1,"method":"stop"}"#, "tap 0.4 0.6", "", "0.4 0.6", "\u{FEFF}{\"faces\":[]}", "{}", "{\"faces\":null}",
    ]
    private static let pieces = [
        "\\u", "\\ud800", "\\", "\"", "1e400", "-1e-400", "99999999999999999999999999", "0.00000000000000000000001",
        "NaN",
        "-Infinity", "null", "nul", "\u{0}\u{0}", "\r", "\r\n", "\n", "[[[[", "}}", ",,", "1e", "1.", "-", "+1", ".5",
        #","t":1e308"#, #","seq":-9223372036854775808"#, #","faces":[{"rect":[0,0,1,1]}]"#, "true", "fals", "\u{1F600}",
    ]
}
