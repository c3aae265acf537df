public import ControlProtocol
public import SpatialModel

/// How the numbers of a pose are arranged and which way a camera looks.
public struct PoseConvention: Sendable, Equatable {
    /// What one of the four inner lists is.
    public enum Order: String, Sendable, CaseIterable { case columns, rows }

    /// Which way a camera looks along its own axes.
    public enum Camera: String, Sendable, CaseIterable {
        /// Along -z, with y up.
        case arkit
        /// Along z, with y down, as in OpenCV.
        case optical
    }

    /// What the inner lists are. The source system's comments say rows, and its programs send columns.
    public var order: Order
    /// Which way the camera looks.
    public var camera: Camera

    /// Creates a convention; the usual one is that of the source system.
    public init(order: Order = .columns, camera: Camera = .arkit) { (self.order, self.camera) = (order, camera) }
}

/// Poses as messages carry them: four lists of four numbers.
public enum PoseMatrix {
    /// How far the axes may differ from unit length and right angles.
    static let tolerance = 1e-3

    /// Returns the lists for the place of a camera that looks along its -z.
    public static func lists(_ pose: RigidTransform, _ convention: PoseConvention = PoseConvention()) -> [[Double]] {
        let sign = convention.camera == .arkit ? 1.0 : -1.0
        let (x, y, z) = (pose.axes.x, pose.axes.y * sign, pose.axes.z * sign)
        let columns = [
            [x.x, x.y, x.z, 0], [y.x, y.y, y.z, 0], [z.x, z.y, z.z, 0],
            [pose.origin.x, pose.origin.y, pose.origin.z, 1],
        ]
        return convention.order == .columns ? columns : transposed(columns)
    }

    /// Reads the lists; nil if they are no pose. The place of 0, 0, 0, 1 says whether they are rows or columns. If both
    /// are possible, the convention counts.
    public static func pose(_ value: JSONValue, _ convention: PoseConvention = PoseConvention()) -> RigidTransform? {
        let lists = (value.array ?? []).map { ($0.array ?? []).compactMap(\.number) }
        guard lists.count == 4, lists.allSatisfy({ $0.count == 4 && $0.allSatisfy(\.isFinite) }) else { return nil }
        let isRows = lists[3] == [0, 0, 0, 1], isColumns = lists.map { $0[3] } == [0, 0, 0, 1]
        guard isRows || isColumns else { return nil }
        let rows = isRows && isColumns ? convention.order == .rows : isRows
        let columns = rows ? transposed(lists) : lists
        let sign = convention.camera == .arkit ? 1.0 : -1.0
        func axis(_ index: Int) -> RigidTransform.Vector {
            RigidTransform.Vector(columns[index][0], columns[index][1], columns[index][2])
        }
        return RigidTransform(
            x: axis(0), y: axis(1) * sign, z: axis(2) * sign, origin: axis(3), tolerance: tolerance)
    }

    private static func transposed(_ lists: [[Double]]) -> [[Double]] {
        (0..<4).map { place in lists.map { $0[place] } }
    }
}
