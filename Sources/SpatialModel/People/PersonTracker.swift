/// A person of the room over time.
public struct RoomPerson: Sendable, Equatable {
    /// The person's number, which is never used again.
    public let number: Int
    /// Where the joints are now, smoothed.
    public internal(set) var joints: Joints<PlacedPerson.PlacedJoint>
    /// How fast each joint moves, in metres per second.
    public internal(set) var velocities: Joints<RigidTransform.Vector>
    /// When the person was last seen, in seconds.
    public internal(set) var time: Double
    /// How the person was placed last.
    public internal(set) var method: PlacedPerson.Method
    /// The rigs that saw the person last.
    public internal(set) var rigs: [String]

    /// The number as a name: `person-007`.
    public var name: String {
        let digits = String(number)
        return "person-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }

    /// Returns the middle of the person, carried on to a time.
    func middle(at now: Double) -> RigidTransform.Vector? {
        let placed = PlacedPerson(joints: joints, method: method, rigs: rigs)
        guard let middle = placed.middle else { return nil }
        let speeds = velocities.present.map(\.value)
        guard !speeds.isEmpty else { return middle }
        return middle + speeds.reduce(.zero, +) / Double(speeds.count) * min(now - time, PersonTracker.carried)
    }
}

/// Gives people numbers that they keep from one moment to the next, and smooths their joints.
public struct PersonTracker: Sendable {
    private var tracks: [(person: RoomPerson, misses: Int)] = []
    private var lastNumber = 0

    /// A person is looked for within this distance of where they are expected, in metres.
    static let nearest = 0.6
    /// A person who is not seen this many times in a row is lost.
    static let mostMisses = 5
    /// A lost person who appears again within this time (in seconds) and distance (in metres) is the same.
    static let reacquireTime = 2.0, farthestReturn = 1.0
    /// For how long a person moves on unseen, in seconds.
    static let carried = 0.3
    /// How much a new sighting changes a joint's place, and its velocity, 0...1. A joint that moves evenly is not late.
    static let placeGain = 0.6, velocityGain = 0.3

    /// Creates a tracker without people.
    public init() {}

    /// Receives the people of one moment, in seconds. Returns those who are there; the ones not seen now are where they
    /// were, until they count as lost.
    public mutating func update(_ people: [PlacedPerson], now: Double) -> [RoomPerson] {
        tracks.removeAll { now - $0.person.time > Self.reacquireTime }
        var free = people.indices.filter { people[$0].middle != nil }
        let there = tracks.indices.filter { tracks[$0].misses < Self.mostMisses }
        let lost = tracks.indices.filter { tracks[$0].misses >= Self.mostMisses }
        for index in there { tracks[index].misses += 1 }
        for (candidates, distance) in [(there, Self.nearest), (lost, Self.farthestReturn)] {
            let found = match(candidates, people, free, within: distance, now: now)
            for (track, place) in found {
                tracks[track].person.see(people[place], now: now)
                tracks[track].misses = 0
            }
            free.removeAll { place in found.contains { $0.place == place } }
        }
        for place in free {
            lastNumber += 1
            tracks.append((RoomPerson(number: lastNumber, people[place], now: now), 0))
        }
        return tracks.filter { $0.misses < Self.mostMisses }.map(\.person).sorted { $0.number < $1.number }
    }

    private func match(
        _ candidates: [Int], _ people: [PlacedPerson], _ free: [Int], within distance: Double, now: Double
    ) -> [(track: Int, place: Int)] {
        let costs = candidates.map { track in
            free.map { place in
                guard let a = tracks[track].person.middle(at: now), let b = people[place].middle else {
                    return Double.infinity
                }
                return ((a - b) * (a - b)).sum().squareRoot()
            }
        }
        return zip(candidates, Assignment.columns(costs, most: distance)).compactMap { track, column in
            column.map { (track, free[$0]) }
        }
    }
}

extension RoomPerson {
    init(number: Int, _ placed: PlacedPerson, now: Double) {
        (self.number, joints, velocities) = (number, placed.joints, Joints())
        (time, method, rigs) = (now, placed.method, placed.rigs)
    }

    /// Receives a sighting: a filter of constant velocity for each joint.
    mutating func see(_ placed: PlacedPerson, now: Double) {
        let step = now - time
        guard step > 0 else { return }
        var new = Joints<PlacedPerson.PlacedJoint>(), speeds = Joints<RigidTransform.Vector>()
        for (joint, seen) in placed.joints.present {
            guard let old = joints[joint] else {
                new[joint] = seen
                continue
            }
            let speed = velocities[joint] ?? .zero, expected = old.place + speed * step
            let surprise = seen.place - expected
            new[joint] = PlacedPerson.PlacedJoint(
                expected + surprise * PersonTracker.placeGain, confidence: seen.confidence)
            speeds[joint] = speed + surprise * (PersonTracker.velocityGain / step)
        }
        (joints, velocities, time) = (new, speeds, now)
        (method, rigs) = (placed.method, placed.rigs)
    }
}
