internal import DockControl
internal import Geometry
internal import RobotFace
struct MotionStore: Sendable {
    init(root: String?, rig: String) {}
    func load() throws(DockError) -> MotionLibrary { MotionLibrary() }
    func apply(_ c: LibraryChange) throws(DockError) -> MotionLibrary { MotionLibrary() }
}
struct MotionTeacher: Sendable {
    let name: String
    init(name: String, now: Seconds) { self.name = name }
    mutating func take(_ pose: PanTilt, now: Seconds) {}
    func finish(now: Seconds) -> Result<MotionScript, DockError> { .success(.yes) }
}
enum Gestures { static func script(for e: Expression) -> MotionScript? { nil } }
