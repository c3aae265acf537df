public import DockControl
public import Geometry

/// `dockface calibrate` as a pure state machine: its outputs are small moves and questions, its inputs are measurements
/// and answers.
///
/// Each axis moves to a position with enough room and shows in which direction it turns. Then it moves back and forth
/// while its commands and reports are recorded. A rig without position feedback only shows its moves, and a person can
/// measure them. At the end a person can turn the head to its ends by hand.
public struct DockCalibration: Sendable, Equatable {
    /// The next thing to do.
    public enum Step: Sendable, Equatable {
        /// Moves an axis by this angle (rad). The caller must then report its position before and after with `moved`.
        case move(Axis, by: Double)
        /// Asks in which direction it turned last. The caller passes on the answer with `answered`.
        case askSense(Axis)
        /// Records an axis while it moves back and forth.
        case wiggle(Axis, Wiggle)
        /// Asks how far the axis turned last, as measured by a person. `commanded`: the commanded angle (rad).
        case askWay(Axis, commanded: Double)
        /// Offers to turn the head to its ends by hand. The caller reports the range with `swept`.
        case sweep
        /// The calibration has ended.
        case over(Result)
    }

    /// How it ended.
    public enum Result: Sendable, Equatable {
        /// Everything that can be measured was measured.
        case measured
        /// A person or a program ended it.
        case stopped
        /// An axis has a fault.
        case failed(DockCheck.Problem)
    }

    private enum Stage: Equatable {
        case center, show, sense, unshow, back, wiggle, across, way, home
    }

    /// The angle below which moves are skipped, in radians.
    static let least = Double.degrees(0.5)
    /// The angle of a stroke, in radians: far enough for a person to see the direction.
    static let stroke = Wiggle.reach

    /// The results so far.
    public private(set) var findings: CalibrationFindings
    private let profile: RigProfile
    private let isMeasured: Bool, canLetGo: Bool
    private var pose: PanTilt
    private var axes: [Axis] = Axis.allCases
    private var stage = Stage.center
    private var result: Result?
    private var hasSwept = false

    /// Calibrates a rig whose present pose is `pose`. A modelled rig reports the commanded position, delayed. If the
    /// torque cannot be switched off (`canLetGo` is false), the step `sweep` is skipped.
    public init(profile: RigProfile, feedback: DriverAbilities.Feedback, canLetGo: Bool = true, pose: PanTilt) {
        self.canLetGo = canLetGo
        self.profile = profile
        self.pose = pose
        isMeasured = feedback == .measured
        findings = CalibrationFindings(profile: profile, feedback: feedback)
        begin()
    }

    /// What to do now.
    public var step: Step {
        if let result { return .over(result) }
        guard let axis = axes.first else { return isMeasured && canLetGo && !hasSwept ? .sweep : .over(.measured) }
        switch stage {
        case .center: return .move(axis, by: wayToMiddle(axis) ?? 0)
        case .show: return .move(axis, by: Self.stroke)
        case .sense: return .askSense(axis)
        case .unshow, .back: return .move(axis, by: -Self.stroke)
        case .wiggle: return .wiggle(axis, Wiggle(maxSpeed: profile[axis].maxSpeed))
        case .across: return .move(axis, by: -2 * Self.stroke)
        case .way: return .askWay(axis, commanded: 2 * Self.stroke)
        case .home: return .move(axis, by: Self.stroke)
        }
    }

    /// Reports a move, with the dock's reported pose before and after it (rad).
    public mutating func moved(from: PanTilt, to: PanTilt) {
        guard case .move(let axis, let wanted) = step else { return }
        pose = to
        if abs(wanted) > 2 * DockCheck.still, let problem = DockCheck.problem(axis, by: wanted, from: from, to: to) {
            // Only the demonstrated move must be correct in all respects. Of the others, it only matters that the axis
            // moves at all, because gravity can make a move longer.
            if case .notMoved = problem { return result = .failed(problem) }
            if stage == .show { return result = .failed(problem) }
        }
        advance()
    }

    /// Processes the answer about the direction.
    public mutating func answered(_ answer: DockCheck.Answer) {
        guard case .askSense(let axis) = step else { return }
        switch answer {
        case .yes, .no:
            findings[axis].isSenseRight = answer == .yes
            advance()
        case .again: stage = .unshow
        case .quit: result = .stopped
        }
    }

    /// Processes the commands and reports of a motion back and forth.
    public mutating func wiggled(_ recording: MotionRecording) {
        guard case .wiggle(let axis, _) = step else { return }
        findings[axis].recording = recording
        advance()
    }

    /// Processes the angle by which the axis actually turned, in radians, as a person measured it. It is nil if not
    /// measured.
    public mutating func measured(way: Double?) {
        guard case .askWay(let axis, let commanded) = step else { return }
        findings[axis].actualToCommandedRatio = way.map { $0 / commanded }
        advance()
    }

    /// Processes the range over which a person turned the head by hand, in radians; an axis with low > high was not
    /// turned.
    public mutating func swept(low: PanTilt, high: PanTilt) {
        guard step == .sweep else { return }
        for axis in Axis.allCases where low[axis] <= high[axis] { findings[axis].ends = low[axis]...high[axis] }
        hasSwept = true
    }

    /// Records that the head was not turned by hand, because the person declined or the torque cannot be switched off.
    public mutating func notSwept() { if step == .sweep { hasSwept = true } }

    /// Records that a person or a program stopped it.
    public mutating func stopped() { if result == nil { result = .stopped } }

    // MARK: next step

    private func wayToMiddle(_ axis: Axis) -> Double? {
        Wiggle.middle(near: pose[axis], in: profile[axis].softRange).map { $0 - pose[axis] }
    }

    /// Begins with the next axis that has room to move.
    private mutating func begin() {
        while let axis = axes.first {
            stage = .center
            guard let way = wayToMiddle(axis) else {
                findings[axis].hasRoom = false
                axes.removeFirst()
                continue
            }
            if abs(way) < Self.least { stage = .show }
            return
        }
    }

    private mutating func advance() {
        switch stage {
        case .center, .unshow: stage = .show
        case .show: stage = .sense
        case .sense: stage = isMeasured ? .back : .across
        case .back: stage = .wiggle
        case .across: stage = .way
        case .way: stage = .home
        case .wiggle, .home:
            axes.removeFirst()
            begin()
        }
    }
}
