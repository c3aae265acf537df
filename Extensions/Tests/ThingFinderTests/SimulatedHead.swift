import Geometry

@testable import ThingFinder

/// A head with a speed and an acceleration, in steps of virtual time.
struct SimulatedHead {
    private(set) var pose: PanTilt
    private(set) var velocity = PanTilt.zero
    var target: PanTilt
    /// A person holds it.
    var isHeld = false
    private let pace: HeadPace

    static let pace = HeadPace(speed: .degrees(120), acceleration: .degrees(600))

    init(at pose: PanTilt, pace: HeadPace = pace) { (self.pose, target, self.pace) = (pose, pose, pace) }

    mutating func step(_ time: Seconds) {
        for axis in Axis.allCases {
            let way = isHeld ? 0 : target[axis] - pose[axis]
            let wanted = min(pace.speed, (2 * pace.acceleration * abs(way)).squareRoot()) * (way < 0 ? -1 : 1)
            let most = pace.acceleration * time
            velocity[axis] += (wanted - velocity[axis]).clamped(to: -most...most)
            if abs(way) < .degrees(0.3), abs(velocity[axis]) < .degrees(8) {
                (pose[axis], velocity[axis]) = (pose[axis] + way, 0)
            } else {
                pose[axis] += velocity[axis] * time
            }
        }
    }

    var rate: Double { velocity.magnitude }
}
