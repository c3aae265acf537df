public import ControlProtocol
public import Geometry
public import RobotFace
internal import SpatialModel

/// What the camera sees of the room: its pose and its lens at one moment.
struct PictureView: Sendable, Equatable {
    /// The pose of the axes, in radians; for a camera that does not turn with the dock, its own direction.
    var pose: PanTilt
    /// How the camera is turned against that, and where its axes and its lens are.
    var head = HeadModel()
    /// The lens.
    var lens: PictureLens

    /// Where the camera is and looks, in the dock's own space.
    var camera: RigidTransform { head.camera(at: pose) }

    /// Whether a picture from here looks the same to within a thousandth of a radian, a fifth of a terminal's column.
    func looksLike(_ other: PictureView) -> Bool {
        lens == other.lens && head == other.head && (pose - other.pose).magnitude < 0.001
    }
}

/// Turns layers into shapes over a picture. Items of the world are projected through one view, so that they stand still
/// in the room while the head turns.
public struct LayerSketch: Sendable {
    let layers: [Layer]
    /// What the camera sees, or nil if its pose or lens is unknown. Items of the world are then not drawn.
    let view: PictureView?

    /// The shapes, later ones on top, in fractions of the picture.
    public var shapes: [OverlayShape] {
        let camera = view.map { $0.camera }
        return layers.flatMap { layer -> [OverlayShape] in
            switch layer.space {
            case .picture:
                return layer.items.flatMap { item in
                    Self.shapes(item, at: item.points.map { Point(x: $0.x, y: $0.y) })
                }
            case .world:
                guard let view, let camera else { return [] }
                return layer.items.flatMap { Self.shapes($0, through: view.lens, from: camera) }
            }
        }
    }

    private static func shapes(_ item: LayerItem, at points: [Point]) -> [OverlayShape] {
        func shape(_ form: OverlayShape.Form) -> OverlayShape {
            OverlayShape(form, mark: item.mark, colour: item.colour.onScreen)
        }
        switch item.kind {
        case .box: return item.rect.map { [shape(.box($0, title: item.text))] } ?? []
        case .point: return points.map { shape(.point($0, title: item.text)) }
        case .label: return points.map { shape(.text($0, item.text ?? "")) }
        case .line, .path:
            let lines = zip(points, points.dropFirst()).map { shape(.line($0, $1)) }
            guard let text = item.text, let first = points.first else { return lines }
            return lines + [shape(.text(first, text))]
        }
    }

    private static func shapes(
        _ item: LayerItem, through lens: PictureLens, from camera: RigidTransform
    ) -> [OverlayShape] {
        switch item.kind {
        case .box: return []
        case .point, .label:
            let points = item.points.compactMap { lens.project($0, from: camera)?.point }
            return shapes(item, at: points)
        case .line, .path:
            // A line that passes the camera is cut off where it leaves the view.
            let lines = zip(item.points, item.points.dropFirst()).compactMap { lens.project($0, $1, from: camera) }
            var shapes = lines.map {
                OverlayShape(.line($0.0, $0.1), mark: item.mark, colour: item.colour.onScreen)
            }
            if let text = item.text, let first = lines.first {
                shapes.append(OverlayShape(.text(first.0, text), colour: item.colour.onScreen))
            }
            return shapes
        }
    }
}

extension LayerSketch {
    /// Creates a sketch over a picture that another process shows.
    /// - Parameters:
    ///   - layers: what programs draw, as topic `layers` has it.
    ///   - lens: the picture's lens, as topic `tracking` has it, or nil if it is unknown.
    ///   - head: the head's pose at the exposure, in radians, or nil if it is unknown.
    ///   - stand: the geometry of the head, or nil if it is unknown.
    ///
    /// Items of the world are not drawn if it is unknown where the camera looked.
    public init(_ layers: [Layer], through lens: LensReading?, head: PanTilt?, stand: StandReading? = nil) {
        let view = lens.flatMap { lens in
            lens.direction(from: head).map { pose in
                var picture = PictureLens(focal: lens.focal, principal: lens.principal)
                picture.distortion = lens.distortion
                return PictureView(pose: pose, head: HeadModel(stand, lens.mountAngles), lens: picture)
            }
        }
        self.init(layers: layers, view: view)
    }
}

extension HeadModel {
    /// Creates the head of a rig in the dock's own space, which has its origin where the pan axis stands and -z where pan
    /// 0 points.
    init(_ stand: StandReading?, _ mount: MountAngles) {
        self.init()
        self.mount = mount
        guard let stand, stand.axis.count == 2, stand.lens.count == 3 else { return }
        axis = (stand.axis[0], stand.axis[1])
        lens = (stand.lens[0], stand.lens[1], stand.lens[2])
    }
}

extension LayerColour {
    /// The screen's colour of the same name.
    fileprivate var onScreen: TextColour { TextColour(rawValue: rawValue) ?? .white }
}
