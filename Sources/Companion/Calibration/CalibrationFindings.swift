public import DockControl
public import Geometry

/// A calibration's measurements of one axis.
public struct AxisFinding: Sendable, Equatable {
    /// Whether a person saw it turn in the right direction, or nil if no person was asked.
    public var isSenseRight: Bool?
    /// The commands and reports while it moved back and forth.
    public var recording: MotionRecording?
    /// The ratio of real to commanded angle, measured by a person if the rig cannot measure it.
    public var actualToCommandedRatio: Double?
    /// The end positions, in radians, between which a person turned it by hand.
    public var ends: ClosedRange<Double>?
    /// Whether its range leaves room to move it.
    public var hasRoom = true
    /// Its time constant, in seconds, or nil if not measured.
    public internal(set) var lag: Seconds?

    /// Creates a finding without measurements.
    public init() {}
}

/// A calibration's measurements of a rig, and the values that follow for its profile.
public struct CalibrationFindings: Sendable, Equatable {
    /// The profile that was calibrated.
    public let profile: RigProfile
    /// The source of the rig's pose.
    public let feedback: DriverAbilities.Feedback
    /// The findings for pan.
    public var pan = AxisFinding()
    /// The findings for tilt.
    public var tilt = AxisFinding()
    /// The time from a command to the beginning of its effect, in seconds, or nil if not measured.
    public internal(set) var latency: Seconds?

    /// The margin inside the ends that a person found by hand, in radians. An end stop yields under a hand, but a motor
    /// must not press against it.
    public static let margin = Double.degrees(1)
    /// The least angle of an axis, in radians. If a person turned the axis by less than this, the angle does not show
    /// its ends.
    public static let leastRange = Double.degrees(30)
    /// The largest difference of a speed ratio from 1 that is ignored.
    public static let tolerance = 0.05
    /// The largest difference of a speed ratio from 1 that is ignored, as a multiple of its standard error.
    public static let errors = 3.0

    /// Creates findings without measurements.
    public init(profile: RigProfile, feedback: DriverAbilities.Feedback) {
        self.profile = profile
        self.feedback = feedback
    }

    /// The findings for one axis.
    public subscript(axis: Axis) -> AxisFinding {
        get { axis == .pan ? pan : tilt }
        set { if axis == .pan { pan = newValue } else { tilt = newValue } }
    }

    /// Computes latency and lags from the recordings; this takes a moment.
    public mutating func fit() {
        let known = Axis.allCases.filter { self[$0].recording != nil }
        let recordings = known.compactMap { self[$0].recording }
        if let both = ResponseFit(recordings) {
            latency = both.delay
            for (axis, response) in zip(known, both.axes) { self[axis].lag = response.lag }
            return
        }
        // If no response fits one axis, the other axis is still used.
        for (axis, recording) in zip(known, recordings) {
            guard let one = ResponseFit([recording]) else { continue }
            latency = min(latency ?? .infinity, one.delay)
            self[axis].lag = one.axes[0].lag
        }
    }

    /// Whether the response of both axes was measured, and a person confirmed both directions and found ends that give
    /// a valid range.
    public var isComplete: Bool {
        feedback == .measured && latency != nil
            && Axis.allCases.allSatisfy {
                self[$0].isSenseRight == true && self[$0].lag != nil && newRange($0) != nil
            }
    }

    /// Returns the ratio of real to commanded speed (of the angles, if the pose is only modelled), if it clearly
    /// differs from 1, or nil if not measured or close enough.
    public func wrongSpeed(_ axis: Axis) -> Double? {
        if feedback == .modelled {
            return self[axis].actualToCommandedRatio.flatMap { Self.isOff($0, error: 0) ? $0 : nil }
        }
        guard let ratio = self[axis].recording?.speedRatio else { return nil }
        return Self.isOff(ratio.value, error: ratio.error) ? ratio.value : nil
    }

    static func isOff(_ ratio: Double, error: Double) -> Bool {
        ratio > 0 && abs(ratio - 1) > max(tolerance, errors * error)
    }

    /// Returns the range between the ends that a person found by hand, minus the margins, in the direction that the
    /// axis will have. The result is nil if no such range is valid in a profile.
    public func newRange(_ axis: Axis) -> ClosedRange<Double>? {
        guard let ends = self[axis].ends, ends.upperBound - ends.lowerBound >= Self.leastRange else { return nil }
        let isMirrored = self[axis].isSenseRight == false
        let low = isMirrored ? -ends.upperBound : ends.lowerBound,
            high = isMirrored ? -ends.lowerBound : ends.upperBound
        // Rounds to tenths of a degree, inward.
        func tenths(_ angle: Double, _ rule: FloatingPointRoundingRule) -> Double {
            .degrees(((angle.inDegrees * 10).rounded(rule) / 10).clamped(to: -360...360))
        }
        var row = profile[axis]
        let new = tenths(low + Self.margin, .up)...tenths(high - Self.margin, .down)
        row.range = new
        return row.softRange.contains(row.home) && new.upperBound - new.lowerBound > 2 * row.softMargin ? new : nil
    }
}
