internal import Geometry

/// The things of a search. The list is the tracker: every picture that counts goes through it, and nothing else changes
/// where a thing is.
struct ThingList: Sendable, Equatable {
    private(set) var all: [Thing] = []
    private var lastID = 0
    private let mutant: FinderMutant?

    /// The most things.
    static let most = 64
    /// How many pictures may miss a thing that was seen once before it is dropped.
    private static let patience = 3
    /// Things whose bearings differ by less than this are the same, in radians.
    private static let near = Double.degrees(2)
    /// The share of a thing's place that something in front of it covers at least.
    private static let covers = 0.6
    /// From this overlap with its last box on, a thing that moves before a standing head is the same. The last box may be
    /// this old, in seconds, and the head this far from where it was, in radians.
    private static let follows = (overlap: 0.3, age: 0.5, way: Double.degrees(0.5))

    init(mutant: FinderMutant? = nil) { self.mutant = mutant }

    subscript(id: Int) -> Thing? {
        get { all.first { $0.id == id } }
        set {
            guard let place = all.firstIndex(where: { $0.id == id }) else { return }
            if let newValue { all[place] = newValue } else { all.remove(at: place) }
        }
    }

    /// Takes in a picture that was taken while the head stood.
    /// - Parameter kept: things that are not dropped, because someone waits for them.
    mutating func update(_ view: FinderView, at pose: PanTilt, through eye: FinderEye, keeping kept: Set<Int>) {
        var sightings = Sighting.all(in: view.boxes, through: eye, at: pose)
        if mutant == .ignoresTilt {
            sightings = Sighting.all(in: view.boxes, through: eye, at: .zero).map {
                var sighting = $0
                sighting.bearing = pose + $0.bearing
                return sighting
            }
        }
        let pairs = pairs(sightings, in: view, at: pose)
        for (sighting, thing) in pairs { all[thing].see(sightings[sighting], in: view, at: pose) }
        let (seen, used) = (Set(pairs.map(\.thing)), Set(pairs.map(\.sighting)))
        for place in all.indices where !seen.contains(place) { miss(place, sightings, view, pose, eye) }
        if mutant == .renewsVerdicts { for place in seen { all[place].verdicts.renew(now: view.time) } }
        for (place, sighting) in sightings.enumerated() where !used.contains(place) {
            guard mutant != .swallowsNeighbours || !isNearAny(sighting) else { continue }
            lastID += 1
            all.append(Thing(lastID, sighting, in: view, at: pose))
        }
        all.removeAll {
            $0.misses >= Self.patience && $0.support <= Self.patience && !kept.contains($0.id)
                && !$0.verdicts.isRejected(now: view.time)
        }
        dropOldest(keeping: kept)
    }

    private mutating func dropOldest(keeping kept: Set<Int>) {
        while all.count > Self.most {
            let free = all.indices.filter { !kept.contains(all[$0].id) }
            guard let oldest = free.min(by: { all[$0].lastSeen < all[$1].lastSeen }) else { return }
            all.remove(at: oldest)
        }
    }

    /// A thing that the picture should show, and does not.
    private mutating func miss(
        _ place: Int, _ sightings: [Sighting], _ view: FinderView, _ pose: PanTilt, _ eye: FinderEye
    ) {
        let thing = all[place]
        guard eye.shows(thing.bearing, at: pose, margin: 0.05),
            let rect = eye.rect(of: thing.bearing, width: thing.width, height: thing.height, at: pose)
        else { return }
        let isHidden = sightings.contains { sighting in
            guard !thing.labels.shares(sighting.labels), let common = sighting.rect.intersection(rect) else {
                return false
            }
            return common.area >= Self.covers * rect.area
        }
        if isHidden { all[place].hiddenAt = view.time } else { all[place].misses += 1 }
        if mutant == .emptiesBoxes {
            all[place].box?.rect = Rect(x: 0, y: 0, width: 0, height: 0)
            all[place].lastSeen = view.time
        } else if mutant != .keepsStaleBoxes {
            // The box stays for drawing until it is too old. After a miss the thing has no place in the picture.
            if !isHidden, all[place].misses > 1 { all[place].box = nil }
        }
    }

    /// Returns which sighting belongs to which thing, by their places in their lists, nearest first. Each belongs to
    /// one at most.
    private func pairs(
        _ sightings: [Sighting], in view: FinderView, at pose: PanTilt
    ) -> [(sighting: Int, thing: Int)] {
        struct Candidate { var sighting: Int, thing: Int, cost: Double }
        var candidates: [Candidate] = []
        for (number, sighting) in sightings.enumerated() {
            for (place, thing) in all.enumerated() {
                guard let cost = Self.cost(sighting, thing) ?? movedCost(sighting, thing, in: view, at: pose)
                else { continue }
                candidates.append(Candidate(sighting: number, thing: place, cost: cost))
            }
        }
        var pairs: [(sighting: Int, thing: Int)] = [], things: Set<Int> = [], taken: Set<Int> = []
        for candidate in candidates.sorted(by: { $0.cost < $1.cost })
        where !taken.contains(candidate.sighting) && !things.contains(candidate.thing) {
            pairs.append((candidate.sighting, candidate.thing))
            taken.insert(candidate.sighting)
            things.insert(candidate.thing)
        }
        return pairs
    }

    /// Returns how badly a sighting fits a thing, or nil if it does not.
    private static func cost(_ sighting: Sighting, _ thing: Thing) -> Double? {
        let angle = sighting.bearing.angle(to: thing.bearing)
        let widths = (min(sighting.width, thing.width), max(sighting.width, thing.width))
        let isCut = sighting.isCut || thing.isCut
        if thing.labels.shares(sighting.labels) {
            // The middle of what is visible is up to half the thing away from its middle.
            let gate = isCut ? 0.6 * widths.1 : widths.1 / 3
            return angle < max(near, gate) ? angle : nil
        }
        // A detector that changes its mind reports the same place and the same size under another label. What is in front
        // of a thing has another size.
        let fits = isCut ? angle < 0.6 * widths.1 : angle < max(near, widths.0 / 4) && widths.1 < 1.3 * widths.0
        return fits ? angle + 1 : nil
    }

    /// Returns how badly a sighting fits a thing that moves, or nil if it does not: between two pictures it covers a part of
    /// the place where it was.
    private func movedCost(_ sighting: Sighting, _ thing: Thing, in view: FinderView, at pose: PanTilt) -> Double? {
        guard mutant != .splitsMoving, thing.labels.shares(sighting.labels), let box = thing.box,
            view.time - box.time <= Self.follows.age, (pose - box.pose).magnitude <= Self.follows.way,
            box.rect.overlap(sighting.rect) >= Self.follows.overlap
        else { return nil }
        // What is where it was comes first.
        return sighting.bearing.angle(to: thing.bearing) + 1
    }

    /// For a deliberate bug: whether a thing is near in the picture, however small both are.
    private func isNearAny(_ sighting: Sighting) -> Bool {
        all.contains { $0.bearing.angle(to: sighting.bearing) < .degrees(10) }
    }
}
