internal import Companion
internal import DockControl
internal import FaceTracker
internal import Geometry

/// A recording as what a camera sees on a head that turns otherwise: every face stands where it was in the world, noise and all, and
/// appears where the head now looks. Who leaves the picture is gone; who was outside of the recorded one was never there.
struct RecordedView: TrialView {
    /// A face of a recorded picture.
    struct Face {
        var world: PanTilt
        /// Its size seen in the middle of a picture, picture widths and heights.
        var width: Double, height: Double
        /// How sure the detector was, 0...1; where the trace does not say, this.
        var score = 0.9
    }

    /// A picture.
    struct Picture {
        var exposure: Seconds
        /// What the law is told of it, and when.
        var stamp: Seconds, due: Seconds
        var faces: [Face]
    }

    /// A picture is recorded so much after it came at most, seconds: when the loop has time.
    static let recordedLate: Seconds = 0.05
    private let pictures: [Picture]
    private let camera: CameraModel
    private var next = 0
    private var encoder = DetectionEncoder()
    private var isGreeted = false

    /// - Parameters:
    ///   - seenBy: the camera of the recording.
    ///   - camera: the simulated one.
    ///   - warmUp: pictures before the recorded ones.
    init(
        _ looks: [TraceMotion.Look], _ change: WhatIf, seenBy: CameraModel, camera: CameraModel, latency: Seconds,
        warmUp: [Picture]
    ) {
        self.camera = camera
        var pictures = warmUp, nextExposure = -Double.infinity
        for look in looks {
            if let rate = change.framesPerSecond {
                // Half a period of a 120 Hz camera earlier counts as in time.
                guard look.exposure >= nextExposure - 0.004 else { continue }
                nextExposure = max(nextExposure + 1 / rate, look.exposure + 0.5 / rate)
            }
            // Where it is not told, it came as long after its exposure as the profile says, within what its record leaves open.
            let guess = (look.exposure + latency).clamped(to: look.recorded - Self.recordedLate...look.recorded)
            let came = look.came ?? guess
            let earliest = max(look.exposure + 0.001, (pictures.last?.due ?? 0) + 0.001)
            pictures.append(
                Picture(
                    exposure: look.exposure, stamp: look.exposure + change.latency,
                    due: max(earliest, came + change.latency + change.delay),
                    faces: Self.faces(of: look, seenBy)))
        }
        self.pictures = pictures
    }

    mutating func lines(by now: Seconds, pose: (Seconds) -> PanTilt) -> [UInt8] {
        var lines: [UInt8] = []
        if !isGreeted {
            let size = PictureSize(width: 3600, height: (3600 * camera.focal.x / camera.focal.y).rounded())
            encoder.writeHello(detector: "recording", clock: .monotonic, image: size, to: &lines)
        }
        isGreeted = true
        while next < pictures.count, pictures[next].due <= now {
            let picture = pictures[next], view = pose(picture.exposure)
            next += 1
            let found = picture.faces.compactMap { face in
                rect(of: face, from: view).map { Detection(rect: $0, score: face.score) }
            }
            encoder.writeFrame(sequence: next, time: picture.stamp, detections: found, to: &lines)
        }
        return lines
    }

    /// What the detector saw, as it would look in the middle of the picture; where the trace does not tell that, what the tracker made of it.
    static func faces(of look: TraceMotion.Look, _ camera: CameraModel) -> [Face] {
        func face(_ rect: Rect, _ world: PanTilt) -> Face {
            let (wider, higher) = stretch(Framing.aimPoint(of: rect), camera)
            return Face(world: world, width: rect.width / wider, height: rect.height / higher)
        }
        guard let seen = look.seen else { return look.faces.map { face($0.rect, $0.world) } }
        return seen.map { one in
            var face = face(one.rect, one.world)
            face.score = one.score
            return face
        }
    }

    private func rect(of face: Face, from view: PanTilt) -> Rect? {
        guard let middle = camera.project(face.world, from: view) else { return nil }
        let (wider, higher) = Self.stretch(middle, camera)
        let rect = Rect(center: middle, width: face.width * wider, height: face.height * higher)
        guard let inside = rect.intersection(.full), inside.area > 0.5 * rect.area else { return nil }
        return rect
    }

    /// A pinhole draws what is small larger the farther from the middle: by 1 / cos² of the angle along it.
    private static func stretch(_ point: Point, _ camera: CameraModel) -> (Double, Double) {
        let x = (point.x - camera.principal.x) / camera.focal.x, y = (point.y - camera.principal.y) / camera.focal.y
        return (1 + x * x, 1 + y * y)
    }
}
