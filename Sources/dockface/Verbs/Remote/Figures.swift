import Companion
import Geometry
import Glibc

/// A number with so many decimals, and with `+` where it is asked for; "?" for what is none.
func fixed(_ value: Double, _ decimals: Int, isSigned: Bool = false) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "?" }
    let scale = pow(10, Double(decimals)), whole = Int((abs(value) * scale).rounded())
    let sign = value < 0 && whole > 0 ? "-" : isSigned ? "+" : ""
    guard decimals > 0 else { return sign + String(whole) }
    let fraction = String(whole % Int(scale))
    return sign + "\(whole / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
}

extension String {
    /// With spaces behind it, at least so long.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    /// With spaces in front of it, at least so long.
    func aligned(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension JSONValue {
    /// The member, or null.
    func member(_ name: String) -> JSONValue { self[name] ?? .null }
    /// The word, or what stands for none.
    func word(_ name: String, else none: String = "?") -> String { self[name]?.string ?? none }
    /// "on" or "off"; "?" where that is not told.
    func switched(_ name: String) -> String { self[name]?.bool.map { $0 ? "on" : "off" } ?? "?" }
    /// Radians, told in degrees.
    func degrees(_ name: String, _ decimals: Int = 1, isSigned: Bool = true) -> String {
        guard let radians = self[name]?.number else { return "?" }
        return fixed(radians.inDegrees, decimals, isSigned: isSigned)
    }
    /// "pan +12.3 tilt -4.0" and the unit; nil: not known.
    func pair(_ name: String, _ unit: String) -> String? {
        guard let pair = self[name], pair["pan"]?.number != nil else { return nil }
        return "pan \(pair.degrees("pan")) tilt \(pair.degrees("tilt")) \(unit)"
    }
}
