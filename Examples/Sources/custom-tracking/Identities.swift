import Companion

/// Assigns identities from frame to frame: a minimal tracker. The nearest face keeps its number.
///
/// An app adds its own knowledge here: a recognised face, a marker, a ball.
struct Identities {
    private struct Known {
        var number: Int
        var center: Point
        var time: Seconds
    }

    private var known: [Known] = []
    private(set) var count = 0

    /// Largest motion of a face between frames, in frame widths, and the time after which a face counts as new.
    private static let reach = 0.15, reacquireTime: Seconds = 1

    /// Assigns numbers to the faces of one frame.
    mutating func observe(_ faces: [Detection], at time: Seconds) -> [Observation] {
        known.removeAll { time - $0.time > Self.reacquireTime }
        var free = Array(known.indices)
        return faces.sorted { $0.score > $1.score }.map { face in
            let center = face.rect.center
            let nearest = free.min { distance(known[$0].center, center) < distance(known[$1].center, center) }
            let index: Int
            if let nearest, distance(known[nearest].center, center) < Self.reach {
                index = nearest
                free.removeAll { $0 == nearest }
                (known[index].center, known[index].time) = (center, time)
            } else {
                index = known.count
                known.append(Known(number: count, center: center, time: time))
                count += 1
            }
            return Observation(
                identifier: known[index].number, rect: face.rect, faceYawAngle: face.yaw, score: face.score)
        }
    }

    private func distance(_ a: Point, _ b: Point) -> Double {
        ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
    }
}
