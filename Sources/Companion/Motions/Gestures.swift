public import DockControl
public import RobotFace

extension MotionScript {
    /// Returns the small head motion of an expression, named "gesture NAME", or nil if the expression has none.
    ///
    /// A taught motion cannot have such a name.
    public static func gesture(of expression: Expression) -> MotionScript? {
        guard let gesture = expression.gesture else { return nil }
        return MotionScript(
            name: "gesture \(expression.name)",
            keys: gesture.keys.map { Key(time: $0.time, pan: $0.pan, tilt: $0.tilt) }, path: .flowing)
    }
}
