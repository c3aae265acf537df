internal import Geometry

/// The motion of a simulated gimbal: its goal, and what its sensors see of it.
struct MavlinkGimbalMotors: Sendable {
    /// The goal: angles (rad) or rates (rad/s).
    struct Goal: Equatable, Sendable { var angles: PanTilt?, rates = PanTilt.zero }

    let bounds: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>)
    var goal = Goal()
    /// Positions and speeds of the motors, rad and rad/s.
    private(set) var places = PanTilt.zero, rates = PanTilt.zero
    private let lag: Seconds
    private var late: LateGoal<Goal>

    init(model: RigModel) {
        lag = max(model.lag, 0.01)
        late = LateGoal(delay: model.commandLatency)
        bounds = (model.panRange, model.tiltRange)
    }

    /// The sensors read positions (rad) and speeds (rad/s).
    mutating func measure(_ places: PanTilt, _ rates: PanTilt) { (self.places, self.rates) = (places, rates) }

    /// The commanded speeds at a time, rad/s.
    mutating func demand(at time: Seconds) -> PanTilt {
        let goal = late.admit(goal, at: time, holds: true)
        guard let angles = goal.angles else { return goal.rates }
        var demand = goal.rates
        for axis in Axis.allCases {
            let range = axis == .pan ? bounds.pan : bounds.tilt
            let way = min(max(angles[axis], range.lowerBound), range.upperBound) - places[axis]
            // Resolution of its sensors.
            demand[axis] = abs(way) < 2e-4 ? 0 : way / lag
        }
        return demand
    }
}
