import Geometry

/// Estimates how far the whole picture has moved since the previous frame although nothing reported it: the camera is in
/// a hand or on a vehicle, vibrates, or turns with a head whose pose is unknown.
///
/// If the camera moves, all subjects are beside their predictions by the same distance. A shift is assumed only if it
/// explains the frame much better than none, because people who start to walk together look similar.
struct CommonShift: Sendable {
    /// A detection that may be a voter's, relative to its prediction, in frame widths and heights.
    private struct Candidate {
        var voter: Int
        var offset: Vector
        /// The squared distance from where it is expected, in sizes.
        var distance: Double
    }

    private struct Vector: Equatable {
        var x = 0.0, y = 0.0
    }

    /// A well-known subject whose detection shows the shift.
    private struct Voter {
        var width: Double, height: Double
        /// The variances of its predicted place, including the detector's noise, in squared sizes.
        var varianceX: Double, varianceY: Double
    }

    /// The least and the greatest number of voters, and the number of detections that are examined for each.
    private static let fewest = 3, most = 32, choices = 8
    /// The number of hits that makes a subject well known, and how long ago it may have been seen, in seconds.
    private static let hits = 3, freshness: Seconds = 0.3
    /// The distances within which a detection may be a voter's, in sizes, from the first attempt to the last.
    private static let reaches = [2.0, 1.2, 0.8, 0.6]
    /// The distance at which the cost of a voter is judged, in sizes, and the upper bound of that cost, in squared
    /// deviations.
    private static let judged = 1.5, mostCost = 9.0
    /// How much lower the cost must be with a shift than without one.
    private static let gain = 10.0
    /// The part of a shift that is expected to continue if the last two had the same direction.
    private static let continuing = 0.9

    /// The last two shifts, the newest first.
    private var last = (Vector(), Vector())
    private var voters: [Voter] = []
    private var candidates: [Candidate] = []
    private var xs: [Double] = [], ys: [Double] = []

    /// Returns the shift between the tracks' predictions and a frame. It is zero unless several subjects show it.
    mutating func estimate(
        _ tracks: [Track], _ detections: [Detection], at time: Seconds, period: Seconds, motion: TrackerOptions.Motion
    ) -> PictureShift {
        let rest = Vector()
        let expected = Vector(x: Self.continued(last.0.x, last.1.x), y: Self.continued(last.0.y, last.1.y))
        gather(tracks, detections, expected, since: time - max(Self.freshness, 2.5 * period), motion)
        var shift = rest
        if voters.count >= Self.fewest {
            var least = cost(of: rest)
            // No shift can cost less than nothing.
            if least > Self.gain {
                for start in expected == rest ? [rest] : [rest, expected] {
                    guard let found = settle(from: start) else { continue }
                    let cost = cost(of: found) + Self.gain
                    if cost < least { (least, shift) = (cost, found) }
                }
            }
        }
        last = (shift, last.0)
        return PictureShift(dx: shift.x, dy: shift.y)
    }

    private static func continued(_ newest: Double, _ before: Double) -> Double {
        newest * before > 0 ? continuing * (abs(newest) < abs(before) ? newest : before) : 0
    }

    /// Collects the voters and the detections near each of them.
    private mutating func gather(
        _ tracks: [Track], _ detections: [Detection], _ expected: Vector, since oldest: Seconds,
        _ motion: TrackerOptions.Motion
    ) {
        voters.removeAll(keepingCapacity: true)
        candidates.removeAll(keepingCapacity: true)
        let noise = 1.5 * motion.centreNoise
        for track in tracks where track.isConfirmed && track.hits >= Self.hits && track.lastSeen >= oldest {
            if voters.count == Self.most { return }
            let box = track.box
            voters.append(
                Voter(
                    width: box.width, height: box.height,
                    varianceX: box.x.p00 / (box.width * box.width) + noise * noise,
                    varianceY: box.y.p00 / (box.height * box.height) + noise * noise))
            collect(detections, of: track, expected)
        }
    }

    private mutating func collect(_ detections: [Detection], of track: Track, _ expected: Vector) {
        let first = candidates.count, voter = voters[voters.count - 1]
        for detection in detections where detection.kind == track.kind && detection.isUsable {
            let center = detection.rect.center
            let offset = Vector(x: center.x - track.box.x.position, y: center.y - track.box.y.position)
            let distance = min(
                Self.distance(offset, Vector(), voter), Self.distance(offset, expected, voter))
            guard distance < Self.reaches[0] * Self.reaches[0] else { continue }
            let ratio = detection.rect.area / (voter.width * voter.height)
            guard ratio > 0.5, ratio < 2 else { continue }
            let candidate = Candidate(voter: voters.count - 1, offset: offset, distance: distance)
            if candidates.count - first < Self.choices {
                candidates.append(candidate)
            } else if let worst = (first..<candidates.count).max(by: {
                candidates[$0].distance < candidates[$1].distance
            }), distance < candidates[worst].distance {
                candidates[worst] = candidate
            }
        }
    }

    /// Moves a shift to the median of what the voters show, in four steps. Returns nil if too few of them show any.
    private mutating func settle(from start: Vector) -> Vector? {
        var shift = start
        for reach in Self.reaches {
            xs.removeAll(keepingCapacity: true)
            ys.removeAll(keepingCapacity: true)
            forEachNearest(to: shift, within: reach) { offset, _, _ in
                xs.append(offset.x)
                ys.append(offset.y)
            }
            guard xs.count >= Self.fewest, 2 * xs.count >= voters.count else { return nil }
            shift = Vector(x: Self.median(&xs), y: Self.median(&ys))
        }
        return shift
    }

    /// Returns the cost of a shift: the squared deviations of all voters, of which each has an upper bound.
    private func cost(of shift: Vector) -> Double {
        var sum = 0.0, near = 0
        forEachNearest(to: shift, within: Self.judged) { offset, voter, _ in
            let dx = (offset.x - shift.x) / voter.width, dy = (offset.y - shift.y) / voter.height
            sum += min(dx * dx / voter.varianceX + dy * dy / voter.varianceY, Self.mostCost)
            near += 1
        }
        return sum + Double(voters.count - near) * Self.mostCost
    }

    /// Calls `body` for each voter that has a detection within `reach` sizes of its shifted prediction, with the nearest
    /// one.
    private func forEachNearest(
        to shift: Vector, within reach: Double, _ body: (Vector, Voter, Double) -> Void
    ) {
        var index = 0
        for voter in voters.indices {
            var best: (offset: Vector, distance: Double)?
            while index < candidates.count, candidates[index].voter == voter {
                let distance = Self.distance(candidates[index].offset, shift, voters[voter])
                if distance < reach * reach, best.map({ distance < $0.distance }) ?? true {
                    best = (candidates[index].offset, distance)
                }
                index += 1
            }
            if let best { body(best.offset, voters[voter], best.distance) }
        }
    }

    /// The squared distance of an offset from a shift, in sizes.
    private static func distance(_ offset: Vector, _ shift: Vector, _ voter: Voter) -> Double {
        let dx = (offset.x - shift.x) / voter.width, dy = (offset.y - shift.y) / voter.height
        return dx * dx + dy * dy
    }

    private static func median(_ values: inout [Double]) -> Double {
        values.heapSort(by: <)
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle])
    }
}
