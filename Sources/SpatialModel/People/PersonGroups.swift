/// Which person in one rig's picture is which in another's.
///
/// The cost of a pair is the median over the joints of the distance of their two rays. Pairs of two rigs are assigned;
/// with more rigs, the pairs are joined from the best on, and a group never has two people of one rig.
public enum PersonGroups {
    /// A person of a view: the numbers of the view, and of the person in it.
    public struct Member: Sendable, Hashable {
        /// The number of the view, and of the person in it.
        public var view: Int, person: Int
    }

    /// The largest cost of two sightings of one person, in metres.
    public static let largestCost = 0.3
    /// The least confidence of a joint that counts.
    static let leastConfidence = 0.5
    /// The least number of joints that two sightings must share.
    static let leastJoints = 3

    /// Returns the groups: each person of each view is in one, alone or with those of other views.
    public static func groups(_ views: [RigView]) -> [[Member]] {
        let rays = views.map { view in view.people.map { view.rays(to: $0, least: leastConfidence) } }
        var pairs: [(cost: Double, a: Member, b: Member)] = []
        for (a, mine) in rays.enumerated() {
            for (b, theirs) in rays.enumerated() where b > a {
                let costs = mine.map { one in theirs.map { cost(one, $0) } }
                for (row, column) in Assignment.columns(costs, most: largestCost).enumerated() {
                    guard let column else { continue }
                    pairs.append(
                        (costs[row][column], Member(view: a, person: row), Member(view: b, person: column)))
                }
            }
        }
        var groups = views.enumerated().flatMap { view in
            view.element.people.indices.map { [Member(view: view.offset, person: $0)] }
        }
        for pair in pairs.sorted(by: { $0.cost < $1.cost }) {
            guard let a = groups.firstIndex(where: { $0.contains(pair.a) }),
                let b = groups.firstIndex(where: { $0.contains(pair.b) }), a != b,
                Set(groups[a].map(\.view)).isDisjoint(with: groups[b].map(\.view))
            else { continue }
            groups[a] += groups[b]
            groups.remove(at: b)
        }
        return groups
    }

    /// Returns the median distance of the rays to the joints that both see, in metres; infinite if they share too few.
    static func cost(_ a: Joints<WeightedRay>, _ b: Joints<WeightedRay>) -> Double {
        let distances = a.present.compactMap { joint, mine in b[joint].map { mine.ray.distance(to: $0.ray) } }
        guard distances.count >= leastJoints else { return .infinity }
        let sorted = distances.sorted(), middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
