public import DockControl
public import Geometry

/// `dockface calibrate` as a pure machine: small moves and questions out, what was measured and answered in.
///
/// Each axis goes to where it has room, shows which way it turns, and is then moved to and fro while all that it is told and reports
/// is recorded. A rig whose motion nothing measures is only shown, and a person may measure it. At the end a hand may turn the
/// head to its ends.
public struct DockCalibration: Sendable, Equatable {
    /// What is to be done next.
    public enum Step: Sendable, Equatable {
        /// Move an axis by so much (rad), then tell where it was before and after.
        case move(Axis, by: Double)
        /// Ask which way it turned last, then tell the answer.
        case askSense(Axis)
        /// Record an axis while it goes to and fro.
        case wiggle(Axis, Wiggle)
        /// Ask by how much an axis turned last, as a person has measured it; it was told so much (rad).
        case askWay(Axis, told: Double)
        /// Offer that a hand turns the head to its ends, then tell how far it came.
        case sweep
        /// It is over.
        case over(Result)
    }

    /// How it ended.
    public enum Result: Sendable, Equatable {
        /// All is measured that can be.
        case measured
        /// Somebody ended it.
        case stopped
        /// An axis is not right.
        case failed(DockCheck.Problem)
    }

    private enum Stage: Equatable {
        case center, show, sense, unshow, back, wiggle, across, way, home
    }

    /// Moves shorter than this are left out, rad.
    static let least = Double.degrees(0.5)
    /// Far enough for a person to see which way, rad.
    static let stroke = Wiggle.reach

    /// What is known so far.
    public private(set) var findings: CalibrationFindings
    private let profile: RigProfile
    private let isMeasured: Bool, canLetGo: Bool
    private var pose: PanTilt
    private var axes: [Axis] = Axis.allCases
    private var stage = Stage.center
    private var result: Result?
    private var hasSwept = false

    /// For a rig that stands at `pose`; a modelled one reports what it was told, delayed. Whose motors cannot be let go of
    /// (`canLetGo`) is not turned by a hand.
    public init(profile: RigProfile, feedback: DriverAbilities.Feedback, canLetGo: Bool = true, pose: PanTilt) {
        self.canLetGo = canLetGo
        self.profile = profile
        self.pose = pose
        isMeasured = feedback == .measured
        findings = CalibrationFindings(profile: profile, feedback: feedback)
        begin()
    }

    /// What is to be done now.
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
        case .way: return .askWay(axis, told: 2 * Self.stroke)
        case .home: return .move(axis, by: Self.stroke)
        }
    }

    /// A move was made: where the dock was before and after it, as it reports (rad).
    public mutating func moved(from: PanTilt, to: PanTilt) {
        guard case .move(let axis, let wanted) = step else { return }
        pose = to
        if abs(wanted) > 2 * DockCheck.still, let problem = DockCheck.problem(axis, by: wanted, from: from, to: to) {
            // Where it is shown, all of it is judged; elsewhere only that it moves at all: gravity may help it.
            if case .notMoved = problem { return result = .failed(problem) }
            if stage == .show { return result = .failed(problem) }
        }
        advance()
    }

    /// The answer to which way it turned.
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

    /// All that was told and reported while it went to and fro.
    public mutating func wiggled(_ recording: MotionRecording) {
        guard case .wiggle(let axis, _) = step else { return }
        findings[axis].recording = recording
        advance()
    }

    /// How far it really turned, rad, as a person has measured it; nil: nobody has.
    public mutating func measured(way: Double?) {
        guard case .askWay(let axis, let told) = step else { return }
        findings[axis].shareOfTold = way.map { $0 / told }
        advance()
    }

    /// How far a hand has turned the head, rad; nil: it did not.
    public mutating func swept(low: PanTilt, high: PanTilt) {
        guard step == .sweep else { return }
        for axis in Axis.allCases where low[axis] <= high[axis] { findings[axis].ends = low[axis]...high[axis] }
        hasSwept = true
    }

    /// No hand has turned it: nobody wanted to, or it cannot let go.
    public mutating func notSwept() { if step == .sweep { hasSwept = true } }

    /// Somebody stopped it.
    public mutating func stopped() { if result == nil { result = .stopped } }

    // MARK: what comes next

    private func wayToMiddle(_ axis: Axis) -> Double? {
        Wiggle.middle(near: pose[axis], in: profile[axis].softRange).map { $0 - pose[axis] }
    }

    /// The first thing to do with an axis that has room.
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
