internal import Geometry

/// The motion of a simulated camera: both motors at the speed of a code, or on their way to a position.
struct ViscaCameraMotion: Sendable {
    /// Speed per remaining angle, 1/s: an estimate, slow enough for motors with lag.
    private static let approach = 3.5

    /// Speeds by code, rad/s, and position units per degree.
    let motors: (pan: ViscaMotor, tilt: ViscaMotor)
    /// The last commanded velocity, rad/s.
    private(set) var command = PanTilt.zero
    private var way: (goal: PanTilt, speed: PanTilt, socket: Int)?
    /// Its ranges, rad.
    private let range: (pan: ClosedRange<Double>, tilt: ClosedRange<Double>)

    /// The options select the model of the motors.
    init(model: RigModel, options: [String: Double]) {
        range = (model.panRange, model.tiltRange)
        motors = (ViscaMotor(.pan, options, model), ViscaMotor(.tilt, options, model))
    }

    /// The socket that stays busy until the motors arrive at a position; nil: they are not on their way to one.
    var socket: Int? { way?.socket }

    func motor(_ axis: Axis) -> ViscaMotor { axis == .pan ? motors.pan : motors.tilt }

    /// Turns at velocities, rad/s.
    mutating func turn(_ velocity: PanTilt) { command = velocity }

    /// Goes to a position (rad) at the speeds of two codes; the socket stays busy.
    mutating func go(to goal: PanTilt, speeds: (pan: Int, tilt: Int), socket: Int) {
        func held(_ angle: Double, _ range: ClosedRange<Double>) -> Double {
            min(max(angle, range.lowerBound), range.upperBound)
        }
        way = (
            goal: PanTilt(pan: held(goal.pan, range.pan), tilt: held(goal.tilt, range.tilt)),
            speed: PanTilt(pan: motors.pan.speed(speeds.pan), tilt: motors.tilt.speed(speeds.tilt)), socket: socket
        )
    }

    /// Stands.
    mutating func stop() { (way, command) = (nil, .zero) }

    /// The commanded speeds, rad/s, from the positions of the motors, rad.
    func demand(from place: PanTilt) -> PanTilt {
        guard let way else { return command }
        var demand = PanTilt.zero
        for axis in Axis.allCases {
            let left = way.goal[axis] - place[axis]
            // Its motors count units and brake before the goal.
            if abs(left) > .degrees(1 / motor(axis).unitsPerDegree) {
                demand[axis] = min(max(left * Self.approach, -way.speed[axis]), way.speed[axis])
            }
        }
        return demand
    }
}
