internal import DockControl
internal import Geometry
internal import RobotFace
struct MotionStore: Sendable {
    init(root: String?, rig: String) {}
    func load() throws(DockError) -> MotionLibrary { MotionLibrary() }
    func apply(_ c: LibraryChange) throws(DockError) -> MotionLibrary { MotionLibrary() }
}
enum Gestures { static func script(for e: Expression) -> MotionScript? { nil } }
