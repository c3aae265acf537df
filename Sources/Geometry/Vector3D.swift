/// Three numbers about three axes, in DockKit's order: x = pitch, y = yaw, z = roll; radians or rad/s.
///
/// Only the Swift library uses it. All other code uses pan and tilt: pan = y, tilt = -x.
public struct Vector3D: Sendable, Equatable {
    /// Pitch: + = down.
    public var x: Double
    /// Yaw: + = the dock turns to its right.
    public var y: Double
    /// Roll; no rig has this axis.
    public var z: Double

    /// All axes at zero.
    public static let zero = Vector3D()

    /// Pitch, yaw, roll.
    public init(x: Double = 0, y: Double = 0, z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// From pan and tilt.
    public init(_ angles: PanTilt) { self.init(x: -angles.tilt, y: angles.pan) }

    /// As pan and tilt; roll is dropped.
    public var panTilt: PanTilt { PanTilt(pan: y, tilt: -x) }
}
