import Codecs
import DockTestKit
import Foundation
import Testing

@testable import JPEGCodec

@Suite("pictures that are sent")
struct PictureTests {
    /// A picture with a gradient, and some noise.
    private static func picture(_ width: Int, _ height: Int, seed: UInt64 = 1) throws -> RGBPicture {
        var dice = Dice(seed), bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let noise = Int.random(in: -4...4, using: &dice)
                bytes += [x * 255 / width, y * 255 / height, 128].map { UInt8(min(max($0 + noise, 0), 255)) }
            }
        }
        return try #require(RGBPicture(width: width, height: height, bytes: bytes))
    }

    @Test("a picture has the bytes of its size, and no other number of them")
    func sizes() {
        #expect(RGBPicture(width: 2, height: 2, bytes: [UInt8](repeating: 0, count: 12)) != nil)
        #expect(RGBPicture(width: 2, height: 2, bytes: [UInt8](repeating: 0, count: 11)) == nil)
        #expect(RGBPicture(width: 0, height: 2, bytes: []) == nil)
        #expect(RGBPicture(width: 1 << 20, height: 1, bytes: [UInt8](repeating: 0, count: 3 << 20)) == nil)
    }

    @Test(
        "a picture that gets smaller keeps its proportions and its brightness",
        arguments: [(640, 480, 480, 360), (640, 480, 320, 240), (640, 480, 1, 1), (480, 270, 400, 225), (3, 2, 2, 1)])
    func scaling(_ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int) throws {
        let even = try #require(
            RGBPicture(width: width, height: height, bytes: [UInt8](repeating: 200, count: 3 * width * height)))
        let small = even.scaled(toWidth: newWidth)
        #expect(small.width == newWidth && small.height == newHeight)
        #expect(small.bytes.allSatisfy { abs(Int($0) - 200) <= 2 })
        let picture = try Self.picture(width, height), scaled = picture.scaled(toWidth: newWidth)
        func mean(_ bytes: [UInt8]) -> Double { Double(bytes.reduce(0) { $0 + Int($1) }) / Double(bytes.count) }
        #expect(abs(mean(scaled.bytes) - mean(picture.bytes)) < 2.5)
        #expect(picture.scaled(toWidth: width) == picture && picture.scaled(toWidth: 10_000) == picture)
    }

    @Test("each pixel of half a size is the mean of four")
    func half() throws {
        let picture = try Self.picture(64, 48), small = picture.scaled(toWidth: 32)
        for (x, y) in [(0, 0), (31, 23), (7, 12)] {
            for part in 0..<3 {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map {
                    Int(picture.bytes[3 * ((2 * y + $0.1) * 64 + 2 * x + $0.0) + part])
                }
                let mean = Double(four.reduce(0, +)) / 4
                #expect(abs(Double(small.bytes[3 * (y * 32 + x) + part]) - mean) <= 1.5)
            }
        }
    }

    @Test("the difference of pictures is the mean of grey levels")
    func differences() throws {
        let picture = try Self.picture(64, 48)
        #expect(picture.difference(from: picture) == 0)
        let brighter = try #require(
            RGBPicture(width: 64, height: 48, bytes: picture.bytes.map { $0 < 250 ? $0 + 5 : $0 }))
        #expect(try #require(picture.difference(from: brighter)) > 4)
        #expect(picture.difference(from: picture.scaled(toWidth: 32)) == nil)
    }

    @Test("JPEG is what another program reads, and smaller with less quality")
    func jpeg() throws {
        let encoder = try #require(JPEGEncoder()), picture = try Self.picture(160, 120)
        let sizes = try [95, 60, 35].map { quality in
            let file = try #require(encoder.encode(picture, quality: quality))
            #expect(file.starts(with: [0xFF, 0xD8, 0xFF]) && file.suffix(2) == [0xFF, 0xD9])
            return file.count
        }
        #expect(sizes == sizes.sorted(by: >) && Set(sizes).count == 3)
        // A smaller and a larger picture with the same encoder.
        for width in [16, 160, 8] {
            let file = try #require(encoder.encode(picture.scaled(toWidth: width), quality: 60))
            let place = TemporaryFolder()
            try Data(file).write(to: URL(fileURLWithPath: place.path + "/a.jpg"))
            #expect(try Self.size(of: place.path + "/a.jpg") == "\(width)x\(width * 3 / 4)")
        }
    }

    /// The size that ffprobe sees.
    private static func size(of path: String) throws -> String {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ffprobe")
        process.arguments = [
            "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0:s=x", path,
        ]
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
