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
    /// How sure the detector is told to have been: the trace does not say.
    static let score = 0.9

    private let pictures: [Picture]
    private let camera: CameraModel
    private var next = 0
    private var encoder = DetectionEncoder()
    private var isGreeted = false

    /// - Parameter warmUp: pictures before the recorded ones.
    init(_ looks: [TraceMotion.Look], _ change: WhatIf, camera: CameraModel, latency: Seconds, warmUp: [Picture]) {
        self.camera = camera
        var pictures = warmUp, nextExposure = -Double.infinity
        for look in looks {
            if let rate = change.framesPerSecond {
                // Half a period of a 120 Hz camera earlier counts as in time.
                guard look.exposure >= nextExposure - 0.004 else { continue }
                nextExposure = max(nextExposure + 1 / rate, look.exposure + 0.5 / rate)
            }
            // It came as long after its exposure as the profile says, within what its record leaves open.
            let came = (look.exposure + latency).clamped(to: look.recorded - Self.recordedLate...look.recorded)
            let earliest = max(look.exposure + 0.001, (pictures.last?.due ?? 0) + 0.001)
            pictures.append(
                Picture(
                    exposure: look.exposure, stamp: look.exposure + change.latency,
                    due: max(earliest, came + change.latency + change.delay),
                    faces: look.faces.map { Self.face($0, from: look.pose, camera) }))
        }
        self.pictures = pictures
    }

    mutating func lines(by now: Seconds, pose: (Seconds) -> PanTilt) -> [UInt8] {
        var lines: [UInt8] = []
        if !isGreeted {
            // 16 to 9, as the trace's directions were reckoned.
            encoder.writeHello(
                detector: "recording", clock: .monotonic, image: PictureSize(width: 640, height: 360), to: &lines)
        }
        isGreeted = true
        while next < pictures.count, pictures[next].due <= now {
            let picture = pictures[next], view = pose(picture.exposure)
            next += 1
            let found = picture.faces.compactMap { rect(of: $0, from: view) }
            encoder.writeFrame(
                sequence: next, time: picture.stamp, detections: found.map { Detection(rect: $0, score: Self.score) },
                to: &lines)
        }
        return lines
    }

    /// A face as it would look in the middle of the picture.
    static func face(_ face: TraceMotion.Face, from pose: PanTilt, _ camera: CameraModel) -> Face {
        let (wider, higher) = stretch(Framing.aimPoint(of: face.rect), camera)
        return Face(world: face.world, width: face.rect.width / wider, height: face.rect.height / higher)
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
