internal import DockSimulator
internal import Glibc
package import Geometry

/// The scenes: what a person does in front of the rig. Angles are those of the person's face in the world, as the dock
/// counts them.
package enum TrialScene: String, CaseIterable, Sendable {
    /// The person is suddenly 20 degrees to the right and 5 up.
    case step
    /// The person stands.
    case still
    /// The person walks past at 30 deg/s.
    case ramp
    /// The person moves back and forth at 0.5 Hz, 25 degrees to either side.
    case sine
    /// The person walks at 25 deg/s for a second, stands for one, and so on.
    case stopGo
    /// The person walks as people do, with unpredictable paces and turns.
    case walks
    /// The person is hidden for two seconds, and reappears where the walk has led.
    case reacquire
    /// The person crosses another person, who is nearer.
    case crossing

    /// Duration of the measurement, seconds.
    package var duration: Seconds {
        switch self {
        case .step: 3
        case .still: 10
        case .ramp: 4
        case .sine, .stopGo: 10
        case .walks: 30
        case .reacquire: 4.5
        case .crossing: 4
        }
    }
}

/// The people of a trial.
package struct TrialPeople: Sendable {
    /// A person at one time.
    package struct Person: Sendable {
        /// The middle of the face, rad.
        package var bearing: PanTilt
        /// Angular width of the face, rad.
        package var width: Double
        /// Distance in any unit: the nearer person hides the farther one.
        package var depth = 1.0
        /// Whether something hides the person.
        package var isHidden = false
    }

    private let scene: TrialScene
    /// Sum of oscillations that differ for every seed: amplitude (rad), angular frequency (rad/s), phase.
    private let swings: [(amplitude: Double, frequency: Double, phase: Double)]
    private let side: Double
    private let start: TrialStart

    /// Creates the people of a scene.
    package init(_ scene: TrialScene, seed: UInt64, start: TrialStart = .proven) {
        self.scene = scene
        self.start = start
        var random = SeededRandom(seed: seed)
        side = random.uniform() < 0.5 ? -1 : 1
        swings = [(22.0, 0.6), (9, 1.5), (4, 3.1), (1.2, 6.5)].map { degrees, frequency in
            (.degrees(degrees), frequency * (0.8 + 0.4 * random.uniform()), 6.28 * random.uniform())
        }
    }

    /// Returns the people at a time from the beginning of the measurement; the first is the one to follow.
    package func people(at time: Seconds) -> [Person] {
        let pan = time < 0 ? before(time) : during(time)
        var first = Person(
            bearing: PanTilt(pan: side * pan, tilt: .degrees(5) + 0.2 * (pan - during(0)) * (time < 0 ? 0.5 : 1)),
            width: .degrees(8))
        if scene == .step, time >= 0 { first.bearing.tilt += .degrees(5) - 0.2 * .degrees(20) }
        if scene == .reacquire { first.isHidden = (1..<3).contains(time) }
        guard scene == .crossing, time >= 0 else { return [first] }
        let other = Person(
            bearing: PanTilt(pan: side * (.degrees(30) - .degrees(20) * time), tilt: .degrees(5)), width: .degrees(10),
            depth: 0.7)
        return [first, other]
    }

    /// Back and forth before a proven rig, and then at the place where the measurement begins.
    private func before(_ time: Seconds) -> Double {
        guard self.start == .proven else { return during(0) }
        let elapsed = time + TrialStart.proven.duration, start = during(0)
        let fade = (1 - (elapsed - 5.5) / 1.5).clamped(to: 0...1)
        let eased = fade * fade * (3 - 2 * fade)
        return start * (1 - eased) + eased * (start * min(1, elapsed / 4) + .degrees(14) * sin(2.4 * elapsed))
    }

    private func during(_ time: Seconds) -> Double {
        switch scene {
        case .step: return time > 0 ? .degrees(20) : 0
        case .still: return 0
        case .ramp: return .degrees(-60) + .degrees(30) * time
        case .sine: return .degrees(25) * sin(.pi * time)
        case .stopGo:
            // 25 deg/s with a quarter of a second to start and to stop; alternately to the right and back.
            var place = 0.0
            for walk in 0..<6 {
                let run = (time - 2 * Double(walk)).clamped(to: 0...1.25), ramp = 0.25
                let went =
                    run < ramp
                    ? run * run / (2 * ramp)
                    : run < 1 ? run - ramp / 2 : 1 - ramp / 2 + (run - 1) - (run - 1) * (run - 1) / (2 * ramp)
                place += (walk % 2 == 0 ? 1 : -1) * .degrees(25) * went
            }
            return place
        case .walks:
            return swings.reduce(0) { $0 + $1.amplitude * (sin($1.frequency * time + $1.phase) - sin($1.phase)) }
        case .reacquire: return .degrees(7) * time
        case .crossing: return .degrees(-10) + .degrees(10) * time
        }
    }

}
