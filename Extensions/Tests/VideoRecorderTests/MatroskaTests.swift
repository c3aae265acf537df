import DockTestKit
import Codecs
import Foundation
import Processes
import Testing

@testable import VideoRecorder

@Suite struct MatroskaTests {
    private let writer = MatroskaWriter(size: PictureSize(width: 64, height: 48))

    @Test func `the head is the one that was agreed`() {
        let head = writer.head
        #expect(head.prefix(5) == [0x1A, 0x45, 0xDF, 0xA3, 0xA0 + 3] || head.prefix(4) == [0x1A, 0x45, 0xDF, 0xA3])
        let text = String(decoding: head, as: UTF8.self)
        #expect(text.contains("matroska") && text.contains("V_UNCOMPRESSED") && text.contains("I420"))
        #expect(!text.contains("A_PCM"))
        #expect(
            String(decoding: MatroskaWriter(size: writer.size, soundRate: 48_000).head, as: UTF8.self)
                .contains("A_PCM/INT/LIT"))
    }

    @Test func `a block is a cluster with its time in microseconds`() {
        let expected: [UInt8] = [
            0x1F, 0x43, 0xB6, 0x75, 0x01, 0, 0, 0, 0, 0, 0x12, 0x12,  // a cluster of 4626 bytes
            0xE7, 0x83, 0x0F, 0x42, 0x40,  // 1,000,000 us
            0xA3, 0x01, 0, 0, 0, 0, 0, 0x12, 0x04, 0x81, 0, 0, 0x80,  // a block of 4612 bytes of track 1
        ]
        #expect(writer.blockHead(.video, time: 1, count: 4608) == expected)
        #expect(writer.pictureBytes == 4608)
    }

    @Test func `sound has a track of its own, and blocks as pictures have`() throws {
        let writer = MatroskaWriter(size: writer.size, soundRate: 48_000)
        let track: [UInt8] =
            [0xAE, 0x80 + 47]  // a track of 47 bytes
            + [0xD7, 0x81, 2, 0x73, 0xC5, 0x81, 2, 0x83, 0x81, 2, 0x9C, 0x81, 0]  // number, identity, kind, no lacing
            + [0x86, 0x8D] + Array("A_PCM/INT/LIT".utf8)
            + [0xE1, 0x91, 0xB5, 0x88, 0x40, 0xE7, 0x70, 0, 0, 0, 0, 0]  // 48,000 Hz
            + [0x9F, 0x81, 1, 0x62, 0x64, 0x81, 16]  // one channel of 16 bits
        #expect(writer.head.suffix(track.count) == track[...])
        let expected: [UInt8] = [
            0x1F, 0x43, 0xB6, 0x75, 0x8F,  // a cluster of 15 bytes
            0xE7, 0x83, 0x0F, 0x42, 0x40,  // 1,000,000 us
            0xA3, 0x88, 0x82, 0, 0, 0x80,  // a block of 8 bytes of track 2
        ]
        #expect(writer.blockHead(.sound, time: 1, count: 4) == expected)
    }

    @Test func `an odd size has its colours rounded up`() {
        #expect(MatroskaWriter(size: PictureSize(width: 5, height: 3)).pictureBytes == 15 + 2 * 6)
    }

    @Test func `times out of range do not trap`() {
        for time in [-1, .nan, .infinity, 1e300] { #expect(!writer.blockHead(.video, time: time, count: 1).isEmpty) }
    }

    /// Jitter of 3 ms and gaps, as a camera has them.
    static func times(_ count: Int) -> [Double] {
        var dice = Dice(3), time = 0.0
        return (0..<count).map { index in
            defer { time += 1.0 / 30 + Double.random(in: -0.003...0.003, using: &dice) + (index % 40 == 39 ? 0.25 : 0) }
            return time
        }
    }

    @Test(.enabled(if: Film.hasTools, "ffmpeg is not installed"))
    func `every frame keeps its time to the tenth of a millisecond, and its pixels`() throws {
        let folder = TemporaryFolder(), times = Self.times(150)
        try folder.write(film(times), "film.mp4")
        let found = try Film.times(folder.path + "/film.mp4")
        #expect(found.count == times.count)
        #expect(zip(found, times).allSatisfy { abs($0 - $1) <= 0.0001 })
        #expect(try Film.frames(folder.path + "/film.mp4") == Array(0..<150))
    }

    @Test(.enabled(if: Film.hasTools, "ffmpeg is not installed"))
    func `an odd size loses its last column and row, and nothing else`() throws {
        let folder = TemporaryFolder()
        try folder.write(film(Self.times(30), width: 65, height: 49), "film.mp4")
        #expect(try Film.frames(folder.path + "/film.mp4").count == 30)
    }

    @Test(.enabled(if: Film.hasTools, "ffmpeg is not installed"))
    func `sound keeps its place beside the pictures`() throws {
        let folder = TemporaryFolder(), writer = MatroskaWriter(size: writer.size, soundRate: 48_000)
        var bytes = writer.head
        for index in 0..<60 {
            let pixels = picture(index).bytes, time = Double(index) / 30
            bytes += writer.blockHead(.video, time: time, count: pixels.count) + pixels
            let samples = [UInt8](repeating: 0, count: 2 * 1600)
            bytes += writer.blockHead(.sound, time: time, count: samples.count) + samples
        }
        try folder.write(bytes, "raw.mkv")
        var words = EncoderCommand.encode(EncoderSettings(), hasSound: true)
        words = words.map {
            $0 == "pipe:0" ? folder.path + "/raw.mkv" : $0 == "pipe:1" ? folder.path + "/film.mp4" : $0
        }
        let run = try ChildRun.run(words)
        #expect(run.ending == .exited(0) && run.complaint == nil, "\(run.complaint ?? "")")
        let found = try Film.times(folder.path + "/film.mp4")
        #expect(found.count == 60 && zip(found, 0...).allSatisfy { abs($0 - Double($1) / 30) <= 0.0001 })
        let sound = try ChildRun.run(
            ["ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries", "stream=codec_name,start_time"]
                + ["-of", "csv=p=0", folder.path + "/film.mp4"])
        let parts = String(decoding: sound.output, as: UTF8.self).split { $0 == "," || $0 == "\n" }
        #expect(parts.first == "aac" && abs(Double(parts.last ?? "") ?? 9) <= 0.03)
    }
}
