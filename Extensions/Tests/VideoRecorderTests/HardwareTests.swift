import Foundation
import Testing

@testable import VideoRecorder

/// Encoders in hardware. This machine may have none, so a program in the place of ffmpeg gives them x264's work.
@Suite(.enabled(if: Film.hasTools, "ffmpeg is not installed"), .timeLimit(.minutes(10)))
struct HardwareTests {
    private let temporary = TemporaryFolder()

    /// Makes a program that replaces some words of its arguments, and runs ffmpeg with them.
    private func settings(_ replacements: [String: String]) throws -> EncoderSettings {
        let cases = replacements.map { "    \($0.key)) set -- \"$@\" \($0.value) ;;" }.joined(separator: "\n")
        let script = """
            #!/bin/sh
            for word; do
                shift
                case "$word" in
            \(cases)
                *) set -- "$@" "$word" ;;
                esac
            done
            exec ffmpeg "$@"
            """
        var settings = EncoderSettings()
        settings.program = temporary.path + "/encoder"
        try Data(script.utf8).write(to: URL(fileURLWithPath: settings.program))
        chmod(settings.program, 0o700)
        return settings
    }

    @Test func `a machine without hardware for it encodes with x264, and says why`() throws {
        // Whatever this machine has.
        let none = ["h264_v4l2m2m": "none1", "h264_nvenc": "none2", "h264_qsv": "none3"]
        let choice = HardwareEncoder.choose(try settings(none))
        #expect(choice.settings.codec == .x264 && choice.refusals.map(\.codec) == [.video4Linux, .nvidia, .quickSync])
        #expect(choice.refusals.allSatisfy { $0.reason.contains("none") }, "\(choice.refusals)")
    }

    @Test func `the first encoder that works is used, and its chunks are like others`() throws {
        let works = HardwareEncoder.choose(try settings(["h264_v4l2m2m": "libx264"]))
        try #require(works.settings.codec == .video4Linux && works.refusals.isEmpty)
        let shop = try Workshop(temporary) { $0.encoder = works.settings }
        try #require(shop.start())
        shop.film(100, from: 0)
        shop.finish()
        #expect(shop.stored.count == 2 && shop.stored.reduce(0) { $0 + $1.tally.frames } > 90)
    }

    @Test func `an encoder whose film does not play, or shows something else, is refused`() throws {
        func reason(_ replacements: [String: String]) throws -> String {
            var settings = try settings(replacements)
            settings.codec = .video4Linux
            return HardwareEncoder.problem(settings) ?? "none"
        }
        let right = "h264_v4l2m2m"
        #expect(try reason([right: "libx264"]) == "none")
        #expect(try reason([right: "libx264", "crop=*": "negate,hue=h=90"]).hasPrefix("its pictures are wrong"))
        #expect(try reason([right: "libx264 -frames:v 50"]) == "its film has 50 of 60 pictures")
        #expect(try reason([right: "mpeg4"]) == "its film is not H.264")
        #expect(try reason([right: "none"]).contains("none"))
        let lines = "n:1 Y:0.98 U:1.0 All:0.984672 (18.1)\nframe= 60\nn:2 All:nan\n"
        #expect(HardwareEncoder.likenesses(Array(lines.utf8)) == [0.984672])
    }
}
