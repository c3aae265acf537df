public import Geometry

/// Where a bearing is, in words, as the head sees the room. A person who faces the head has left and right swapped, so
/// the words say whose side it is.
public enum PlaceWords {
    /// Returns "straight ahead", "60 degrees to my left" or "30 degrees to my right, low". Sides in steps of 30
    /// degrees; high and low from 15 degrees of tilt on.
    public static func of(_ bearing: PanTilt) -> String {
        let steps = Int((bearing.pan.inDegrees / 30).rounded())
        let height = bearing.tilt > .degrees(15) ? ", high" : bearing.tilt < .degrees(-15) ? ", low" : ""
        guard steps != 0 else { return "straight ahead" + height }
        return "\(abs(steps) * 30) degrees to my \(steps > 0 ? "right" : "left")" + height
    }
}
