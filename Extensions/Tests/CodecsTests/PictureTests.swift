import Codecs
import Geometry
import Testing

@Suite struct PlanarPictureTests {
    @Test func `the planes of an odd size are rounded up`() throws {
        #expect(PlanarPicture.byteCount(width: 640, height: 480) == 460_800)
        #expect(PlanarPicture.byteCount(width: 5, height: 3) == 15 + 2 * 6)
        #expect(PlanarPicture.byteCount(width: 1, height: 1) == 3)
        let picture = try #require(Samples.make(5, 3) { plane, x, y in UInt8(plane.rawValue * 100 + y * 10 + x) })
        #expect(picture.width(of: .blue) == 3 && picture.height(of: .red) == 2)
        #expect(picture[.luma, 4, 2] == 24 && picture[.blue, 2, 1] == 112 && picture[.red, 0, 0] == 200)
        #expect(picture[.luma, 5, 0] == nil && picture[.blue, 0, 2] == nil && picture[.red, -1, 0] == nil)
        #expect(picture.bytes.last == 212)
    }

    @Test(arguments: [(0, 4), (4, 0), (-1, -1), (16_385, 1), (1, 16_385), (Int.max, Int.max), (Int.min, 2)])
    func `a size that cannot be makes no picture`(width: Int, height: Int) {
        #expect(PlanarPicture.byteCount(width: width, height: height) == nil)
        #expect(PlanarPicture(width: width, height: height, bytes: []) == nil)
    }

    @Test(arguments: [0, 1, 26, 28, 45])
    func `bytes of another number make no picture`(count: Int) throws {
        let bytes = [UInt8](repeating: 7, count: count)
        #expect(PlanarPicture(width: 5, height: 3, bytes: bytes) == nil)
        #expect(bytes.withUnsafeBytes { PlanarPicture(width: 5, height: 3, copying: $0) } == nil)
        var picture = try #require(Samples.checkered(5, 3))
        let before = picture
        let isReplaced = bytes.withUnsafeBytes { picture.replace(with: $0) }
        #expect(!isReplaced && picture == before)
    }

    @Test func `a picture is copied from memory, and again into the same one`() throws {
        let bytes = [UInt8](0..<27), others = [UInt8](100..<127)
        var picture = try #require(bytes.withUnsafeBytes { PlanarPicture(width: 5, height: 3, copying: $0) })
        #expect(picture.bytes == bytes)
        let isReplaced = others.withUnsafeBytes { picture.replace(with: $0) }
        #expect(isReplaced && picture.bytes == others)
    }

    @Test func `a copy keeps what it was when the other is covered`() throws {
        let original = try #require(Samples.checkered(16, 16))
        var other = original
        Mosaic.coverWhole(&other)
        #expect(other != original && original == Samples.checkered(16, 16))
    }
}

@Suite struct PixelRectTests {
    @Test func `a rectangle is rounded outward`() {
        let rect = Rect(x: 0.101, y: 0.299, width: 0.1, height: 0.1)
        #expect(PixelRect(covering: rect, width: 100, height: 10) == PixelRect(left: 10, top: 2, right: 21, bottom: 4))
        let exact = Rect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        #expect(PixelRect(covering: exact, width: 8, height: 8) == PixelRect(left: 2, top: 4, right: 6, bottom: 6))
    }

    @Test func `a rectangle beyond the picture keeps its edges`() {
        let rect = Rect(x: -0.5, y: -0.25, width: 2, height: 0.5)
        #expect(PixelRect(covering: rect, width: 10, height: 8) == PixelRect(left: -5, top: -2, right: 15, bottom: 2))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a rectangle that is not finite is the whole picture`(odd: Double) {
        let whole = PixelRect(left: 0, top: 0, right: 64, bottom: 48)
        for place in 0..<4 {
            var sides = [0.1, 0.1, 0.2, 0.2]
            sides[place] = odd
            let rect = Rect(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
            #expect(PixelRect(covering: rect, width: 64, height: 48) == whole)
        }
    }

    @Test func `edges are limited, and never in the wrong order`() {
        let huge = PixelRect(left: .min, top: .min, right: .max, bottom: .max)
        #expect(huge.left == -PixelRect.limit && huge.bottom == PixelRect.limit && !huge.isEmpty)
        #expect(PixelRect(left: 5, top: 5, right: 3, bottom: 9).isEmpty)
        let far = Rect(x: 1e300, y: -1e300, width: 1e200, height: 1e308)
        #expect(PixelRect(covering: far, width: 16_384, height: 16_384).left == PixelRect.limit)
    }
}
