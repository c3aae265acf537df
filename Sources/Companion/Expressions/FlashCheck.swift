internal import Geometry
internal import RobotFace

/// Whether a motion flashes: light that comes and goes more than three times in a second can bring on a seizure (WCAG 2.3.1),
/// and children sit in front of this face.
enum FlashCheck {
    /// So many flashes in any second are harmless.
    static let most = 3

    /// A rise of less than this is no flash: a tenth of the light, or half of an eye that opens and shuts.
    private static func swing(_ target: MotionTarget) -> Float? {
        switch target {
        case .eyes(let parameter), .left(let parameter), .right(let parameter):
            switch parameter {
            case .brightness, .glow: 0.1
            case .height, .width, .upperLid, .lowerLid: 0.5
            default: nil
            }
        case .face(let parameter):
            switch parameter {
            case .markOpacity, .blush: 0.1
            case .markScale, .markReveal: 0.5
            default: nil
            }
        }
    }

    /// How often light rises in the worst second of a track; 0 where what it moves is no light.
    static func flashes(_ track: MotionTrack) -> Int {
        guard let swing = swing(track.target) else { return 0 }
        // Sampled finely: what the curve really does, breaks of a shake and rounds of keys included.
        var rises: [Seconds] = []
        var low = track.change(at: 0), high = low, isUp = false
        for step in 0...Int(span / sample) {
            let time = Double(step) * sample, value = track.change(at: time)
            if isUp {
                high = max(high, value)
                if high - value >= swing { (isUp, low) = (false, value) }
            } else {
                low = min(low, value)
                if value - low >= swing {
                    (isUp, high) = (true, value)
                    rises.append(time)
                }
            }
        }
        return rises.map { start in rises.count { $0 >= start && $0 < start + 1 } }.max() ?? 0
    }

    /// A step is shorter than a thirtieth of the fastest shake; what repeats does so within a minute.
    private static let sample: Seconds = 0.002, span: Seconds = 65
}
