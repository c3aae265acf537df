import Geometry
import Testing

@Suite struct RectTests {
    private let rect = Rect(x: 0.2, y: 0.4, width: 0.4, height: 0.2)

    @Test func `a rectangle around a centre has that centre`() {
        let built = Rect(center: Point(x: 0.4, y: 0.5), width: 0.4, height: 0.2)
        #expect(abs(built.x - rect.x) < 1e-12 && abs(built.y - rect.y) < 1e-12)
        #expect(abs(rect.center.x - 0.4) < 1e-12 && abs(rect.center.y - 0.5) < 1e-12)
        #expect(abs(rect.area - 0.08) < 1e-12)
    }

    @Test func `the edges belong to the rectangle and points beyond do not`() {
        #expect(rect.contains(Point(x: 0.2, y: 0.4)))
        #expect(rect.contains(Point(x: rect.maxX, y: rect.maxY)))
        #expect(!rect.contains(Point(x: 0.61, y: 0.5)))
        #expect(!rect.contains(Point(x: 0.3, y: 0.39)))
    }

    @Test func `overlap is one with itself, none when apart, a third when half shifted`() {
        #expect(abs(rect.overlap(rect) - 1) < 1e-12)
        #expect(rect.overlap(rect.offset(dx: 0.5, dy: 0)) == 0)
        #expect(rect.overlap(rect.offset(dx: 0.4, dy: 0)) < 1e-12)
        #expect(abs(rect.overlap(rect.offset(dx: 0.2, dy: 0)) - 1.0 / 3) < 1e-12)
        #expect(rect.intersection(rect.offset(dx: 0, dy: 0.3)) == nil)
    }

    @Test func `overlap is symmetric`() {
        let other = Rect(x: 0.1, y: 0.45, width: 0.3, height: 0.4)
        #expect(rect.overlap(other) == other.overlap(rect))
        #expect(rect.intersection(other) == other.intersection(rect))
    }
}

@Suite struct AngleTests {
    @Test func `degrees and radians convert back and forth`() {
        #expect(abs(Double.degrees(180) - .pi) < 1e-12)
        #expect(abs(Double.degrees(-37.5).inDegrees + 37.5) < 1e-12)
        #expect(PanTilt.degrees(pan: 90, tilt: -45).pan == .pi / 2)
    }

    @Test func `clamping moves only values outside the range`() {
        #expect(2.0.clamped(to: -1...1) == 1)
        #expect((-2.0).clamped(to: -1...1) == -1)
        #expect(0.5.clamped(to: -1...1) == 0.5)
    }

    @Test func `pan and tilt are accessible by name and by axis`() {
        var angles = PanTilt(pan: 1, tilt: -3)
        #expect(angles[.pan] == 1 && angles[.tilt] == -3)
        #expect(angles.magnitude == 3)
        angles[.tilt] = 2
        #expect(angles + PanTilt(pan: 1, tilt: 1) == PanTilt(pan: 2, tilt: 3))
        #expect((angles - angles) == .zero)
        #expect(angles * 2 == PanTilt(pan: 2, tilt: 4))
    }
}
