import Geometry
import Testing

@testable import FacePrivacy

/// A camera's pictures with known faces, the detectors that look at them, and what goes wrong.
struct Clip: Sendable, CustomTestStringConvertible {
    /// A detector of a clip.
    struct Watcher: Sendable {
        var name = "blazeface"
        /// It looks at each n-th picture.
        var every = 3
        /// The time from a picture to its answer, or nil if it does not answer.
        var latency: @Sendable (_ frame: Int) -> Seconds? = { _ in 0.08 }
        /// What it writes about a picture in which these faces are.
        var sees: @Sendable (_ frame: Int, _ faces: [Rect]) -> [(rect: Rect, score: Double)] = { _, faces in
            faces.map { ($0, 0.9) }
        }
        /// What else is different about its answers.
        var change: @Sendable (_ frame: Int, inout Answer) -> Void = { _, _ in }
    }

    var name: String
    var frames = 120
    /// The faces in a picture, in picture widths and heights.
    var faces: @Sendable (_ frame: Int) -> [Rect]
    var watchers = [Watcher()]
    /// How fast the head turns, in rad/s.
    var rate: @Sendable (_ frame: Int) -> PanTilt? = { _ in .zero }
    var growth = 0.25
    var delay: Seconds = 0.7
    /// The room of the line, in pictures.
    var room = 64
    /// How many pictures may be covered as a whole.
    var wholes: Int

    static let size = (width: 160, height: 120)

    var testDescription: String { name }

    /// The clip's stamp of a picture.
    func stamp(_ frame: Int) -> FrameStamp {
        Bench.stamp(frame, rate: rate(frame), width: Self.size.width, height: Self.size.height)
    }

    /// What a detector writes about a picture.
    func answer(_ watcher: Watcher, _ frame: Int, arrival: Seconds) -> Answer {
        var answer = Answer(source: watcher.name, sequence: frame, time: Bench.time(frame), arrival: arrival)
        answer.faces = watcher.sees(frame, faces(frame))
        watcher.change(frame, &answer)
        return answer
    }
}

/// The way in which a picture left a line.
enum Departure: Sendable { case due, forced, flushed }

/// What happens in a clip, in the order in which it happens.
struct Happening: Sendable {
    enum Kind: Sendable { case picture(Int), answer(Answer, frame: Int) }
    var time: Seconds
    var kind: Kind

    static func all(of clip: Clip) -> [Happening] {
        var all: [Happening] = []
        for frame in 0..<clip.frames {
            let taken = Bench.time(frame)
            all.append(Happening(time: taken + 0.02, kind: .picture(frame)))
            for watcher in clip.watchers where frame.isMultiple(of: watcher.every) {
                guard let latency = watcher.latency(frame) else { continue }
                let answer = clip.answer(watcher, frame, arrival: taken + latency)
                all.append(Happening(time: taken + latency, kind: .answer(answer, frame: frame)))
            }
        }
        let end = Bench.time(clip.frames - 1) + 0.02
        return all.filter { $0.time <= end }.sorted { $0.time < $1.time }
    }
}
