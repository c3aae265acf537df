import FaceTracker
import Geometry

/// A decoder with an injected clock, and all its events.
struct Listener {
    var decoder: DetectionDecoder
    var events: [DetectionEvent] = []
    var frames: [DetectionFrame] = []
    var now: Seconds
    /// Seconds since 1970 minus `now`.
    var realtimeAhead: Seconds = 1_700_000_000

    init(at now: Seconds = 5000, _ adjust: (inout DecoderOptions) -> Void = { _ in }) {
        self.now = now
        var options = DecoderOptions()
        adjust(&options)
        decoder = DetectionDecoder(options: options)
    }

    mutating func hear(bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { decoder.feed($0) }
        drain()
    }

    mutating func hear(_ line: String) { hear(bytes: ArraySlice((line + "\n").utf8)) }

    mutating func finish() {
        decoder.finish()
        drain()
    }

    private mutating func drain() {
        while let event = decoder.next(arrival: now, realtime: now + realtimeAhead) {
            events.append(event)
            if event == .frame { frames.append(decoder.frame) }
        }
    }

    var problems: [DecoderProblem] {
        events.compactMap { event in if case .problem(let problem) = event { problem } else { nil } }
    }

    var rects: [Rect] { frames.last?.detections.map(\.rect) ?? [] }
}

/// A hello with further members, each after a comma.
func hello(_ members: String = "") -> String { #"{"type":"hello","v":1"# + members + "}" }

/// A frame with one face at its usual place.
func frame(t: Seconds? = nil, seq: Int? = nil) -> String {
    var text = #"{"type":"frame""#
    if let seq { text += #","seq":\#(seq)"# }
    if let t { text += #","t":\#(t)"# }
    return text + #","faces":[{"rect":[0.4,0.2,0.1,0.2]}]}"#
}

func isClose(_ a: Double, _ b: Double, _ tolerance: Double = 1e-9) -> Bool { abs(a - b) <= tolerance }

func isClose(_ a: Rect?, _ b: Rect, _ tolerance: Double = 1e-9) -> Bool {
    guard let a else { return false }
    return isClose(a.x, b.x, tolerance) && isClose(a.y, b.y, tolerance) && isClose(a.width, b.width, tolerance)
        && isClose(a.height, b.height, tolerance)
}
