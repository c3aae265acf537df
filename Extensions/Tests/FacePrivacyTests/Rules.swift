import Codecs
import Geometry

@testable import FacePrivacy

/// What a picture shows that left a line, and what it should show.
struct Left: Sendable {
    var frame: Int
    var verdict: FrameVerdict
    var faces: [Rect]
    var picture: PlanarPicture
}

/// The rules that every picture and every clip must keep. They do not depend on how a verdict is made.
enum Rules {
    /// Neighbouring samples are as different as can be, so every sample that is not covered shows it.
    static let dark: UInt8 = 16, bright: UInt8 = 240

    static let original: PlanarPicture? = {
        let (width, height) = Clip.size
        var bytes: [UInt8] = []
        for (across, down) in [(width, height), (width / 2, height / 2), (width / 2, height / 2)] {
            for y in 0..<down { for x in 0..<across { bytes.append((x + y).isMultiple(of: 2) ? dark : bright) } }
        }
        return PlanarPicture(width: width, height: height, bytes: bytes)
    }()

    /// Returns what is wrong with a picture, or nil.
    static func objection(to left: Left) -> String? {
        switch left.verdict {
        case .clear:
            return left.faces.contains { $0.intersection(.full) != nil } ? "a picture with a face is called clear" : nil
        case .open: return "a picture is open although faces are to be covered"
        case .whole: return bare(Rect.full, left.picture).map { "a whole picture is bare at \($0)" }
        case .faces(let areas):
            if areas.isEmpty { return "there is no area to cover" }
            return left.faces.lazy.compactMap { bare($0, left.picture) }.first.map { "a face is bare at \($0)" }
        }
    }

    /// Returns what is wrong with a run, or nil: every picture leaves once and in its order, and not more of them than
    /// necessary are covered as a whole.
    static func objection(to frames: [Int], wholes: Int, in clip: Clip) -> String? {
        guard frames == Array(0..<clip.frames) else { return "pictures are missing, or in another order" }
        return wholes > clip.wholes ? "\(wholes) pictures are covered as a whole" : nil
    }

    /// Returns a sample of a rectangle that is not covered, or nil. A sample of colour belongs to four pixels; it must
    /// be covered if one of them is in the rectangle.
    private static func bare(_ rect: Rect, _ picture: PlanarPicture) -> String? {
        let (across, down) = (Double(picture.width), Double(picture.height))
        let left = max(0, Int((rect.x * across).rounded(.down))), top = max(0, Int((rect.y * down).rounded(.down)))
        let right = min(picture.width, Int((rect.maxX * across).rounded(.up)))
        let bottom = min(picture.height, Int((rect.maxY * down).rounded(.up)))
        guard left < right, top < bottom else { return nil }
        for plane in PlanarPicture.Plane.allCases {
            let shift = plane == .luma ? 0 : 1
            let start = picture.offset(of: plane), stride = picture.width(of: plane)
            let columns = left >> shift..<((right - 1) >> shift) + 1
            for row in top >> shift..<((bottom - 1) >> shift) + 1 {
                let first = start + row * stride
                let samples = picture.bytes[first + columns.lowerBound..<first + columns.upperBound]
                if let place = samples.firstIndex(where: { $0 == dark || $0 == bright }) {
                    return "\(place - first), \(row) of plane \(plane)"
                }
            }
        }
        return nil
    }
}
