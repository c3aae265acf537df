public import FaceTracker
public import Geometry

/// The identities in a recording, found offline from the whole of it: the ground truth for tracking.
///
/// This is not the tracker under test. It looks ahead, the camera was fixed, and time does not matter.
public struct SceneTruth: Sendable {
    /// One person's rectangle in one frame. Between two detections of the person it is interpolated.
    public struct Appearance: Sendable, Equatable {
        /// Number of the person; 0 is the first one found.
        public var person: Int
        /// Rectangle in the recording's own frame, normalised.
        public var rect: Rect
    }

    /// Appearances by frame of the recording.
    public private(set) var frames: [[Appearance]]
    /// Number of people.
    public private(set) var persons = 0

    /// Score that a detection of a track must reach once for the track to be a person. Backs of heads and hair never
    /// reach it.
    static let certain = 0.7
    /// Longest time without a detection after which a person is still the same, seconds.
    static let longestGap: Seconds = 1.2

    private struct Track {
        var hits: [(frame: Int, rect: Rect)]
        var isPerson: Bool
    }

    /// Links the detections of a recording.
    public init(_ recording: Recording) {
        frames = Array(repeating: [], count: recording.frames.count)
        var open: [Track] = [], done: [Track] = []
        for (index, frame) in recording.frames.enumerated() {
            var (live, gone): ([Track], [Track]) = ([], [])
            for track in open {
                let last = track.hits.last?.frame ?? 0
                if frame.exposure - recording.frames[last].exposure > Self.longestGap {
                    gone.append(track)
                } else {
                    live.append(track)
                }
            }
            open = live
            done += gone
            var free = Set(frame.detections.indices), taken: Set<Int> = []
            var pairs: [(cost: Double, track: Int, detection: Int)] = []
            for (t, track) in open.enumerated() {
                guard let last = track.hits.last else { continue }
                let gap = frame.exposure - recording.frames[last.frame].exposure
                for (d, detection) in frame.detections.enumerated() {
                    let away = Self.distance(last.rect, detection.rect)
                    if away < 1.0 + gap { pairs.append((away, t, d)) }
                }
            }
            for pair in pairs.sorted(by: { $0.cost < $1.cost })
            where free.contains(pair.detection) && !taken.contains(pair.track) {
                free.remove(pair.detection)
                taken.insert(pair.track)
                let detection = frame.detections[pair.detection]
                open[pair.track].hits.append((index, detection.rect))
                if detection.score >= Self.certain { open[pair.track].isPerson = true }
            }
            for index2 in free.sorted() {
                let detection = frame.detections[index2]
                open.append(Track(hits: [(index, detection.rect)], isPerson: detection.score >= Self.certain))
            }
        }
        for track in done + open where track.isPerson {
            fill(track, person: persons)
            persons += 1
        }
    }

    private mutating func fill(_ track: Track, person: Int) {
        for (a, b) in zip(track.hits, track.hits.dropFirst()) {
            for frame in a.frame..<b.frame {
                let share = Double(frame - a.frame) / Double(b.frame - a.frame)
                frames[frame].append(Appearance(person: person, rect: Self.between(a.rect, b.rect, share)))
            }
        }
        if let last = track.hits.last { frames[last.frame].append(Appearance(person: person, rect: last.rect)) }
    }

    /// Distance of the centres, in sizes of the larger rectangle.
    private static func distance(_ a: Rect, _ b: Rect) -> Double {
        let dx = (a.center.x - b.center.x) / max(a.width, b.width)
        let dy = (a.center.y - b.center.y) / max(a.height, b.height)
        return (dx * dx + dy * dy).squareRoot()
    }

    private static func between(_ a: Rect, _ b: Rect, _ share: Double) -> Rect {
        Rect(
            x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share, width: a.width + (b.width - a.width) * share,
            height: a.height + (b.height - a.height) * share)
    }
}
