public import DockControl
public import Geometry

/// `dockface check` as a pure machine: small moves and questions out, what was measured and answered in.
///
/// Each axis goes 3 degrees one way, back, 3 degrees the other way, and back. The dock's own reports tell whether it moved and
/// how far; only a person can tell which way.
public struct DockCheck: Sendable, Equatable {
    /// What is to be done next.
    public enum Step: Sendable, Equatable {
        /// Move an axis by so much (rad), then tell what was measured.
        case move(Axis, by: Double)
        /// Ask which way it went, then tell the answer.
        case ask(Axis)
        /// It is over.
        case over(Result)
    }

    /// What a person answers.
    public enum Answer: Sendable, Equatable {
        /// It went the right way.
        case yes
        /// It went the other way.
        case no
        /// Show it once more.
        case again
        /// End it.
        case quit

        /// From what was typed: y, n, a or q, or the whole words.
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
        /// Both axes turn as they should.
        case passed
        /// Somebody ended it.
        case stopped
        /// An axis is not right.
        case failed(Problem)
    }

    /// What is not right.
    public enum Problem: Sendable, Equatable {
        /// It was told to move and did not.
        case notMoved(Axis)
        /// It moved by so much (rad) where it was told to move by so much (rad).
        case wrongSize(Axis, Double, of: Double)
        /// It reports that it went the other way: motor and encoder disagree.
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
        /// Which axis was told to move.
        public var axis: Axis {
            switch self {
            case .notMoved(let axis), .wrongSize(let axis, _, _), .reportsAgainst(let axis), .otherMoved(let axis),
                .turnedWrong(let axis):
                axis
            }
        }
    }

    /// So far it moves, radians, ...
    public static let stroke = Double.degrees(3)
    /// ... and no faster than this, rad/s.
    public static let speed = Double.degrees(10)
    /// Less than this is no motion, radians.
    static let still = Double.degrees(0.6)
    /// So much of the stroke may be missing or too much: play, noise of the encoder.
    static let tolerance = 0.4

    private static let order: [(axis: Axis, share: Double, asks: Bool)] = Axis.allCases.flatMap { axis in
        [(axis, 1.0, true), (axis, -1, false), (axis, -1, false), (axis, 1, false)]
    }
    private var index = 0
    private var result: Result?
    private var isAsking = false

    /// At the beginning.
    public init() {}

    /// What is to be done now.
    public var step: Step {
        if let result { return .over(result) }
        guard index < Self.order.count else { return .over(.passed) }
        let now = Self.order[index]
        return isAsking ? .ask(now.axis) : .move(now.axis, by: now.share * Self.stroke)
    }

    /// A move was made: where the dock was before and after it, as it reports (rad).
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

    /// What is wrong with a move of an axis by `wanted` (rad), told by where the dock was before and after it; nil: nothing.
    static func problem(_ axis: Axis, by wanted: Double, from: PanTilt, to: PanTilt) -> Problem? {
        let other: Axis = axis == .pan ? .tilt : .pan
        let moved = to[axis] - from[axis], aside = abs(to[other] - from[other])
        if abs(moved) < still { return aside > still * 2 ? .otherMoved(axis) : .notMoved(axis) }
        if moved * wanted < 0 { return .reportsAgainst(axis) }
        if abs(moved - wanted) > tolerance * abs(wanted) { return .wrongSize(axis, moved, of: wanted) }
        return aside > abs(wanted) / 2 ? .otherMoved(axis) : nil
    }

    /// The answer to what was asked.
    public mutating func answered(_ answer: Answer) {
        guard case .ask(let axis) = step else { return }
        switch answer {
        case .yes:
            isAsking = false
            index += 1
        case .no: result = .failed(.turnedWrong(axis))
        case .again:
            // Back and once more: the same stroke from the same place.
            isAsking = false
            returnsFirst = true
        case .quit: result = .stopped
        }
    }

    /// Before a stroke is shown once more, the axis goes back; that move is not judged.
    public private(set) var returnsFirst = false

    /// It went back.
    public mutating func returned() { returnsFirst = false }

    /// Somebody stopped it.
    public mutating func stopped() { if result == nil { result = .stopped } }
}

extension DockCheck.Problem {
    /// What is wrong, and what to do about it; `profile` is the one that was checked.
    public func text(_ profile: RigProfile) -> String {
        func degrees(_ radians: Double) -> String { "\((radians.inDegrees * 10).rounded() / 10)" }
        switch self {
        case .notMoved(let axis):
            return
                "\(axis.rawValue) did not move: look after its supply, its plug and whether something holds it; then check again"
        case .wrongSize(let axis, let moved, let wanted):
            return "\(axis.rawValue) moved by \(degrees(moved)) degrees instead of \(degrees(wanted)): "
                + "look after gears and units of the firmware; then check again"
        case .reportsAgainst(let axis):
            return
                "\(axis.rawValue) reports that it turned against its command: swap the two motor wires, or the encoder's; "
                + "then check again"
        case .otherMoved(let axis):
            return
                "the other axis moved when \(axis.rawValue) was told to: swap the two motors' plugs; then check again"
        case .turnedWrong(let axis):
            return
                "\(axis.rawValue) turns the wrong way: set `\(axis.rawValue).invert = \(!profile[axis].invert)` in the "
                + "profile \"\(profile.name)\" (it is \(profile[axis].invert) now); then check again"
        }
    }
}
