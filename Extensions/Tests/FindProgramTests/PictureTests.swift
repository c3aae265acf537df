import Codecs
import ExtensionKit
import Geometry
import Testing

@testable import dockface_find

/// Which picture a question is about, and which part of it.
@Suite struct PictureTests {
    /// A picture whose pixels say where they are: red is the column, green the row.
    private static func picture(_ width: Int = 200, _ height: Int = 100, blue: UInt8 = 0) throws -> RGBPicture {
        let bytes = (0..<(width * height)).flatMap { [UInt8($0 % width), UInt8($0 / width), blue] }
        return try #require(RGBPicture(width: width, height: height, bytes: bytes))
    }

    @Test func `a part has a margin of fifteen per cent, and says where the thing is in it`() throws {
        let rect = Rect(x: 0.25, y: 0.2, width: 0.2, height: 0.4)
        let part = try #require(Self.picture().part(rect, margin: 0.15, side: 1024))
        // 50...90 of 200 and 20...60 of 100, with 6 more on each side; whole pixels are rounded outward.
        #expect((52...54).contains(part.picture.width) && (52...54).contains(part.picture.height))
        #expect((43...44).contains(part.picture.bytes[0]) && (13...14).contains(part.picture.bytes[1]))
        #expect(abs(part.rect.x - 6.0 / 52) < 0.03 && abs(part.rect.width - 40.0 / 52) < 0.04)
    }

    @Test func `the edge of the picture bounds a part, and its size is bounded`() throws {
        let picture = try Self.picture()
        for rect in [
            Rect.full, Rect(x: -1, y: -1, width: 3, height: 3), Rect(x: 0.9, y: 0.9, width: 0.5, height: 0.5),
            Rect(x: 0, y: 0, width: 0.001, height: 0.001),
        ] {
            let part = try #require(picture.part(rect, margin: 0.15, side: 64), "\(rect)")
            #expect(max(part.picture.width, part.picture.height) <= 64)
            #expect(part.rect.x >= 0 && part.rect.y >= 0 && part.rect.maxX <= 1.001 && part.rect.maxY <= 1.001)
        }
        for rect in [Rect(x: 2, y: 0, width: 1, height: 1), Rect(x: 0, y: 0, width: 0, height: 1)] {
            #expect(picture.part(rect, margin: 0.15, side: 64) == nil)
        }
    }

    @Test func `a question is about the picture of its number and its time`() throws {
        let board = PictureBoard(log: ExtensionLog("find"))
        for number in 0..<20 {
            board.add(try Self.picture(blue: UInt8(number)), sequence: number, exposure: 100 + Double(number) / 10)
        }
        func blue(_ sequence: Int?, _ time: Seconds) -> UInt8? {
            board.part(.full, time: time, sequence: sequence, side: 1024)?.picture.bytes[2]
        }
        #expect(blue(7, 100.7) == 7 && blue(7, 100.71) == 7)
        // One that was left out has neighbours; numbers and times of another camera fit none.
        #expect(blue(nil, 100.7) == nil && blue(7, 101.9) == nil && blue(700, 100.7) == nil && blue(7, 200) == nil)
        board.add(try Self.picture(blue: 50), sequence: 60, exposure: 106)
        #expect(blue(61, 106.1) == 50 && blue(59, 105.9) == 50 && blue(61, 105.9) == nil && blue(64, 106.4) == nil)
        // Old ones are gone.
        #expect(blue(7, 100.7) == nil)
    }

    @Test func `the memory of pictures is bounded`() throws {
        let board = PictureBoard(log: ExtensionLog("find"))
        let large = try #require(
            RGBPicture(width: 1280, height: 960, bytes: [UInt8](repeating: 0, count: 3 * 1280 * 960)))
        for number in 0..<60 { board.add(large, sequence: number, exposure: 100 + Double(number) / 100) }
        #expect(board.part(.full, time: 100, sequence: 0, side: 64) == nil)
        #expect(board.part(.full, time: 100.59, sequence: 59, side: 64) != nil)
    }

    @Test func `a picture's file has a name for people that no other thing has`() {
        let names = ["brown cup", "brown-cup", "Brown Cup", "../../etc/passwd", "杯子", "кружка", "", "."]
        let files = names.map(ThingPictures.file)
        #expect(files[0] == files[2] && Set(files).count == names.count - 1)
        #expect(files.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") && $0.hasSuffix(".jpg") })
        #expect(ThingPictures.file(of: String(repeating: "x", count: 900)).count < 70)
    }
}
