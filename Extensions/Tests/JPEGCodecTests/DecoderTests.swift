import Codecs
import DockTestKit
import Foundation
import Testing

@testable import JPEGCodec

@Suite struct DecoderTests {
    private static func picture(_ width: Int, _ height: Int) -> RGBPicture? {
        let bytes = (0..<width * height).flatMap { at -> [UInt8] in
            [UInt8(at % width * 255 / width), UInt8(at / width * 255 / height), 128]
        }
        return RGBPicture(width: width, height: height, bytes: bytes)
    }

    private static func file(_ width: Int = 64, _ height: Int = 48) throws -> [UInt8] {
        let encoder = try #require(JPEGEncoder()), picture = try #require(Self.picture(width, height))
        return try #require(encoder.encode(picture, quality: 95))
    }

    private static func problem(_ file: [UInt8]) -> String? {
        do throws(PictureProblem) {
            _ = try JPEGDecoder.decode(file)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [(64, 48), (1, 1), (17, 5), (640, 480)])
    func `a picture comes back as it was, almost`(width: Int, height: Int) throws {
        let picture = try #require(Self.picture(width, height))
        let decoded = try JPEGDecoder.decode(try Self.file(width, height))
        #expect(decoded.width == width && decoded.height == height)
        #expect(try #require(decoded.difference(from: picture, oneIn: 1)) < 4)
    }

    @Test func `a file that is cut off is no picture, and is not filled with grey`() throws {
        let file = try Self.file()
        for count in stride(from: 0, to: file.count - 2, by: 7) { #expect(Self.problem(Array(file[..<count])) != nil) }
    }

    @Test func `a size that is too large is refused before memory is reserved for it`() throws {
        var file = try Self.file()
        let start = try #require((0..<file.count - 1).first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
        file.replaceSubrange(start + 5..<start + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
        #expect(try #require(Self.problem(file)).contains("pixels"))
        #expect(try #require(Self.problem([UInt8](repeating: 0xFF, count: PictureLimits.bytes + 1))).contains("8 MiB"))
    }

    @Test func `no damaged file stops it, or spoils the next one`() throws {
        let good = try Self.file(), picture = try JPEGDecoder.decode(good)
        var dice = Dice(5)
        for _ in 0..<2_000 {
            var file = good
            for _ in 0..<Int.random(in: 1...4, using: &dice) {
                file[Int.random(in: 0..<file.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
            _ = Self.problem(file)
        }
        #expect(try JPEGDecoder.decode(good) == picture)
    }
}
