import DockTestKit
import Codecs
import Testing

@Suite struct MosaicTests {
    /// The samples of a plane inside a rectangle, by rows.
    static func samples(
        _ picture: PlanarPicture, _ plane: PlanarPicture.Plane, _ columns: Range<Int>, _ rows: Range<Int>
    ) -> [UInt8] {
        rows.flatMap { y in columns.compactMap { picture[plane, $0, y] } }
    }

    @Test func `a block has the mean of its samples in every plane`() throws {
        var picture = try #require(Samples.make(40, 40) { plane, x, y in UInt8(plane.rawValue * 60 + x + y) })
        let before = picture
        Mosaic.cover(&picture, PixelRect(left: 4, top: 8, right: 24, bottom: 28), blocks: 5)
        // Blocks of 4 x 4 pixels and 2 x 2 samples of colour.
        for row in 0..<5 {
            for column in 0..<5 {
                for plane in PlanarPicture.Plane.allCases {
                    let side = plane == .luma ? 4 : 2, (left, top) = plane == .luma ? (4, 8) : (2, 4)
                    let columns = left + column * side..<left + (column + 1) * side
                    let rows = top + row * side..<top + (row + 1) * side
                    let old = Self.samples(before, plane, columns, rows).map(Int.init)
                    let mean = UInt8((old.reduce(0, +) + old.count / 2) / old.count)
                    #expect(Set(Self.samples(picture, plane, columns, rows)) == [mean])
                }
            }
        }
    }

    @Test func `samples outside the rectangle stay as they are`() throws {
        var picture = try #require(Samples.checkered(64, 48))
        let before = picture
        Mosaic.cover(&picture, PixelRect(left: 10, top: 10, right: 30, bottom: 30), blocks: 5)
        for plane in PlanarPicture.Plane.allCases {
            let part = plane == .luma ? 10..<30 : 5..<15
            var changed = 0
            for y in 0..<picture.height(of: plane) {
                for x in 0..<picture.width(of: plane) where !(part.contains(x) && part.contains(y)) {
                    changed += picture[plane, x, y] == before[plane, x, y] ? 0 : 1
                }
            }
            #expect(changed == 0)
        }
    }

    @Test func `solid is one colour, and a whole picture has 6 columns`() throws {
        var solid = try #require(Samples.make(64, 48) { _, x, y in UInt8(x + y) })
        Mosaic.coverSolid(&solid, PixelRect(left: 0, top: 0, right: 64, bottom: 48))
        #expect(Set(Self.samples(solid, .luma, 0..<64, 0..<48)).count == 1)
        var whole = try #require(Samples.make(640, 480) { _, x, y in UInt8((x / 4 + y / 4) % 250) })
        Mosaic.coverWhole(&whole)
        for row in 0..<5 {
            for column in 0..<6 {
                // Edges lie between two samples of colour, of which a row has 320.
                let columns = column * 320 / 6 * 2..<(column + 1) * 320 / 6 * 2, rows = row * 96..<(row + 1) * 96
                #expect(Set(Self.samples(whole, .luma, columns, rows)).count == 1)
            }
        }
    }

    @Test func `blocks move with the rectangle, not with the picture`() throws {
        func scene(_ shift: Int) -> PlanarPicture? {
            Samples.make(80, 60) { plane, x, y in
                let (across, down) = plane == .luma ? (x - shift, y) : (x - shift / 2, y)
                return UInt8(truncatingIfNeeded: across &* 7 &+ down &* 13)
            }
        }
        var first = try #require(scene(0)), second = try #require(scene(6))
        Mosaic.cover(&first, PixelRect(left: 10, top: 10, right: 41, bottom: 41), blocks: 5)
        Mosaic.cover(&second, PixelRect(left: 16, top: 10, right: 47, bottom: 41), blocks: 5)
        #expect(Self.samples(first, .luma, 10..<42, 10..<42) == Self.samples(second, .luma, 16..<48, 10..<42))
        #expect(Self.samples(first, .red, 5..<21, 5..<21) == Self.samples(second, .red, 8..<24, 5..<21))
    }

