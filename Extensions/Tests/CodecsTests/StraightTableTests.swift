import DockTestKit
import Geometry
import Testing

@testable import Codecs

/// Tables that take the distortion out of pictures. UplinkTests measure on rendered pictures whether the result is right.
@Suite struct StraightTableTests {
    private static let middle = Point(x: 0.5, y: 0.5)

    private static func picture(_ width: Int, _ height: Int, _ sample: (Int) -> UInt8) -> RGBPicture? {
        RGBPicture(width: width, height: height, bytes: (0..<3 * width * height).map(sample))
    }

    @Test func `a lens that bends nothing changes nothing`() throws {
        let picture = try #require(Self.picture(33, 20) { UInt8(truncatingIfNeeded: $0 &* 37) })
        let table = try #require(
            StraightTable(
                width: 33, height: 20, focal: Point(x: 0.9, y: 1.2), principal: Self.middle, distortion: .none))
        #expect(abs(table.focal.x - 0.9) < 1e-5 && abs(table.focal.y - 1.2) < 1e-5)
        #expect(table.straighten(picture) == picture)
    }

    @Test func `a picture of another size has no straight one`() throws {
        let table = try #require(
            StraightTable(
                width: 32, height: 20, focal: Point(x: 1, y: 1), principal: Self.middle,
                distortion: LensDistortion(k1: -0.1, k2: 0)))
        #expect(try table.straighten(#require(Self.picture(20, 32) { _ in 1 })) == nil)
        #expect(try table.straighten(#require(Self.picture(32, 20) { _ in 7 })) == Self.picture(32, 20) { _ in 7 })
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (0, 4), (-2, 4), (16_385, 4)])
    func `a size that is too small or too large has no table`(width: Int, height: Int) {
        let table = StraightTable(
            width: width, height: height, focal: Point(x: 1, y: 1), principal: Self.middle,
            distortion: LensDistortion(k1: -0.1, k2: 0))
        #expect(table == nil)
    }

    @Test(
        arguments: [
            (.nan, 1, 0.5, -0.1), (0, 1, 0.5, -0.1), (-1, 1, 0.5, -0.1), (1, .infinity, .nan, -0.1), (1, 1, 9, -0.1),
            (1, 1, 0.5, .nan), (1, 1, 0.5, -200), (1, 1, 0.5, -60),
        ] as [(Double, Double, Double, Double)])
    func `a lens that cannot be, or that bends too much, has no table`(
        x: Double, y: Double, principal: Double, k1: Double
    ) {
        let table = StraightTable(
            width: 32, height: 20, focal: Point(x: x, y: y), principal: Point(x: principal, y: 0.5),
            distortion: LensDistortion(k1: k1, k2: 0))
        #expect(table == nil)
    }

    @Test func `no lens reads beside a picture`() throws {
        var dice = Dice(7), made = 0
        for _ in 0..<300 {
            func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &dice) }
            let width = Int.random(in: 2...40, using: &dice), height = Int.random(in: 2...40, using: &dice)
            let distortion = LensDistortion(
                k1: number(-1...1), k2: number(-1...1), p1: number(-0.05...0.05), p2: number(-0.05...0.05),
                k3: number(-1...1))
            let table = StraightTable(
                width: width, height: height, focal: Point(x: number(0.3...3), y: number(0.3...3)),
                principal: Point(x: number(0.2...0.8), y: number(0.2...0.8)), distortion: distortion)
            guard let table else { continue }
            made += 1
            let white = try #require(Self.picture(width, height) { _ in 255 })
            #expect(table.straighten(white) == white)
        }
        #expect(made > 100)
    }
}
