internal import Geometry

/// Something in a profile that the driver's device cannot carry out, although each value alone is allowed.
public struct ProfileContradiction: Sendable, Equatable {
    /// The key that is affected, with its tables, such as "pan.max" or "options.tilt_id".
    public var key: String
    /// What is wrong, and what is expected.
    public var text: String

    /// Creates a contradiction for a key, with a text that states what is expected.
    public init(key: String, text: String) {
        self.key = key
        self.text = text
    }
}

/// Checks that drivers share.
extension RigProfile {
    /// Returns the ends of an axis that lie outside `reach`, in degrees as the device counts them (mirrored if the axis
    /// is inverted). `why` states the reason for the limit.
    func ends(of axis: Axis, outside reach: ClosedRange<Double>, why: String) -> [ProfileContradiction] {
        let own = self[axis], name = axis.rawValue
        let low = own.invert ? -reach.upperBound : reach.lowerBound
        let high = own.invert ? -reach.lowerBound : reach.upperBound
        let room =
            "expected \(Self.words(Self.hundredths(low, .up))) to \(Self.words(Self.hundredths(high, .down))) degrees"
        return [("min", own.range.lowerBound.inDegrees), ("max", own.range.upperBound.inDegrees)].compactMap {
            key, end in
            guard end < low - Self.ragged || end > high + Self.ragged else { return nil }
            return ProfileContradiction(
                key: "\(name).\(key)", text: "\"\(name).\(key)\" is \(Self.words(end)), and \(why): \(room)")
        }
    }

    /// Returns a contradiction for an axis whose maximum speed is above `fastest` (deg/s), the highest speed that can
    /// be commanded.
    func speed(of axis: Axis, above fastest: Double, why: String) -> [ProfileContradiction] {
        guard self[axis].maxSpeed.inDegrees > fastest + Self.ragged else { return [] }
        let most = Self.hundredths(fastest, .down)
        return [
            ProfileContradiction(
                key: "\(axis.rawValue).max_speed",
                text:
                    "\"\(axis.rawValue).max_speed\" is \(Self.words(self[axis].maxSpeed.inDegrees)), and \(why): expected "
                    + "at most \(Self.words(most)) deg/s")
        ]
    }

    /// Returns a contradiction if both axes have the same number. `pan` and `tilt` are the numbers that apply if the
    /// profile sets none.
    func sameNumber(_ name: String, pan: Double, tilt: Double) -> [ProfileContradiction] {
        let own = (pan: options["pan_" + name] ?? pan, tilt: options["tilt_" + name] ?? tilt)
        guard own.pan == own.tilt else { return [] }
        let key = options["tilt_" + name] == nil ? "pan_" + name : "tilt_" + name
        return [
            ProfileContradiction(
                key: "options.\(key)",
                text: "\"pan_\(name)\" and \"tilt_\(name)\" are both \(Self.words(own.pan)): two servos cannot share it"
            )
        ]
    }

    /// Returns a contradiction for a line speed outside the range of the device, in bits per second.
    func baud(outside range: ClosedRange<Int>, of device: String) -> [ProfileContradiction] {
        guard !range.contains(serial.baud) else { return [] }
        return [
            ProfileContradiction(
                key: "serial.baud",
                text:
                    "\"serial.baud\" is \(serial.baud), and \(device) can be set to that: expected \(range.lowerBound) to "
                    + "\(range.upperBound)")
        ]
    }

    /// Returns contradictions for safety rules that require a device to switch its motors off although it cannot.
    func relaxing(_ device: String) -> [ProfileContradiction] {
        [("on_exit", safety.onExit), ("on_estop", safety.onEmergencyStop)].filter { $0.1 == .relax }.map { name, _ in
            ProfileContradiction(
                key: "safety.\(name)",
                text: "\"safety.\(name)\" is \"relax\", and \(device) cannot switch its motors off: expected \"hold\"")
        }
    }

    /// The tolerance for degrees that were converted from radians.
    private static let ragged = 1e-6

    private static func hundredths(_ value: Double, _ rule: FloatingPointRoundingRule) -> Double {
        // A value that differs from a hundredth only by rounding errors counts as that hundredth.
        let scaled = value * 100, near = scaled.rounded()
        return (abs(scaled - near) < 1e-6 ? near : scaled.rounded(rule)) / 100
    }

    /// Returns a number with at most two decimals.
    static func words(_ value: Double) -> String {
        let round = hundredths(value, .toNearestOrAwayFromZero)
        return round == round.rounded() && abs(round) < 1e9 ? String(Int(round)) : String(round)
    }
}
