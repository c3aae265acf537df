internal import Companion
internal import DockControl
internal import FaceTracker
internal import Geometry

/// A recording as a camera sees it on a head that turns differently. Every face stays where it was in the world, with
/// its noise, and appears where the head now looks. A face that leaves the image is gone. A face outside the recorded
/// image never existed.
struct RecordedView: TrialView {
    /// A face of a recorded frame.
    struct Face {
        var world: PanTilt
        /// Its size in the middle of an image, in image widths and heights.
        var width: Double, height: Double
        /// The detector's score, 0...1; this value if the trace has none.
        var score = 0.9
    }

    /// A frame.
    struct Picture {
        var exposure: Seconds
        /// The time that the law receives for it, and when it arrives.
        var stamp: Seconds, due: Seconds
        var faces: [Face]
    }

    /// Longest time between the arrival of a frame and its record, seconds: the loop writes it when it has time.
    static let recordedLate: Seconds = 0.05
    private let pictures: [Picture]
    private let camera: CameraModel
    private var next = 0
    private var encoder = DetectionEncoder()
    private var isGreeted = false

    /// Creates a view of a recording.
    /// - Parameters:
    ///   - seenBy: the camera of the recording.
    ///   - camera: the simulated camera.
    ///   - warmUp: frames before the recorded ones.
    init(
        _ looks: [TraceMotion.Look], _ change: WhatIf, seenBy: CameraModel, camera: CameraModel, latency: Seconds,
        warmUp: [Picture]
    ) {
        self.camera = camera
        var pictures = warmUp, nextExposure = -Double.infinity
        for look in looks {
            if let rate = change.framesPerSecond {
                // Half a period of a 120 Hz camera early counts as in time.
                guard look.exposure >= nextExposure - 0.004 else { continue }
                nextExposure = max(nextExposure + 1 / rate, look.exposure + 0.5 / rate)
            }
            // If the arrival is not recorded, it is the exposure plus the profile's latency, within the limits that the
            // record leaves.
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

    /// What the detector saw, as it would look in the middle of the image. If the trace does not contain that, what the
    /// tracker made of it.
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

    /// A pinhole enlarges small objects away from the middle: by 1 / cos² of the angle along the axis.
    private static func stretch(_ point: Point, _ camera: CameraModel) -> (Double, Double) {
        let x = (point.x - camera.principal.x) / camera.focal.x, y = (point.y - camera.principal.y) / camera.focal.y
        return (1 + x * x, 1 + y * y)
    }
}
