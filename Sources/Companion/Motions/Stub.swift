internal import DockControl
internal import RobotFace
enum Gestures { static func script(for e: Expression) -> MotionScript? { nil } }
