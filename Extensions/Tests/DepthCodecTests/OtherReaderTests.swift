import Codecs
import DockTestKit
import Foundation
import Testing

@testable import DepthCodec

@Suite(.enabled(if: access("/usr/bin/ffmpeg", X_OK) == 0, "ffmpeg is missing"))
struct OtherReaderTests {
    private let place = TemporaryFolder()

    /// Runs ffmpeg, and returns what it writes.
    private func ffmpeg(_ words: String) throws -> [UInt8] {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
        process.arguments = ["-v", "error", "-nostdin"] + words.split(separator: " ").map(String.init)
        process.standardOutput = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(bytes)
    }

    @Test func `ffmpeg reads the samples of our files, and we read those of its files`() throws {
        let writer = try #require(DepthPNGWriter()), reader = try #require(DepthPNGReader())
        var dice = Dice(3)
        for _ in 0..<6 {
            let picture = try #require(TestPNG.picture(&dice, most: 90)), path = place.path + "/a.png"
            let file = writer.pack(picture).file(note: Array("{\"v\":1}".utf8))
            try Data(file).write(to: URL(fileURLWithPath: path))
            let raw = try ffmpeg("-i \(path) -f rawvideo -pix_fmt gray16be pipe:1")
            #expect(raw == picture.samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
            let its = try ffmpeg("-i \(path) -f image2pipe -c:v png -pred mixed pipe:1")
            #expect(try reader.read(its).picture == picture)
        }
    }
}
