import Geometry
import Glibc
import SpatialModel
import Testing

/// Distances from the size of a face, against simulated faces whose place is known.
@Suite struct FaceRulerTests {
    private static let straight = PictureLens(horizontalFieldOfView: .degrees(60), aspect: 4.0 / 3)

    /// Returns the rectangle of a face at a place (metres: right, up, ahead), which looks at the camera and is `width` wide.
    private static func rect(
        _ x: Double, _ y: Double, _ z: Double, width: Double = FaceRuler.width, through lens: PictureLens
    ) throws -> Rect {
        let length = (x * x + z * z).squareRoot(), half = width / 2
        let (u, w) = (z / length * half, -x / length * half)
        let left = try #require(lens.project([x - u, y, -(z - w)], from: .identity)).point
        let right = try #require(lens.project([x + u, y, -(z + w)], from: .identity)).point
        let top = try #require(lens.project([x, y + 0.1, -z], from: .identity)).point
        let bottom = try #require(lens.project([x, y - 0.1, -z], from: .identity)).point
        return Rect(x: left.x, y: top.y, width: right.x - left.x, height: bottom.y - top.y)
    }

    @Test(arguments: [0.35, 0.5, 1, 2, 3], [-25.0, 0, 12, 25])
    func `a face of the usual size is as far as it is, in the middle and at the side`(z: Double, side: Double) throws {
        var bent = LensTests.webcam
        bent.principal = Point(x: 0.51, y: 0.48)
        for lens in [Self.straight, bent] {
            let rect = try Self.rect(z * tan(.degrees(side)), 0.1 * z, z, through: lens)
            guard rect.x > 0.01, rect.maxX < 0.99 else { continue }
            let found = try #require(FaceRuler.distance(of: rect, through: lens))
            #expect(abs(found.metres - z) < 0.03 * z, "\(found.metres) m")
            #expect(found.source == .size && abs((found.error ?? 0) - 0.1 * found.metres) < 1e-9)
        }
    }

    @Test func `people and rectangles differ within twice the stated error`() throws {
        for share in stride(from: 0.84, through: 1.18, by: 0.02) {
            let rect = try Self.rect(0.2, 0, 1.5, width: FaceRuler.width * share, through: Self.straight)
            let found = try #require(FaceRuler.distance(of: rect, through: Self.straight))
            #expect(abs(found.metres - 1.5) < 2 * (found.error ?? 0))
        }
    }

    @Test func `a turned face is not farther because it looks narrower`() throws {
        let turned = try Self.rect(0, 0, 1.2, width: FaceRuler.width * cos(.degrees(30)), through: Self.straight)
        let known = try #require(FaceRuler.distance(of: turned, yaw: .degrees(-30), through: Self.straight))
        let unknown = try #require(FaceRuler.distance(of: turned, through: Self.straight))
        #expect(abs(known.metres - 1.2) < 0.01 && unknown.metres > 1.35)
        // A head is not flat: from the side it is still three quarters as wide.
        let side = try #require(FaceRuler.distance(of: turned, yaw: .degrees(90), through: Self.straight))
        #expect(abs(side.metres - 1.2 * 0.75 / cos(.degrees(30))) < 0.01)
    }

    @Test func `a face that the edge cuts is known to be nearer than it seems`() throws {
        let whole = try Self.rect(0.28, 0, 0.5, through: Self.straight)
        #expect(whole.maxX > 1)
        let cut = Rect(x: whole.x, y: whole.y, width: 1 - whole.x, height: whole.height)
        let found = try #require(FaceRuler.distance(of: cut, through: Self.straight))
        #expect(found.metres > 0.5 && found.metres - (found.error ?? 0) < 0.5)
    }

    @Test func `an impossible rectangle or lens has no distance`() {
        let numbers = [Double.nan, .infinity, -0.1, 0, 1e-12, 1e300]
        for number in numbers {
            let rect = Rect(x: 0.4, y: 0.4, width: number, height: 0.1)
            let found = FaceRuler.distance(of: rect, through: Self.straight)
            #expect(found.map { $0.metres > 0 && $0.metres <= SubjectDistance.farthest } ?? true, "\(number)")
            let lens = PictureLens(focal: Point(x: number, y: number))
            let other = FaceRuler.distance(of: Rect(x: 0.4, y: 0.4, width: 0.1, height: 0.1), through: lens)
            #expect(other.map { $0.metres > 0 && $0.metres.isFinite } ?? true, "\(number)")
        }
        #expect(FaceRuler.distance(of: Rect(x: 0.4, y: 0.4, width: 0, height: 0.1), through: Self.straight) == nil)
        #expect(FaceRuler.distance(of: Rect(x: 0.4, y: 0.4, width: 1e-6, height: 0.1), through: Self.straight) == nil)
    }
}
