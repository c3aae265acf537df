import Codecs
import DockTestKit
import DockTypes
import Foundation
import Geometry
import Testing

@testable import LiveStream

/// The encoder with a real ffmpeg, and another one that decodes.
@Suite(.enabled(if: access("/usr/bin/ffmpeg", X_OK) == 0, "ffmpeg is missing"), .serialized, .timeLimit(.minutes(10)))
struct VideoTests {
    private let place = TemporaryFolder()
    private static let shape = VideoShape(width: 160, bits: 300_000, rate: 30)

    private static func picture(_ number: Int, width: Int = 160, height: Int = 120) throws -> RGBPicture {
        let bytes = (0..<(3 * width * height)).map { UInt8(truncatingIfNeeded: $0 / 7 + number * 5) }
        return try #require(RGBPicture(width: width, height: height, bytes: bytes))
    }

    /// The kinds of the pictures of a stream, as a decoder sees them: `IPPP`.
    private func decoded(_ pictures: [EncodedPicture]) throws -> String {
        let path = place.path + "/video.h264", process = Process(), pipe = Pipe()
        try Data(pictures.flatMap(\.bytes)).write(to: URL(fileURLWithPath: path))
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ffprobe")
        process.arguments = ["-v", "error", "-f", "h264", "-show_entries", "frame=pict_type", "-of", "csv=p=0", path]
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.filter { "IPB".contains($0) }
    }

    @Test func `each picture comes out before the next one goes in, and only the first is a key frame`() async throws {
        let encoder = try VideoEncoder()
        var pictures: [EncodedPicture] = []
        for number in 0..<40 {
            pictures.append(try #require(await encoder.encode(Self.picture(number), as: Self.shape)))
        }
        #expect(pictures.map(\.isKey) == [true] + Array(repeating: false, count: 39))
        #expect(try decoded(pictures) == "I" + String(repeating: "P", count: 39))
        // The owner of the stream wants one.
        encoder.keyFrame()
        pictures = []
        for number in 0..<3 {
            pictures.append(try #require(await encoder.encode(Self.picture(number), as: Self.shape)))
        }
        #expect(pictures.map(\.isKey) == [true, false, false])
        #expect(try decoded(pictures) == "IPP")
        encoder.stop()
        #expect(await encoder.encode(try Self.picture(0), as: Self.shape) == nil)
    }

    @Test func `another size or another rate of bits makes a new encoder, and an odd size loses its last row`()
        async throws
    {
        let encoder = try VideoEncoder()
        let small = try #require(await encoder.encode(Self.picture(0, width: 81, height: 61), as: Self.shape))
        #expect(small.isKey)
        #expect(try decoded([small]) == "I")
        #expect(await encoder.encode(try Self.picture(1), as: Self.shape)?.isKey == true)
        #expect(await encoder.encode(try Self.picture(2), as: Self.shape)?.isKey == false)
        var other = Self.shape
        other.bits = 100_000
        #expect(await encoder.encode(try Self.picture(3), as: other)?.isKey == true)
        encoder.stop()
    }

    @Test func `a program that is missing, fails or hangs costs one picture, with a word`() async throws {
        let missing = try VideoEncoder(program: "dockface-no-such-program")
        #expect(await missing.encode(try Self.picture(0), as: Self.shape) == nil)
        #expect(missing.problem == "ffmpeg is missing (apt-get install ffmpeg)")
        missing.stop()
        for (text, problem) in [
            ("echo no memory >&2; exit 3", "no memory (exit status 3)"), ("exec sleep 600", "it did nothing for 10 s"),
            ("echo this is no video; exec sleep 600", "its output is not as expected: it does not begin as FLV"),
        ] {
            let program = place.path + "/" + UUID().uuidString
            try "#!/bin/sh\n\(text)\n".write(toFile: program, atomically: true, encoding: .utf8)
            chmod(program, 0o755)
            let encoder = try VideoEncoder(program: program)
            #expect(await encoder.encode(try Self.picture(0), as: Self.shape) == nil)
            #expect(encoder.problem == problem)
            encoder.stop()
        }
    }

    @Test func `damaged bytes end the reader with a word and never the program`() throws {
        var random = SystemRandomNumberGenerator()
        let tag: [UInt8] = [9, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0x17, 1, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 20]
        let good = Array("FLV\u{1}\u{1}\0\0\0\u{9}\0\0\0\0".utf8) + tag
        for _ in 0..<20_000 {
            var bytes = good, reader = FLVReader()
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? bytes.withUnsafeBytes { try reader.feed($0) }
        }
        var reader = FLVReader()
        #expect(throws: FLVReader.Flaw.picture) { try good.withUnsafeBytes { try reader.feed($0) } }
    }

    @Test func `less is sent soon, and more only after a while`() {
        var governor = VideoGovernor()
        func shape(_ quality: Double, _ now: Double, width: Int = 640, _ governor: inout VideoGovernor) -> VideoShape {
            governor.shape(width: width, height: width * 3 / 4, quality: quality, rate: 30, now: now)
        }
        let best = shape(1, 0, &governor)
        #expect(best == VideoShape(width: 640, bits: 2_304_000, rate: 30))
        #expect(shape(0.5, 0.9, &governor) == best && shape(0.9, 2, &governor) == best)
        let less = shape(0.5, 3, &governor)
        #expect(less.bits == 576_000)
        #expect(shape(1, 7.9, &governor) == less && shape(1, 8.1, &governor) == best)
        #expect(shape(0.5, 10, width: 320, &governor) == VideoShape(width: 320, bits: 144_000, rate: 30))
    }
}
