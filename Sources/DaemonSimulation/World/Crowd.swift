internal import DockControl
internal import DockSimulator
internal import FaceTracker
internal import Geometry

/// People in front of the dock, and the detector that sees them through the camera on its head.
struct Crowd {
    /// A person who walks back and forth, at most 40 deg/s.
    private struct Person {
        var center: PanTilt
        var swing: PanTilt
        var pace: Double
        var phase: Double
        var size: Double
        var isThere: Bool
        /// The elevation of a climb, rad, its start, and its duration, seconds.
        var climb: (to: Double, from: Seconds, for: Seconds)?

        func bearing(at time: Seconds) -> PanTilt {
            let (a, b) = (sine(pace * time + phase), sine(1.3 * pace * time + 2 * phase))
            let tilt = center.tilt + swing.tilt * b
            let share = climb.map { min(1, max(0, (time - $0.from) / $0.for)) } ?? 0
            return PanTilt(pan: center.pan + swing.pan * a, tilt: tilt + share * ((climb?.to ?? tilt) - tilt))
        }
    }

    private var people: [Person] = []
    private var random: SeededRandom
    private let camera: CameraModel
    private let wrong: WrongCamera?
    private let sight: RoughSight?
    private var encoder = DetectionEncoder()
    private var sequence = 0

    init(scenario: Scenario, camera: CameraModel) {
        random = SeededRandom(seed: scenario.seed &+ 0xFACE)
        self.camera = camera
        (wrong, sight) = (scenario.camera, scenario.sight)
        for _ in 0..<3 { people.append(Self.randomPerson(&random)) }
        for index in scenario.persons..<3 { people[index].isThere = false }
    }

    private static func randomPerson(_ random: inout SeededRandom) -> Person {
        func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * random.uniform() }
        let pace = between(0.2, 1.5)
        let swing = between(0, min(.degrees(60), .degrees(40) / pace))
        return Person(
            center: .degrees(pan: between(-60, 60), tilt: between(-10, 30)),
            swing: PanTilt(pan: swing, tilt: swing * 0.15), pace: pace, phase: between(0, 6),
            size: .degrees(between(5, 16)), isThere: true)
    }

    mutating func set(_ person: Int, isThere: Bool) { people[person].isThere = isThere }
    /// Makes a person stand still, well within the image of a camera that looks ahead.
    mutating func stands(_ person: Int) {
        people[person] = Self.randomPerson(&random)
        let side = random.uniform() < 0.5 ? -1.0 : 1
        people[person].center = .degrees(pan: side * (6 + 8 * random.uniform()), tilt: 10 * random.uniform() - 2)
        people[person].swing = .zero
        people[person].size = .degrees(7)
    }
    mutating func teleport(_ person: Int) {
        let isThere = people[person].isThere
        people[person] = Self.randomPerson(&random)
        people[person].isThere = isThere
    }

    mutating func climb(_ person: Int, to elevation: Double, from time: Seconds, for duration: Seconds) {
        people[person].climb = (elevation, time, duration)
        // The image ends up there. A big face would be seen in part, and lower than it is.
        people[person].size = min(people[person].size, .degrees(6))
    }

    mutating func hello(into lines: inout [UInt8]) {
        encoder.writeHello(
            detector: "story", clock: .monotonic, image: PictureSize(width: 640, height: 360), to: &lines)
    }

    /// Angle between the view at `pose` and the nearest person, rad; nil without people.
    func nearest(at time: Seconds, to pose: PanTilt) -> Double? {
        people.filter(\.isThere).map { ($0.bearing(at: time) - pose).magnitude }.min()
    }

    /// Elevation of the lowest person, rad; nil without people.
    func lowest(at time: Seconds) -> Double? { people.filter(\.isThere).map { $0.bearing(at: time).tilt }.min() }

    /// Writes one frame taken at the world's `time` from `pose`, with the time `stamp` of the host's clock.
    /// Returns the number of faces in it.
    @discardableResult
    mutating func picture(at time: Seconds, stamp: Seconds, from pose: PanTilt, into lines: inout [UInt8]) -> Int {
        sequence += 1
        var found: [Detection] = []
        for person in people where person.isThere {
            let view = wrong == .fixed ? .zero : pose
            guard var middle = camera.project(person.bearing(at: time), from: view) else { continue }
            if wrong == .mirrored { middle.x = 1 - middle.x }
            let width = person.size * camera.focal.x, height = person.size * 1.3 * camera.focal.y
            var shaken = Point(
                x: middle.x + 0.05 * width * random.normal(), y: middle.y + 0.05 * height * random.normal())
            if let noise = sight?.noise {
                shaken.x += noise * random.normal()
                shaken.y += noise * camera.focal.y / camera.focal.x * random.normal()
            }
            // Some faces are missed.
            guard random.uniform() > 0.05 else { continue }
            let rect = Rect(center: shaken, width: width, height: height)
            guard let seen = rect.intersection(.full), seen.area > 0.5 * rect.area else { continue }
            found.append(Detection(rect: seen, score: 0.9))
        }
        encoder.writeFrame(sequence: sequence, time: stamp, detections: found, to: &lines)
        return found.count
    }

    /// Bytes that are not a line of the stream.
    mutating func garbage(_ count: Int) -> [UInt8] {
        let bait = Array(#"{"type":"frame","faces":[{"rect":[1e999,,-0.1"#.utf8)
        var bytes = (0..<count).map { _ in
            random.uniform() < 0.3 ? UInt8(truncatingIfNeeded: random.next()) : bait[Int(random.next() % 44)]
        }
        bytes.append(10)
        return bytes
    }
}

/// sin as a power series over one turn, with the same bits on every machine.
func sine(_ angle: Double) -> Double {
    let turn = angle / (2 * .pi)
    let x = (turn - turn.rounded()) * 2 * .pi
    let y = abs(x) > .pi / 2 ? (x < 0 ? -.pi - x : .pi - x) : x
    let z = y * y
    return y * (1 - z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72))))
}
