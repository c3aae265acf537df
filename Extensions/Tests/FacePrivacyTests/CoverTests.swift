import Codecs
import Geometry
import Testing

@testable import FacePrivacy

@Suite struct PictureCoverTests {
    /// A picture in which every pixel of a row differs from its neighbour.
    static func ramp(_ width: Int, _ height: Int) -> PlanarPicture? {
        let count = PlanarPicture.byteCount(width: width, height: height) ?? 0
        var bytes = [UInt8](repeating: 0, count: count)
        for index in 0..<width * height { bytes[index] = UInt8(index % width * 255 / width) }
        for index in width * height..<count { bytes[index] = UInt8(index * 7 % 251) }
        return PlanarPicture(width: width, height: height, bytes: bytes)
    }

    /// The number of blocks that a row of pixels shows.
    static func blocks(_ picture: PlanarPicture, row: Int, _ columns: Range<Int>) -> Int {
        let samples = columns.compactMap { picture[.luma, $0, row] }
        return zip(samples, samples.dropFirst()).count { $0 != $1 } + 1
    }

    @Test(arguments: [(640, 480), (641, 481), (1280, 720), (320, 240)], [0.06, 0.1, 0.25, 0.6])
    func `a face has five blocks, give or take one`(size: (Int, Int), share: Double) throws {
        var picture = try #require(Self.ramp(size.0, size.1))
        let face = Rect(x: 0.2, y: 0.2, width: share, height: share * 0.9)
        PictureCover().apply(.faces([FaceArea(face, growth: 0.25)]), to: &picture)
        let pixels = PixelRect(covering: face, width: size.0, height: size.1)
        let count = Self.blocks(picture, row: (pixels.top + pixels.bottom) / 2, pixels.left..<pixels.right)
        #expect((4...6).contains(count))
    }

    @Test func `a path of a face keeps the blocks of the face, not of the path`() throws {
        var picture = try #require(Self.ramp(640, 480))
        let start = FaceArea(Rect(x: 0.1, y: 0.2, width: 0.1, height: 0.1), growth: 0.25)
        let end = FaceArea(Rect(x: 0.6, y: 0.2, width: 0.12, height: 0.1), growth: 0.25)
        PictureCover().apply(.faces([start.hull(end)]), to: &picture)
        #expect((4...6).contains(Self.blocks(picture, row: 120, 192..<269)))
    }

    @Test func `solid leaves one colour, also of a whole picture`() throws {
        var picture = try #require(Self.ramp(640, 480))
        let area = FaceArea(Rect(x: 0.2, y: 0.2, width: 0.1, height: 0.1), growth: 0.25)
        PictureCover(.solid).apply(.faces([area]), to: &picture)
        #expect(Self.blocks(picture, row: 120, 112..<208) == 1)
        PictureCover(.solid).apply(.whole(.gap), to: &picture)
        #expect(Set(picture.bytes.prefix(640 * 480)).count == 1)
    }

    @Test func `a whole picture has six blocks in a row`() throws {
        var picture = try #require(Self.ramp(640, 480))
        PictureCover().apply(.whole(.noDetector), to: &picture)
        #expect((0..<480).allSatisfy { Self.blocks(picture, row: $0, 0..<640) == 6 })
    }

    @Test(arguments: [(640, 480), (1280, 720), (480, 640), (320, 240)], [0.1, 0.25, 0.5, 0.8])
    func `a whole picture shows a large face with no more blocks than a small one`(
        size: (Int, Int), share: Double
    ) throws {
        var picture = try #require(Self.ramp(size.0, size.1))
        PictureCover().apply(.whole(.noDetector), to: &picture)
        let side = Int(share * Double(size.0)), most = Int((share * 6).rounded(.up)) + 1
        for left in stride(from: 0, through: size.0 - side, by: 16) {
            #expect(Self.blocks(picture, row: size.1 / 2, left..<left + side) <= most)
        }
    }

    @Test(arguments: [(640, 480), (1280, 720), (480, 640)]) func `blocks of a whole picture are nearly square`(
        width: Int, height: Int
    ) throws {
        let luma = (0..<width * height).map { UInt8($0 / width * 255 / height) }
        let count = PlanarPicture.byteCount(width: width, height: height) ?? 0
        let bytes = luma + [UInt8](repeating: 128, count: count - luma.count)
        var picture = try #require(PlanarPicture(width: width, height: height, bytes: bytes))
        PictureCover().apply(.whole(.noDetector), to: &picture)
        let column = (0..<height).compactMap { picture[.luma, width / 2, $0] }
        let rows = zip(column, column.dropFirst()).count { $0 != $1 } + 1
        #expect(abs(Double(height) / Double(rows) / (Double(width) / 6) - 1) < 0.2)
    }

    @Test func `clear and open pictures stay as they are`() throws {
        var picture = try #require(Self.ramp(64, 48))
        let before = picture
        PictureCover().apply(.clear, to: &picture)
        PictureCover().apply(.open, to: &picture)
        #expect(picture == before)
    }

    @Test func `an area that cannot be covers too much and never traps`() throws {
        for odd in [Double.nan, .infinity, -.infinity, 1e308, -1e308, 0] {
            var picture = try #require(Self.ramp(65, 49))
            var area = FaceArea(Rect(x: 0.5, y: 0.5, width: 0.2, height: 0.2), growth: odd)
            PictureCover().apply(.faces([area]), to: &picture)
            if !odd.isFinite { #expect(Self.blocks(picture, row: 0, 0..<65) < 65) }
            (area.faceWidth, area.faceHeight) = (odd, odd)
            PictureCover().apply(.faces([area]), to: &picture)
        }
    }
}
