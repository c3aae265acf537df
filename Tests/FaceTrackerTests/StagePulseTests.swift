import Geometry
import Testing

@testable import FaceTracker

/// Whether a stage on standby is still alive.
@Suite struct StagePulseTests {
    @Test func `a stage that has answered once is expected to keep answering`() {
        var pulse = StagePulse()
        #expect(pulse.next(isResting: true, now: 100) == .ask)
        #expect(pulse.next(isResting: true, now: 101) == nil)
        pulse.answered()
        #expect(pulse.deadline == 110)
        #expect(pulse.next(isResting: true, now: 110) == .ask)
        #expect(pulse.deadline == 115)
        #expect(pulse.next(isResting: true, now: 114.9) == nil)
        #expect(pulse.next(isResting: true, now: 115) == .silent)
    }

    @Test func `a stage that never answers is left alone`() {
        var pulse = StagePulse()
        for second in 0..<1000 {
            let order = pulse.next(isResting: true, now: Double(second))
            #expect(order == (second == 0 ? .ask : nil))
        }
        #expect(pulse.deadline == nil)
    }

    @Test func `an active stage is not asked, and an earlier question is void afterwards`() {
        var pulse = StagePulse()
        _ = pulse.next(isResting: true, now: 0)
        pulse.answered()
        _ = pulse.next(isResting: true, now: 10)
        #expect(pulse.next(isResting: false, now: 12) == nil)
        #expect(pulse.deadline == nil)
        #expect(pulse.next(isResting: true, now: 60) == .ask)
    }
}

/// Texts that a detector sends.
@Suite struct PlainWordsTests {
    private func first(_ line: String) -> DetectionEvent? {
        var decoder = DetectionDecoder(options: DecoderOptions())
        Array((line + "\n").utf8).withUnsafeBytes { decoder.feed($0) }
        return decoder.next(arrival: 100, realtime: 1e9)
    }

    @Test func `control characters are escaped, and long texts are truncated`() {
        guard case .hello(let hello) = first(#"{"type":"hello","v":1,"detector":"a\u001b]0;x\u0007\u001b[2J\u009bb"}"#)
        else { return #expect(Bool(false), "no hello") }
        #expect(hello.detector == #"a\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}b"#)
        let long = String(repeating: "y", count: 30_000)
        #expect(
            first(#"{"type":"status","level":"warn","code":"c","text":"\#(long)"}"#)
                == .status(level: "warn", code: "c", text: String(long.prefix(399)) + "\u{2026}"))
    }

    @Test func `a line of the stream contains no control characters, and reads back as it was`() throws {
        let name = "a\u{1B}]0;x\u{7}\n\u{9B}2J\u{202E}\u{2028}\u{7F}é"
        var encoder = DetectionEncoder(), bytes: [UInt8] = []
        encoder.writeHello(detector: name, clock: .monotonic, to: &bytes)
        let line = String(decoding: bytes, as: UTF8.self)
        #expect(
            line.hasPrefix(
                #"{"type":"hello","v":1,"detector":"a\u001b]0;x\u0007\u000a\u009b2J\u202e\u2028\u007fé","clock""#))
        #expect(bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A } && bytes.count { $0 == 0x0A } == 1)
    }

    @Test(arguments: ["1e-310", "0", "-3", "1e300", "\"x\""])
    func `an invalid frame rate is ignored`(rate: String) {
        guard case .hello(let hello) = first(#"{"type":"hello","v":1,"fps":\#(rate)}"#) else { return }
        #expect(hello.framesPerSecond == nil)
    }

    @Test(arguments: [("1e300", nil), ("-4", nil), ("-1.5", -1.5), ("3.14", 3.14)] as [(String, Double?)])
    func `a yaw beyond half a turn is ignored`(said: String, yaw: Double?) {
        var decoder = DetectionDecoder(options: DecoderOptions())
        let line = #"{"faces":[{"rect":[0.1,0.1,0.2,0.2],"yaw":\#(said)}]}"# + "\n"
        Array(line.utf8).withUnsafeBytes { decoder.feed($0) }
        #expect(decoder.next(arrival: 100, realtime: 1e9) == .frame)
        #expect(decoder.frame.detections.first?.yaw == yaw)
    }

    @Test(arguments: ["0.7", "0.5,0.7", "1.1,0.5", "0.7,-1", "a,b", "0.7,0.5,0.3", "nan,0.1", ""])
    func `invalid scores are rejected`(text: String) {
        #expect(DetectorScores(text) == nil)
        #expect(DetectorScores("0.7,0.5")?.hold == 0.5)
    }
}
