public import DockControl
public import Geometry

/// `dockface check` as a pure state machine: its outputs are small moves and questions, its inputs are measurements and
/// answers.
///
/// Each axis turns 3 degrees one way, back, 3 degrees the other way, and back. The dock's reports show whether it moved
/// and how far. Only a person can say in which direction.
public struct DockCheck: Sendable, Equatable {
    /// The next thing to do.
    public enum Step: Sendable, Equatable {
        /// Moves an axis by this angle (rad). The caller then reports the measurement with `moved`.
        case move(Axis, by: Double)
        /// Asks in which direction it turned. The caller passes on the answer with `answered`.
        case ask(Axis)
        /// The check has ended.
        case over(Result)
    }

    /// A person's answer.
    public enum Answer: Sendable, Equatable {
        /// It turned the right way.
        case yes
        /// It turned the other way.
        case no
        /// Show it once more.
        case again
        /// End the check.
        case quit

        /// Reads typed text: y, n, a or q, or the whole word.
        public init?(_ text: some StringProtocol) {
            switch text.lowercased() {
            case "y", "yes": self = .yes
            case "n", "no": self = .no
            case "a", "again": self = .again
            case "q", "quit": self = .quit
            default: return nil
            }
        }
    }

    /// How it ended.
    public enum Result: Sendable, Equatable {
        /// Both axes turn correctly.
        case passed
        /// A person or a program ended it.
        case stopped
        /// An axis has a fault.
        case failed(Problem)
    }

    /// A fault of an axis.
    public enum Problem: Sendable, Equatable {
        /// It did not move on command.
        case notMoved(Axis)
        /// It moved by the first angle (rad); the command was the second one (rad).
        case wrongSize(Axis, Double, of: Double)
        /// It reports motion in the opposite direction: motor and encoder disagree.
        case reportsAgainst(Axis)
        /// The other axis moved.
        case otherMoved(Axis)
        /// It turned the wrong way, as a person saw it.
        case turnedWrong(Axis)

        /// A word for programs.
        public var word: String {
            switch self {
            case .notMoved: "notMoved"
            case .wrongSize: "wrongSize"
            case .reportsAgainst: "reportsAgainst"
            case .otherMoved: "otherMoved"
            case .turnedWrong: "turnedWrong"
            }
        }
        /// The commanded axis.
        public var axis: Axis {
            switch self {
            case .notMoved(let axis), .wrongSize(let axis, _, _), .reportsAgainst(let axis), .otherMoved(let axis),
                .turnedWrong(let axis):
                axis
            }
        }
    }

    /// The length of a stroke, in radians.
    public static let stroke = Double.degrees(3)
    /// The speed limit, in rad/s.
    public static let speed = Double.degrees(10)
    /// The distance below which an axis counts as not moved, in radians.
    static let still = Double.degrees(0.6)
    /// Permitted error as a fraction of the stroke, for backlash and encoder noise.
    static let tolerance = 0.4

    private static let order: [(axis: Axis, share: Double, asks: Bool)] = Axis.allCases.flatMap { axis in
        [(axis, 1.0, true), (axis, -1, false), (axis, -1, false), (axis, 1, false)]
    }
    private var index = 0
    private var result: Result?
    private var isAsking = false

    /// Creates a check at its beginning.
    public init() {}

    /// What to do now.
    public var step: Step {
        if let result { return .over(result) }
        guard index < Self.order.count else { return .over(.passed) }
        let now = Self.order[index]
        return isAsking ? .ask(now.axis) : .move(now.axis, by: now.share * Self.stroke)
    }

    /// Reports a move, with the dock's reported pose before and after it (rad).
    public mutating func moved(from: PanTilt, to: PanTilt) {
        guard case .move(let axis, let wanted) = step else { return }
        if let problem = Self.problem(axis, by: wanted, from: from, to: to) {
            result = .failed(problem)
        } else if Self.order[index].asks {
            isAsking = true
        } else {
            index += 1
        }
    }

    /// Returns the fault of an axis that was commanded to move by `wanted` (rad), from the poses before and after, or
    /// nil if there is none.
    static func problem(_ axis: Axis, by wanted: Double, from: PanTilt, to: PanTilt) -> Problem? {
        let other: Axis = axis == .pan ? .tilt : .pan
        let moved = to[axis] - from[axis], aside = abs(to[other] - from[other])
        if abs(moved) < still { return aside > still * 2 ? .otherMoved(axis) : .notMoved(axis) }
        if moved * wanted < 0 { return .reportsAgainst(axis) }
        if abs(moved - wanted) > tolerance * abs(wanted) { return .wrongSize(axis, moved, of: wanted) }
        return aside > abs(wanted) / 2 ? .otherMoved(axis) : nil
    }

    /// Processes the answer to the question.
    public mutating func answered(_ answer: Answer) {
        guard case .ask(let axis) = step else { return }
        switch answer {
        case .yes:
            isAsking = false
            index += 1
        case .no: result = .failed(.turnedWrong(axis))
        case .again:
            // The axis goes back first, and then repeats the same stroke from the same position.
            isAsking = false
            returnsFirst = true
        case .quit: result = .stopped
        }
    }

    /// Whether the axis must go back before a stroke is shown once more. That move is not evaluated.
    public private(set) var returnsFirst = false

    /// Reports that the axis went back.
    public mutating func returned() { returnsFirst = false }

    /// Records that a person or a program stopped it.
    public mutating func stopped() { if result == nil { result = .stopped } }
}

extension DockCheck.Problem {
    /// Returns the fault and its remedy; `profile` is the checked one.
    public func text(_ profile: RigProfile) -> String {
        func degrees(_ radians: Double) -> String { "\((radians.inDegrees * 10).rounded() / 10)" }
        switch self {
        case .notMoved(let axis):
            return
                "\(axis.rawValue) did not move: check its supply and its plug, and whether something blocks it; then check again"
        case .wrongSize(let axis, let moved, let wanted):
            return "\(axis.rawValue) moved by \(degrees(moved)) degrees instead of \(degrees(wanted)): "
                + "check the gears and the firmware's units; then check again"
        case .reportsAgainst(let axis):
            return
                "\(axis.rawValue) reports that it turned against its command: swap the two wires of the motor or of the encoder; "
                + "then check again"
        case .otherMoved(let axis):
            return
                "the other axis moved when \(axis.rawValue) was commanded: swap the plugs of the two motors; then check again"
        case .turnedWrong(let axis):
            return
                "\(axis.rawValue) turns the wrong way: set `\(axis.rawValue).invert = \(!profile[axis].invert)` in the "
                + "profile \"\(profile.name)\" (now \(profile[axis].invert)); then check again"
        }
    }
}
