public import DockControl
public import Geometry

/// What was found out about one axis.
public struct AxisFinding: Sendable, Equatable {
    /// It turned the way that it should, as a person saw it; nil: nobody was asked.
    public var isSenseRight: Bool?
    /// What it was told and reported while it went to and fro.
    public var recording: MotionRecording?
    /// Real by told angle, as a person measured it where the rig cannot.
    public var shareOfTold: Double?
    /// How far a hand has turned it, rad.
    public var ends: ClosedRange<Double>?
    /// Its range leaves room to move it.
    public var hasRoom = true
    /// Its time constant, seconds; nil: not measured.
    public internal(set) var lag: Seconds?

    /// Nothing yet.
    public init() {}
}

/// What a calibration has found out about a rig, and what that makes of its profile.
public struct CalibrationFindings: Sendable, Equatable {
    /// The profile that was used.
    public let profile: RigProfile
    /// Where the rig's pose comes from.
    public let feedback: DriverAbilities.Feedback
    /// Pan.
    public var pan = AxisFinding()
    /// Tilt.
    public var tilt = AxisFinding()
    /// From a command to the beginning of its effect, seconds; nil: not measured.
    public internal(set) var latency: Seconds?

    /// A hand's ends are taken with so much distance, rad: what gives way under a hand is no range for a motor.
    public static let margin = Double.degrees(1)
    /// A hand that turned an axis by less than this has not looked for its ends, rad.
    public static let leastRange = Double.degrees(30)
    /// A ratio of speeds nearer to 1 than this changes nothing ...
    public static let tolerance = 0.05
    /// ... nor does one nearer than so many of its own standard errors.
    public static let errors = 3.0

    /// Nothing is known yet.
    public init(profile: RigProfile, feedback: DriverAbilities.Feedback) {
        self.profile = profile
        self.feedback = feedback
    }

    /// One axis.
    public subscript(axis: Axis) -> AxisFinding {
        get { axis == .pan ? pan : tilt }
        set { if axis == .pan { pan = newValue } else { tilt = newValue } }
    }

    /// Finds latency and lags from what was recorded; takes a moment.
    public mutating func fit() {
        let known = Axis.allCases.filter { self[$0].recording != nil }
        let recordings = known.compactMap { self[$0].recording }
        if let both = ResponseFit(recordings) {
            latency = both.delay
            for (axis, response) in zip(known, both.axes) { self[axis].lag = response.lag }
            return
        }
        // One that nothing describes must not hide the other.
        for (axis, recording) in zip(known, recordings) {
            guard let one = ResponseFit([recording]) else { continue }
            latency = min(latency ?? .infinity, one.delay)
            self[axis].lag = one.axes[0].lag
        }
    }

    /// Whether all that can be was measured, and a person saw that it is right.
    public var isComplete: Bool {
        feedback == .measured && latency != nil
            && Axis.allCases.allSatisfy {
                self[$0].isSenseRight == true && self[$0].lag != nil && newRange($0) != nil
            }
    }

    /// Measured by commanded speed where that is not 1 for certain; nil: not measured, or near enough.
    public func wrongSpeed(_ axis: Axis) -> Double? {
        if feedback == .modelled { return self[axis].shareOfTold.flatMap { Self.isOff($0, error: 0) ? $0 : nil } }
        guard let ratio = self[axis].recording?.speedRatio else { return nil }
        return Self.isOff(ratio.value, error: ratio.error) ? ratio.value : nil
    }

    static func isOff(_ ratio: Double, error: Double) -> Bool {
        ratio > 0 && abs(ratio - 1) > max(tolerance, errors * error)
    }

    /// The range between the ends that a hand has found, margins off, in the sense that the axis will have; nil: there is none
    /// that a profile could have.
    public func newRange(_ axis: Axis) -> ClosedRange<Double>? {
        guard let ends = self[axis].ends, ends.upperBound - ends.lowerBound >= Self.leastRange else { return nil }
        let isMirrored = self[axis].isSenseRight == false
        let low = isMirrored ? -ends.upperBound : ends.lowerBound,
            high = isMirrored ? -ends.lowerBound : ends.upperBound
        // Tenths of a degree, inward.
        func tenths(_ angle: Double, _ rule: FloatingPointRoundingRule) -> Double {
            .degrees(((angle.inDegrees * 10).rounded(rule) / 10).clamped(to: -360...360))
        }
        var row = profile[axis]
        let new = tenths(low + Self.margin, .up)...tenths(high - Self.margin, .down)
        row.range = new
        return row.softRange.contains(row.home) && new.upperBound - new.lowerBound > 2 * row.softMargin ? new : nil
    }
}
