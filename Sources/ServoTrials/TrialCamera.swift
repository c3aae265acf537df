internal import DockControl
internal import DockSimulator
internal import FaceTracker
internal import Geometry

/// A camera on the rig's head with a detector behind it, as poor as real ones: late, jittering, noisy, blind now and
/// then, and with false faces. 640 x 360, a pinhole with the profile's field of view.
struct TrialCamera {
    private struct Picture {
        var exposure: Seconds
        var due: Seconds
    }

    let framesPerSecond: Double
    private let people: TrialPeople
    private let camera: CameraModel
    private var random: SeededRandom
    private var encoder = DetectionEncoder()
    private var sequence = 0
    private var nextExposure: Seconds
    private var pictures: [Picture] = []
    private let isPerfect: Bool
    private let stampError: Seconds

    /// From exposure to delivery, seconds. Noise of the middle and of the size as fractions of the width; fractions of
    /// the frames without the face and with a false one. From published targets.
    static let latency: ClosedRange<Seconds> = 0.030...0.060
    static let noise = 0.007, sizeNoise = 0.05, missed = 0.05, wrong = 0.03

    init(
        people: TrialPeople, camera: CameraModel, framesPerSecond: Double, start: Seconds, seed: UInt64,
        isPerfect: Bool = false, stampError: Seconds = 0
    ) {
        self.stampError = stampError
        self.people = people
        self.camera = camera
        self.framesPerSecond = framesPerSecond
        self.isPerfect = isPerfect
        nextExposure = start
        random = SeededRandom(seed: seed &+ 0xCA3E)
    }

    mutating func hello(into lines: inout [UInt8]) {
        encoder.writeHello(
            detector: "trial", clock: .monotonic, image: PictureSize(width: 640, height: 360), to: &lines)
    }

    /// Adds the lines that are delivered by `now`. `zero` is when the measurement begins; `pose` returns the rig's pose
    /// at a time.
    mutating func deliver(by now: Seconds, zero: Seconds, pose: (Seconds) -> PanTilt, into lines: inout [UInt8]) {
        while nextExposure <= now {
            let late = Self.latency.lowerBound + (Self.latency.upperBound - Self.latency.lowerBound) * random.uniform()
            pictures.append(Picture(exposure: nextExposure, due: nextExposure + late))
            nextExposure += 1 / framesPerSecond
        }
        while let picture = pictures.first, picture.due <= now {
            pictures.removeFirst()
            write(picture, zero: zero, from: pose(picture.exposure), into: &lines)
        }
    }

    private mutating func write(_ picture: Picture, zero: Seconds, from view: PanTilt, into lines: inout [UInt8]) {
        var faces: [(rect: Rect, depth: Double)] = []
        for person in people.people(at: picture.exposure - zero) where !person.isHidden {
            guard let rect = rect(of: person, from: view) else { continue }
            faces.append((rect, person.depth))
        }
        var found: [Detection] = []
        for face in faces {
            let cover =
                faces.filter { $0.depth < face.depth }.compactMap { $0.rect.intersection(face.rect)?.area }.max() ?? 0
            guard cover < 0.35 * face.rect.area, isPerfect || random.uniform() >= Self.missed else { continue }
            found.append(
                Detection(rect: isPerfect ? face.rect : shaken(face.rect), score: 0.8 + 0.19 * random.uniform()))
        }
        if !isPerfect, random.uniform() < Self.wrong {
            let size = 0.06 + 0.1 * random.uniform()
            found.append(
                Detection(
                    rect: Rect(
                        center: Point(x: random.uniform(), y: random.uniform()), width: size, height: size * 16 / 9),
                    score: 0.6 + 0.3 * random.uniform()))
        }
        found.shuffle(using: &random)
        sequence += 1
        encoder.writeFrame(sequence: sequence, time: picture.exposure + stampError, detections: found, to: &lines)
    }

    private func rect(of person: TrialPeople.Person, from view: PanTilt) -> Rect? {
        guard let middle = camera.project(person.bearing, from: view) else { return nil }
        let width = person.width * camera.focal.x, height = 1.3 * person.width * camera.focal.y
        let rect = Rect(center: middle, width: width, height: height)
        guard let inside = rect.intersection(.full), inside.area > 0.5 * rect.area else { return nil }
        return rect
    }

    private mutating func shaken(_ rect: Rect) -> Rect {
        Rect(
            center: Point(
                x: rect.center.x + Self.noise * random.normal(),
                y: rect.center.y + Self.noise * 16 / 9 * random.normal()),
            width: rect.width * (1 + Self.sizeNoise * random.normal()),
            height: rect.height * (1 + Self.sizeNoise * random.normal()))
    }
}
