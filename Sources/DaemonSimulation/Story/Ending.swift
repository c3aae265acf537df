internal import Geometry

/// How a story ends in peace: what was latched is cleared, and somebody wants the dock to move.
enum Ending: Sendable, Equatable {
    /// Somebody turns it to a pose, rad.
    case obeys(PanTilt)
    /// The first person stands before it, alone, and it tracks.
    case follows

    /// From the last trouble to the end, seconds.
    static let length: Seconds = 17

    /// What happens, by seconds before the end (negative).
    var events: [(at: Seconds, what: Happening)] {
        let released: [(Seconds, Happening)] = [
            (-9, .battery(level: 0.9)), (-8.8, .words("clear")), (-8.2, .words("torque on")),
            (-8.1, .words("limits reset")), (-8, .words("speed 100")),
        ]
        switch self {
        case .obeys(let pose):
            func number(_ angle: Double) -> String { String(Int(angle.inDegrees.rounded())) }
            return released + [(-4.5, .words("orient \(number(pose.pan)) \(number(pose.tilt))"))]
        case .follows:
            return released + [
                (-5.9, .person(0, isThere: true)), (-5.9, .person(1, isThere: false)),
                (-5.9, .person(2, isThere: false)),
                (-5.9, .words("home")), (-3.6, .words("framing center")), (-3.5, .words("mode system")),
            ]
        }
    }
}
