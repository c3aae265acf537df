public import FaceTracker
public import Geometry
internal import Glibc

/// Two people who visit the robot, for the demo: they come in, walk about, meet, one steps up to the robot, and both leave.
///
/// The walks are staged, because no recording shows people all around a head that turns. The rectangles tremble as a real
/// detector's do (`RecordedTremble`).
public enum StagedVisit {
    /// Field of view of the camera for which the visit is written, radians: wide enough for the whole room.
    public static let hfov = Double.degrees(150)
    /// Frames a second, as in the recordings of `Examples/faces`.
    static let rate = 12.0
    /// Length of the visit, seconds. After `lastExit` the room is empty.
    public static let duration: Seconds = 48
    /// When the second visitor has left, seconds.
    public static let lastExit: Seconds = 36

    /// A command word at a time of the visit, for the daemon that is watching.
    public struct Cue: Sendable, Equatable {
        /// Seconds from the beginning of the visit.
        public var time: Seconds
        /// The word, as a person would type it.
        public var word: String
    }

    /// What the robot does on its own account: it sleeps while the room is empty, wakes before it sees the first visitor, nods, and
    /// is glad of the second.
    public static let cues = [
        Cue(time: 0, word: "face sleepy"), Cue(time: 3.2, word: "face auto"), Cue(time: 3.2, word: "animate wakeup"),
        Cue(time: 6.8, word: "animate yes"), Cue(time: 13.4, word: "face excited"), Cue(time: 15.2, word: "face auto"),
        Cue(time: 40, word: "face sleepy"),
    ]

    /// The visit as a recording of a fixed wide camera.
    public static func recording() -> Recording { lines().withUnsafeBytes { Recording($0) } }

    /// The lines of the recording: `Examples/faces/visit.jsonl`.
    static func lines() -> [UInt8] {
        var encoder = DetectionEncoder(), bytes: [UInt8] = []
        encoder.writeHello(
            detector: "staged-visit", clock: .media, image: size, framesPerSecond: rate, to: &bytes)
        for step in 0..<Int(duration * rate) {
            let time = Double(step) / rate
            let seen = visitors.enumerated().compactMap { number, visitor in
                visitor.place(at: time).map { rectangle(of: $0, step: step + 31 * number) }
            }
            encoder.writeFrame(sequence: step, time: time, detections: seen, to: &bytes)
        }
        encoder.writeBye(reason: "eof", to: &bytes)
        return bytes
    }

    static let size = PictureSize(width: 1920, height: 1080)
    /// Width of a face, metres, and its height relative to the width.
    static let faceWidth = 0.16, faceRatio = 1.2

    /// Where a visitor's face is.
    struct Place: Equatable {
        /// Seconds from the beginning of the visit.
        var time: Seconds
        /// Angles from the head, degrees; + is to the robot's right, and up.
        var pan: Double, tilt: Double
        /// Distance from the head, metres.
        var distance: Double
    }

    /// One person's way through the room. Between two places they speed up and slow down.
    struct Visitor {
        var places: [Place]

        /// Creates a way from times, pan angles (degrees) and distances (metres), at a constant height (metres above the head).
        init(height: Double, _ ways: [(time: Seconds, pan: Double, distance: Double)]) {
            places = ways.map { way in
                Place(
                    time: way.time, pan: way.pan, tilt: atan2(height, way.distance) * 180 / .pi, distance: way.distance)
            }
        }

        /// Where the person is at a time; nil: not in the room.
        func place(at time: Seconds) -> Place? {
            guard let next = places.firstIndex(where: { $0.time > time }), next > 0 else { return nil }
            let a = places[next - 1], b = places[next]
            let share = (time - a.time) / (b.time - a.time)
            let s = share * share * share * (10 - 15 * share + 6 * share * share)
            return Place(
                time: time, pan: a.pan + (b.pan - a.pan) * s, tilt: a.tilt + (b.tilt - a.tilt) * s,
                distance: a.distance + (b.distance - a.distance) * s)
        }
    }

    static let visitors = [
        Visitor(
            height: 0.22,
            [
                (3, -72, 2.2), (6.5, -12, 1.4), (8.5, -10, 1.1), (11.5, 38, 1.3), (14, 38, 1.3), (17.5, -15, 1.4),
                (20.5, -48, 2), (23, -80, 2.6),
            ]),
        Visitor(
            height: 0.12,
            [
                (12, 74, 2.5), (15, 30, 1.9), (18, 8, 1.6), (20.5, -28, 1.4), (23, -32, 1.2), (25.5, 0, 1), (27, 0, 1),
                (27.4, 0, 0.5), (29.5, 0, 0.5), (30.5, 4, 1.1), (33.5, 54, 1.6), (lastExit, 80, 2.6),
            ]),
    ]

    private static func rectangle(of place: Place, step: Int) -> Detection {
        let look = RecordedTremble.look(step)
        let width = 2 * atan(faceWidth / 2 / place.distance) * look.scale, height = width * faceRatio
        let pan = place.pan * .pi / 180 + look.dx * width, tilt = place.tilt * .pi / 180 + look.dy * height
        let left = column(pan - width / 2), right = column(pan + width / 2)
        let top = row(tilt + height / 2, pan), bottom = row(tilt - height / 2, pan)
        return Detection(rect: Rect(x: left, y: top, width: right - left, height: bottom - top), score: look.score)
    }

    /// Position in the frame, 0...1 from the left, of a direction (radians).
    private static func column(_ pan: Double) -> Double { 0.5 + tan(pan) / (2 * tan(hfov / 2)) }

    /// Position in the frame, 0...1 from the top, of a direction (radians).
    private static func row(_ tilt: Double, _ pan: Double) -> Double {
        0.5 - tan(tilt) / cos(pan) / (2 * tan(hfov / 2) / size.aspect)
    }
}
