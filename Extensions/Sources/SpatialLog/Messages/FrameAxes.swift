public import Geometry
internal import Glibc
public import SpatialModel

/// The frames of a head, as programs for robots have them (REP 103): x ahead, y to the left, z up; the camera's is the
/// optical one, with x to the right, y down and z ahead.
public enum HeadFrame: String, Sendable, CaseIterable {
    case world, stand, pan, tilt, camera

    /// The frame that it moves in, or nil for the world.
    public var parent: HeadFrame? {
        switch self {
        case .world: nil
        case .stand: .world
        case .pan: .stand
        case .tilt: .pan
        case .camera: .tilt
        }
    }
}

/// A frame in its parent: a shift in metres, and a rotation as a quaternion of length 1.
public struct FramePlace: Sendable, Equatable {
    /// The shift, in metres.
    public var shift: SIMD3<Double>
    /// The rotation: x, y, z, w. `w` is not negative.
    public var rotation: SIMD4<Double>

    /// Creates the place of a frame from the axes of the child in the parent, as columns.
    init(shift: SIMD3<Double>, x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>) {
        self.shift = shift
        rotation = Self.quaternion(x, y, z)
    }

    /// The largest of the four numbers is found first, because the others are divided by it.
    private static func quaternion(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> SIMD4<Double> {
        let squares = SIMD4(
            1 + a.x - b.y - c.z, 1 - a.x + b.y - c.z, 1 - a.x - b.y + c.z, 1 + a.x + b.y + c.z)
        let largest = squares.max(), scale = 0.5 / largest.squareRoot()
        let result: SIMD4<Double> =
            if largest == squares.w {
                SIMD4(b.z - c.y, c.x - a.z, a.y - b.x, largest)
            } else if largest == squares.x {
                SIMD4(largest, a.y + b.x, c.x + a.z, b.z - c.y)
            } else if largest == squares.y {
                SIMD4(a.y + b.x, largest, b.z + c.y, c.x - a.z)
            } else {
                SIMD4(c.x + a.z, b.z + c.y, largest, a.y - b.x)
            }
        return result * (result.w < 0 ? -scale : scale)
    }
}

/// What a head's camera saw a picture with: the frames of the head at that moment.
public struct HeadFrames: Sendable, Equatable {
    private let head: HeadModel
    private let pose: PanTilt

    /// Creates the frames of a head in a pose of its axes, in radians.
    public init(_ head: HeadModel, pose: PanTilt) { (self.head, self.pose) = (head, pose) }

    /// Returns a place or a direction of the room (x right, y up, z backward) in the axes of the frame `world`.
    public static func world(_ place: HeadModel.Place) -> SIMD3<Double> { SIMD3(-place.z, -place.x, place.y) }

    /// Returns where a frame is in its parent, or nil for the world.
    public func place(of frame: HeadFrame) -> FramePlace? {
        switch frame {
        case .world: return nil
        case .stand: return Self.body(head.foot)
        case .pan: return Self.body(.turn(right: pose.pan))
        case .tilt: return Self.body(.move(up: head.axis.up, ahead: head.axis.ahead) * .tilt(up: pose.tilt))
        case .camera:
            let lens = RigidTransform.move(right: head.lens.right, up: head.lens.up, ahead: head.lens.ahead)
            let camera = lens * .turned(head.mount)
            return FramePlace(
                shift: Self.world(camera.origin), x: Self.world(camera.axes.x), y: -Self.world(camera.axes.y),
                z: -Self.world(camera.axes.z))
        }
    }

    private static func body(_ transform: RigidTransform) -> FramePlace {
        FramePlace(
            shift: world(transform.origin), x: -world(transform.axes.z), y: -world(transform.axes.x),
            z: world(transform.axes.y))
    }
}
