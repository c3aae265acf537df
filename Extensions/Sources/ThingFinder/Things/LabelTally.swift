internal import Geometry

/// What a detector has called a thing, and how surely.
struct LabelTally: Sendable, Equatable {
    /// The last scores of each label, newest last, and when it was last given.
    private var scores: [String: [Double]] = [:]
    private var times: [String: Seconds] = [:]
    /// The poses from which each label was given, in radians, with the last score from there.
    private var looks: [String: [Look]] = [:]

    private struct Look: Sendable, Equatable { var pose: PanTilt, score: Double }

    /// The most labels of a thing, the most scores of a label, and the most poses.
    private static let most = 8, mostScores = 5
    static let mostLooks = 4
    /// Poses that differ by less than this are one look, in radians: the head ends so far from where it was sent.
    static let sameLook = Double.degrees(3)

    /// Creates the tally of a first sighting.
    init(_ labels: [String: Double], time: Seconds, from pose: PanTilt) { add(labels, time: time, from: pose) }

    /// Adds the labels of a sighting from a pose.
    mutating func add(_ labels: [String: Double], time: Seconds, from pose: PanTilt) {
        // In a fixed order, so that the same pictures always give the same tally.
        for (label, score) in labels.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            guard scores[label] != nil || scores.count < Self.most else { continue }
            scores[label, default: []].append(score)
            times[label] = time
            if scores[label, default: []].count > Self.mostScores { scores[label]?.removeFirst() }
            var all = looks[label, default: []].filter { ($0.pose - pose).magnitude >= Self.sameLook }
            all.append(Look(pose: pose, score: score))
            looks[label] = Array(all.sorted { $0.score > $1.score }.prefix(Self.mostLooks))
        }
    }

    /// Returns the poses from which a label that fits was given, in radians, surest first.
    func poses(where fits: (String) -> Bool) -> [PanTilt] {
        let all = looks.filter { fits($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value)
        return Array(all.sorted { $0.score > $1.score }.map(\.pose).prefix(Self.mostLooks))
    }

    /// Whether both have a label in common.
    func shares(_ labels: [String: Double]) -> Bool { labels.keys.contains { scores[$0] != nil } }

    /// The best score of a label that fits, or nil if none does.
    func best(where fits: (String) -> Bool) -> Double? {
        scores.filter { fits($0.key) }.values.compactMap { $0.max() }.max()
    }

    /// The median of the last scores of a label that fits, with zeros in place of scores that are missing from three.
    func median(where fits: (String) -> Bool) -> Double {
        let all = scores.filter { fits($0.key) }.values.map { last -> Double in
            let padded = (last + Array(repeating: 0, count: max(0, 3 - last.count))).sorted()
            return padded[padded.count / 2]
        }
        return all.max() ?? 0
    }

    /// When a label that fits was last given, CLOCK_MONOTONIC, or nil if none was.
    func last(where fits: (String) -> Bool) -> Seconds? { times.filter { fits($0.key) }.values.max() }

    /// The label that was seen most often; of several the surest.
    var usual: String {
        let rows = scores.map { (count: $0.value.count, score: $0.value.max() ?? 0, label: $0.key) }
        return rows.max { ($0.count, $0.score, $1.label) < ($1.count, $1.score, $0.label) }?.label ?? ""
    }
}
