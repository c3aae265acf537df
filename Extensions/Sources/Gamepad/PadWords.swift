public import Geometry

/// The daemon's command words.
public enum PadWords {
    /// The word that turns the head with a velocity in rad/s, for `PadSettings.expiry`.
    public static func velocity(_ velocity: PanTilt) -> String {
        "velocity \(degrees(velocity.pan)) \(degrees(velocity.tilt)) for \(PadSettings.expiry)"
    }

    /// Degrees with two decimals and without an exponent. What is not a number is 0.
    static func degrees(_ radians: Double) -> String {
        guard radians.isFinite, abs(radians) < 100 else { return "0.00" }
        let hundredths = Int((radians.inDegrees * 100).rounded())
        let digits = String(abs(hundredths) % 100)
        return (hundredths < 0 ? "-" : "") + "\(abs(hundredths) / 100)." + (digits.count == 1 ? "0" : "") + digits
    }
}
