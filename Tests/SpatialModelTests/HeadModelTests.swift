import Geometry
import SpatialModel
import Testing

/// The camera on a head: where it is, and what it sees. The rows were computed separately from this code.
@Suite struct HeadModelTests {
    struct Row: Sendable {
        var stand: HeadModel.Place
        /// In degrees.
        var heading: Double, pan: Double, tilt: Double
        var axis: [Double], lens: [Double]
        /// The first three rows of the pose, row by row.
        var pose: [Double]
        var place: HeadModel.Place
        /// In pixels, and the depth in metres.
        var picture: [Double]
    }

    static let rows = [
        Row(
            stand: [0, 1.2, 0], heading: 0, pan: 0, tilt: 0, axis: [0, 0], lens: [0, 0, 0],
            pose: [1, 0, 0, 0, 0, 1, 0, 1.2, 0, 0, 1, 0], place: [0.5, 1.7, -3], picture: [426.5, 136.4167, 3]),
        Row(
            stand: [0, 1.2, 0], heading: 0, pan: 20, tilt: 10, axis: [0.05, 0.01], lens: [0.012, 0.035, 0.04],
            pose: [
                0.939693, -0.059391, -0.336824, 0.026091, 0, 0.984808, -0.173648, 1.291414, 0.34202, 0.163176,
                0.925417, -0.036598,
            ], place: [1, 1.7, -3], picture: [305.336, 265.2894, 3.1414]),
        Row(
            stand: [1.5, 0.8, -2], heading: -90, pan: -15, tilt: -5, axis: [0.06, 0], lens: [0, 0.02, 0.03],
            pose: [
                -0.258819, -0.084186, 0.96225, 1.469449, 0, 0.996195, 0.087156, 0.877309, -0.965926, 0.022558,
                -0.257834, -1.991814,
            ], place: [-1, 1.5, -1.2], picture: [294.0484, 33.6067, 2.5261]),
    ]

    /// A camera of 640 x 480 pixels with fx 612, fy 611, cx 324.5, cy 238.25.
    static let lens = PictureLens(
        focal: Point(x: 612 / 640.0, y: 611 / 480.0), principal: Point(x: 324.5 / 640, y: 238.25 / 480))

    private static func camera(_ row: Row) -> RigidTransform {
        var head = HeadModel()
        head.stand = row.stand
        head.heading = .degrees(row.heading)
        head.axis = (row.axis[0], row.axis[1])
        head.lens = (row.lens[0], row.lens[1], row.lens[2])
        return head.camera(at: .degrees(pan: row.pan, tilt: row.tilt))
    }

    @Test(arguments: rows) func `the camera is where the machine puts it, and sees the place there`(row: Row) throws {
        let found = Self.camera(row), (x, y, z, o) = (found.axes.x, found.axes.y, found.axes.z, found.origin)
        let pose = [x.x, y.x, z.x, o.x, x.y, y.y, z.y, o.y, x.z, y.z, z.z, o.z]
        for (value, wanted) in zip(pose, row.pose) { #expect(abs(value - wanted) < 1e-6) }
        let (point, depth) = try #require(Self.lens.project(row.place, from: found))
        #expect(abs(point.x * 640 - row.picture[0]) < 1e-3 && abs(point.y * 480 - row.picture[1]) < 1e-3)
        #expect(abs(depth - row.picture[2]) < 1e-4)
    }

    @Test func `a place behind the camera is not in the picture`() {
        #expect(Self.lens.project([0, 1.2, 2], from: Self.camera(Self.rows[0])) == nil)
    }

    /// Two ways that share nothing but the convention.
    @Test func `a head that turns toward a place has it in the middle`() throws {
        var head = HeadModel()
        head.stand = [0.3, 1, -0.2]
        head.heading = 0.4
        for place in [HeadModel.Place(1, 1.5, -2), [-2, 0.2, 1], [0.3, 3, -0.5]] {
            let camera = head.camera(at: head.pose(toward: place))
            let point = try #require(Self.lens.project(place, from: camera)).point
            #expect(abs(point.x - Self.lens.principal.x) < 1e-9 && abs(point.y - Self.lens.principal.y) < 1e-9)
        }
    }

    @Test func `a line that passes the camera is cut where it leaves the view`() throws {
        let camera = HeadModel().camera(at: .zero)
        #expect(Self.lens.project([0, 0, 1], [0, 0, 2], from: camera) == nil)
        let (near, far) = try #require(Self.lens.project([1, 0, 1], [0, 0, -2], from: camera))
        let end = try #require(Self.lens.project([0, 0, -2], from: camera)).point
        #expect(far == end && near.x.isFinite && near.x > 1)
        let whole = try #require(Self.lens.project([-1, 0, -2], [1, 0, -2], from: camera))
        #expect(whole.0 == Self.lens.project([-1, 0, -2], from: camera)?.point)
        #expect(whole.1 == Self.lens.project([1, 0, -2], from: camera)?.point)
    }
}
