package import DockControl
internal import DockSimulator
package import Geometry

/// The true mounting of a trial's camera.
package enum SignCamera: String, CaseIterable, Sendable {
    /// As in the profile.
    case right
    /// The image is mirrored.
    case mirrored
    /// The camera stands beside the dock.
    case fixed
    /// The camera lies on one of its sides.
    case swapped
    /// The camera hangs upside down.
    case upsideDown

    /// The axes that, by the image, turn the wrong way or have no effect.
    var wrongAxes: [Axis] {
        switch self {
        case .right: []
        case .mirrored: [.pan]
        case .fixed, .swapped, .upsideDown: [.pan, .tilt]
        }
    }
}

/// One trial of the sign guard: a rig, a camera, a detector with its faults, and a person in front of it.
package struct SignTrial: Sendable {
    package var camera: SignCamera
    package var seed: UInt64
    /// Frames per second.
    package var rate: Double
    /// Tremble of the rectangle's centre (standard deviation), as a fraction of the frame's width or of the face's.
    package var noise: Double, isOfFace: Bool
    /// Hello messages of the detector per second.
    package var hellos: Double
    /// Fraction of the frames in which the face is missing although it is there.
    package var drops: Double
    /// Fraction of the dock's reports and of the set-points that noise on the line destroys.
    package var lost: Double
    /// Reports of the dock per second. A dock that has not received the request for more sends few.
    package var reports: Double
    var isCheap: Bool
    var person: SignPerson

    package static let rates: [Double] = [5, 10, 15, 30, 60, 160, 240, 500, 1000]
    package static let noises = [0, 0.01, 0.02, 0.035, 0.05]
    package static let helloRates: [Double] = [0, 3, 10]
    package static let dropShares = [0, 0.3]
    package static let lostShares = [0, 0, 0.4, 0.8]
    package static let reportRates: [Double] = [50, 50, 10]
    /// Duration of a trial, seconds.
    static let duration: Seconds = 20

    /// Draws a trial from the whole matrix; the seed determines which one.
    package init(_ camera: SignCamera, seed: UInt64) {
        let kind = UInt64(SignCamera.allCases.firstIndex(of: camera) ?? 0)
        var random = SeededRandom(seed: seed &* 7919 &+ kind)
        func pick(_ values: [Double]) -> Double { values[Int(random.uniform() * Double(values.count))] }
        self.camera = camera
        self.seed = seed
        rate = pick(Self.rates)
        noise = pick(Self.noises)
        hellos = pick(Self.helloRates)
        drops = pick(Self.dropShares)
        isOfFace = random.uniform() < 0.2
        isCheap = random.uniform() < 0.5
        // In front of a wrong camera most people stand still, because then a head runs away.
        let stands = camera != .right && random.uniform() < 0.6
        person = SignPerson(stands ? .stands : SignPerson.Habit.allCases[Int(random.uniform() * 5)], &random)
        lost = pick(Self.lostShares)
        reports = lost == 0 ? 50 : pick(Self.reportRates)
    }
}

/// The outcome of a trial.
package struct SignOutcome: Sendable {
    /// Of the wrong axes: the highest commanded tracking speed (rad/s), the largest distance from the first position,
    /// and the total angle turned (rad). With a correct camera, of both axes.
    package var fastest = 0.0, farthest = 0.0, turned = 0.0
    /// The guard's verdict, and its time, seconds.
    package var verdict: SignGuard.Verdict?, after: Seconds = 0
    /// The signs of both axes, or of the only one that was commanded to turn, were proven.
    package var isProven = false
}

/// A person in front of the camera, with their position over time in world angles.
struct SignPerson: Sendable {
    enum Habit: CaseIterable, Sendable { case stands, sways, walks, jumps, dances }

    private let habit: Habit
    private let place: PanTilt
    private let amplitude: Double, frequency: Double, phase: Double, turn: Double, speed: Double

    init(_ habit: Habit, _ random: inout SeededRandom) {
        self.habit = habit
        let side = random.uniform() < 0.5 ? -1.0 : 1
        place = .degrees(pan: side * (4 + 14 * random.uniform()), tilt: 16 * random.uniform() - 6)
        amplitude = .degrees(5 + 25 * random.uniform())
        frequency = 0.05 + 0.25 * random.uniform()
        phase = 6 * random.uniform()
        turn = 1 + 4 * random.uniform()
        speed = .degrees(10 + 30 * random.uniform())
    }

    func place(at time: Seconds) -> PanTilt {
        switch habit {
        case .stands: return place
        case .sways:
            return place
                + PanTilt(
                    pan: amplitude * sine(2 * .pi * frequency * time + phase), tilt: .degrees(3) * sine(1.3 * time))
        case .walks:
            let lap = abs((time / turn + phase).truncatingRemainder(dividingBy: 4) - 2) - 1
            return place + PanTilt(pan: speed * turn * lap / 2 - place.pan * 0.5, tilt: 0)
        case .jumps:
            let beat = ((time / turn).rounded(.down) * 12.9898 + phase).truncatingRemainder(dividingBy: 2)
            return .degrees(pan: beat > 1 ? 12 : -12, tilt: beat > 1 ? 3 : 0)
        case .dances:
            let pan = .degrees(8) * sine(3.1 * time + phase) + .degrees(12) * sine(0.7 * time)
            return place + PanTilt(pan: pan, tilt: .degrees(4) * sine(2.3 * time))
        }
    }
}
