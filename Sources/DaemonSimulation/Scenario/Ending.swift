internal import Geometry

/// A scenario's quiet end: latches are cleared, and the dock is commanded to move.
enum Ending: Sendable, Equatable {
    /// A person turns the dock to a pose, rad.
    case obeys(PanTilt)
    /// The first person stands alone in front of the dock, and it tracks.
    case follows
    /// The same with a camera that does not match the profile.
    case looks

    /// From the last fault to the end, seconds.
    var length: Seconds { self == .looks ? 28 : 17 }

    /// When the latches are cleared, relative to the end (negative), seconds.
    var cleared: Seconds { self == .looks ? -19.3 : -8.8 }

    /// The events, with times relative to the end (negative), seconds.
    var events: [(at: Seconds, what: ScenarioEvent)] {
        let released: [(at: Seconds, what: ScenarioEvent)] = [
            (-9, .battery(level: 0.9)), (-8.8, .words("clear")), (-8.2, .words("torque on")),
            (-8.1, .words("limits reset")), (-8, .words("speed 100")),
        ]
        switch self {
        case .obeys(let pose):
            func number(_ angle: Double) -> String { String(Int(angle.inDegrees.rounded())) }
            return released + [(-4.5, .words("orient \(number(pose.pan)) \(number(pose.tilt))"))]
        case .looks:
            // An emergency stop and its clear make the daemon forget what it learnt about the camera.
            let departures = (0...2).map { (at: Seconds(-20.5), what: ScenarioEvent.person($0, isThere: false)) }
            let forgotten = departures + [(-20, .words("estop"))] + released.map { ($0.at - 10.5, $0.what) }
            return forgotten + [
                (-18.5, .words("home")),
                (-16.2, .words("select none")), (-16.1, .words("framing center")), (-16, .stands(0)),
                (-16, .words("mode system")),
            ]
        case .follows:
            // A head that has not proven its signs nods for two seconds, and then needs time for two bursts.
            return released + [
                (-7.9, .person(0, isThere: true)), (-7.9, .person(1, isThere: false)),
                (-7.9, .person(2, isThere: false)),
                (-7.9, .words("home")), (-5.7, .words("select none")), (-5.6, .words("framing center")),
                (-5.5, .words("mode system")),
            ]
        }
    }
}