    @Test func `a rectangle that the picture's edge cuts keeps the size of its blocks`() throws {
        var picture = try #require(Samples.make(80, 60) { _, x, y in UInt8(x * 3 % 200 + y % 50) })
        Mosaic.cover(&picture, PixelRect(left: -40, top: 0, right: 40, bottom: 60), columns: 4, rows: 1)
        #expect(Set(Self.samples(picture, .luma, 0..<20, 0..<60)).count == 1)
        #expect(Set(Self.samples(picture, .luma, 20..<40, 0..<60)).count == 1)
        #expect(picture[.luma, 0, 0] != picture[.luma, 20, 0])
    }

    @Test(arguments: 0..<60)
    func `no sample of a rectangle stays bare, and no other changes`(seed: Int) throws {
        var chance = Dice(UInt64(seed))
        let width = Int.random(in: 1...70, using: &chance), height = Int.random(in: 1...50, using: &chance)
        var picture = try #require(Samples.checkered(width, height))
        let before = picture
        let left = Int.random(in: -30...width, using: &chance), top = Int.random(in: -30...height, using: &chance)
        let rect = PixelRect(
            left: left, top: top, right: left + Int.random(in: 0...60, using: &chance),
            bottom: top + Int.random(in: 0...60, using: &chance))
        // One block, because a small block may hold a single sample of colour.
        Mosaic.coverSolid(&picture, rect)
        let edges = (rect.left >> 1, rect.top >> 1, (rect.right + 1) >> 1, (rect.bottom + 1) >> 1)
        for plane in PlanarPicture.Plane.allCases {
            let scale = plane == .luma ? 2 : 1
            let columns = edges.0 * scale..<max(edges.0, edges.2) * scale
            let rows = edges.1 * scale..<max(edges.1, edges.3) * scale
            var colours: Set<UInt8> = [], changed = 0
            for y in 0..<picture.height(of: plane) {
                for x in 0..<picture.width(of: plane) {
                    if !rect.isEmpty, columns.contains(x), rows.contains(y) {
                        colours.insert(try #require(picture[plane, x, y]))
                    } else {
                        changed += picture[plane, x, y] == before[plane, x, y] ? 0 : 1
                    }
                }
            }
            #expect(colours.count <= 1 && changed == 0)
        }
    }

    @Test func `a small rectangle has fewer blocks, and none of a single sample`() throws {
        for side in 4...24 {
            var picture = try #require(Samples.checkered(40, 40))
            Mosaic.cover(&picture, PixelRect(left: 8, top: 8, right: 8 + side, bottom: 8 + side), blocks: 5)
            for plane in PlanarPicture.Plane.allCases {
                let part = plane == .luma ? 8..<8 + side : 4..<4 + side / 2
                let samples = Self.samples(picture, plane, part, part)
                #expect(!samples.contains(Samples.dark) && !samples.contains(Samples.bright))
            }
        }
    }

    @Test(arguments: [(1, 1), (2, 1), (3, 3), (17, 9), (101, 57), (640, 3)])
    func `a whole picture of any size is covered`(width: Int, height: Int) throws {
        var picture = try #require(Samples.make(width, height) { _, x, y in UInt8((x + y) % 2 * 200) })
        Mosaic.coverWhole(&picture, columns: 1)
        for plane in PlanarPicture.Plane.allCases {
            let all = Self.samples(picture, plane, 0..<picture.width(of: plane), 0..<picture.height(of: plane))
            #expect(Set(all).count <= max(1, height / max(width, 1) + 1))
        }
    }

    @Test func `odd numbers of blocks and rectangles far away do no harm`() throws {
        var picture = try #require(Samples.checkered(33, 21))
        let before = picture
        for far in [
            PixelRect(left: 34, top: 0, right: 90, bottom: 21), PixelRect(left: -50, top: -50, right: -1, bottom: 60),
            PixelRect(left: .max, top: .max, right: .max, bottom: .max),
            PixelRect(left: 4, top: 4, right: 4, bottom: 9),
        ] { Mosaic.cover(&picture, far, blocks: 5) }
        // Column 33 would share a sample of colour with the picture's last column.
        #expect(picture == before)
        for count in [Int.min, -3, 0, 7, 100_000, .max] {
            Mosaic.cover(&picture, PixelRect(left: .min, top: .min, right: .max, bottom: .max), columns: count, rows: 1)
            Mosaic.coverWhole(&picture, columns: count)
        }
        #expect(picture.width == 33)
    }
}
