internal import DockControl
internal import DockSimulator
internal import FaceTracker
internal import Geometry

/// The camera and the detector of a `SignTrial`: one face, with the trial's faults.
struct SignDetector {
    /// Angular width of the face, radians.
    private static let face = Double.degrees(7)

    private let trial: SignTrial
    private let camera: CameraModel
    private let latency: Seconds
    /// The side on which the camera lies: +1 or -1.
    private let side: Double
    private var encoder = DetectionEncoder()
    private var pictures: [(due: Seconds, taken: Seconds)] = []
    private var sequence = 0
    private var nextPicture: Seconds
    private var nextHello: Seconds

    /// The times are those of the first hello and of the first frame, seconds.
    init(_ trial: SignTrial, camera: RigProfile.Camera, side: Double, hello: Seconds, picture: Seconds) {
        self.trial = trial
        self.camera = CameraModel(camera: camera)
        self.side = side
        latency = camera.latency
        (nextPicture, nextHello) = (picture, hello)
    }

    /// Takes a frame if one is due.
    mutating func expose(now: Seconds) {
        guard now >= nextPicture else { return }
        nextPicture += 1 / trial.rate
        pictures.append((now + latency, now))
    }

    /// The lines that are due; empty: none. The person is at a place and the head in a pose (rad) at a frame's exposure.
    mutating func lines(
        now: Seconds, person: (Seconds) -> PanTilt, head: (Seconds) -> PanTilt, _ random: inout SeededRandom
    ) -> [UInt8] {
        var lines: [UInt8] = []
        while let first = pictures.first, first.due <= now {
            pictures.removeFirst()
            if now >= nextHello {
                nextHello = trial.hellos > 0 ? max(now, nextHello + 1 / trial.hellos) : .infinity
                encoder.writeHello(
                    detector: "trial", clock: .monotonic, image: PictureSize(width: 640, height: 360), to: &lines)
            }
            sequence += 1
            let view = trial.camera == .fixed ? .zero : head(first.taken)
            encoder.writeFrame(
                sequence: sequence, time: first.taken,
                detections: detections(of: person(first.taken), from: view, &random),
                to: &lines)
        }
        return lines
    }

    private func detections(of person: PanTilt, from view: PanTilt, _ random: inout SeededRandom) -> [Detection] {
        guard var point = camera.project(person, from: view) else { return [] }
        let x = (point.x - 0.5) / camera.focal.x, y = (point.y - 0.5) / camera.focal.y
        switch trial.camera {
        case .right, .fixed: break
        case .mirrored: point.x = 1 - point.x
        case .upsideDown: point = Point(x: 1 - point.x, y: 1 - point.y)
        case .swapped: point = Point(x: 0.5 + side * y * camera.focal.x, y: 0.5 - side * x * camera.focal.y)
        }
        let width = Self.face * camera.focal.x, height = 1.3 * Self.face * camera.focal.y
        let tremble = trial.noise * (trial.isOfFace ? width : 1), shape = camera.focal.y / camera.focal.x
        point.x += tremble * random.normal()
        point.y += tremble * shape * random.normal()
        let rect = Rect(
            center: point, width: width * (1 + tremble * random.normal()),
            height: height * (1 + tremble * random.normal()))
        guard random.uniform() >= trial.drops, let seen = rect.intersection(.full), seen.area > 0.5 * rect.area
        else { return [] }
        return [Detection(rect: seen, score: 0.9)]
    }
}
