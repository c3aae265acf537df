import Geometry
import SpatialModel
import Testing

/// Lenses that bend lines, and the rays that their pictures show.
@Suite struct LensTests {
    /// 640 x 480 pixels, f 612, like a usual webcam.
    static let webcam: PictureLens = {
        var lens = PictureLens(focal: Point(x: 612 / 640.0, y: 612 / 480.0))
        lens.distortion = LensDistortion(k1: -0.12, k2: 0.02, p1: 0.001, p2: -0.0005)
        return lens
    }()

    @Test func `the corner of a picture is off by twenty pixels without the distortion`() throws {
        var straight = Self.webcam, bent = Self.webcam
        straight.distortion = .none
        bent.distortion = LensDistortion(k1: -0.12, k2: 0)
        // The place that a straight lens shows in the corner.
        let ray = try #require(straight.ray(through: Point(x: 0, y: 0), from: .identity))
        let (shown, _) = try #require(bent.project(ray.place(at: 3), from: .identity))
        let (dx, dy) = (shown.x * 640, shown.y * 480), off = (dx * dx + dy * dy).squareRoot()
        #expect(abs(off - 20.5) < 1, "\(off) pixels")
    }

    @Test func `a ray through a point of the picture projects to that point`() throws {
        var head = HeadModel()
        (head.stand, head.heading, head.lens) = ([1, 1.2, -0.5], .degrees(35), (0.01, 0.03, 0.04))
        let camera = head.camera(at: .degrees(pan: -20, tilt: 12))
        for x in stride(from: 0.0, through: 1, by: 0.125) {
            for y in stride(from: 0.0, through: 1, by: 0.125) {
                let ray = try #require(Self.webcam.ray(through: Point(x: x, y: y), from: camera))
                let (shown, depth) = try #require(Self.webcam.project(ray.place(at: 2.5), from: camera))
                #expect(abs(shown.x - x) < 1e-8 && abs(shown.y - y) < 1e-8)
                #expect(depth > 1.5 && depth < 2.5 + 1e-9)
            }
        }
    }

    @Test func `what a lens cannot see is not shown inside its picture`() {
        var lens = Self.webcam
        lens.distortion = LensDistortion(k1: -0.2, k2: 0)
        // The model folds back at a tangent of 1.29: at 70 degrees it would show the place near the middle.
        #expect(abs(lens.distortion.reach - 1.29) < 0.03)
        #expect(lens.project([2.75, 0, -1], from: .identity) == nil)
        #expect(lens.project([1.2, 0, -1], from: .identity) != nil)
        // No ray of this lens ends there.
        #expect(lens.ray(through: Point(x: 3, y: 0.5), from: .identity) == nil)
        // A line to that place ends where the lens ends.
        let line = lens.project([0, 0, -1], [2.75, 0, -1], from: .identity)
        #expect((line?.1.x ?? 0) > 1 && (line?.1.x ?? 9) < 1.4)
    }

    @Test func `a picture point that is no number has no ray`() {
        #expect(Self.webcam.ray(through: Point(x: .nan, y: 0.5), from: .identity) == nil)
        #expect(Self.webcam.ray(through: Point(x: .infinity, y: 0.5), from: .identity) == nil)
    }
}
