internal import Geometry

/// By how much the headings of rigs disagree, from the feet of people whom two of them see.
///
/// If two headings are wrong by 0.3 degrees in opposite ways, a person at 3 m whom rigs 2 m apart see is placed 5 cm too
/// near or too far, and hovers above the floor or sinks into it by 2 cm. The rigs are turned until the feet of people who
/// stand are on the floor. A wrong distance between the rigs shows in the same way, and the turn corrects most of it.
///
/// A detector does not see an ankle at its exact height, so only a part of the turn is applied, and it is bounded.
public struct RigAlignment: Sendable {
    private typealias Vector = RigidTransform.Vector

    private struct Pair: Sendable, Hashable { var first: String, second: String }

    /// The greatest turn of a rig, in radians.
    public static let largest: Double = .degrees(0.5)
    /// The part of the turn that the feet ask for: as much as an error of 0.3 degrees of each heading is likelier than one
    /// of 2 cm of the ankles' height.
    static let share = 0.5
    /// How much a sighting counts. One person who stands for ten seconds has shown most of the turn.
    static let gain = 0.01
    /// A person who is faster does not stand, in metres per second.
    static let slowest = 0.3
    /// Ankles that are farther from their height above the floor are on a chair or a step, or are not those of a person who
    /// stands, in metres.
    static let highest = 0.12
    /// Ankles that rise by less for a turn say nothing about it, in metres per radian.
    static let leastRise = 0.5
    /// The least sine of the angle between the rays.
    static let leastAngle = 0.2

    /// By how much the first rig of a pair should be turned to the right relative to the second, in radians.
    private var turns: [Pair: Double] = [:]

    /// Creates an alignment that turns no rig.
    public init() {}

    /// Returns by how much a rig is turned to the right, in radians.
    public func turn(of rig: String) -> Double {
        var sum = 0.0, count = 1.0
        for (pair, turn) in turns where pair.first == rig || pair.second == rig {
            sum += pair.first == rig ? turn : -turn
            count += 1
        }
        return (Self.share * sum / count).clamped(to: -Self.largest...Self.largest)
    }

    /// Returns the views with their cameras turned.
    public func aligned(_ views: [RigView]) -> [RigView] {
        views.map { view in
            var view = view
            let turn = RigidTransform.turn(right: self.turn(of: view.rig)), axes = view.camera.axes
            view.camera.axes = (turn.rotate(axes.x), turn.rotate(axes.y), turn.rotate(axes.z))
            return view
        }
    }

    /// Learns from people who were placed with aligned views.
    /// - Parameters:
    ///   - ankleHeight: the height of an ankle above the floor, in metres.
    ///   - now: the time of the placing, in seconds. People who were not seen then do not count.
    public mutating func learn(_ people: [RoomPerson], _ views: [RigView], ankleHeight: Double, now: Double) {
        for person in people where person.time == now && person.method == .triangulation && person.rigs.count == 2 {
            guard let foot = Self.foot(of: person),
                let first = views.first(where: { $0.rig == person.rigs[0] }),
                let second = views.first(where: { $0.rig == person.rigs[1] }),
                let rise = Self.rise(of: foot, first.camera.origin, second.camera.origin),
                abs(rise) >= Self.leastRise, abs(ankleHeight - foot.y) <= Self.highest
            else { continue }
            let pair = Pair(first: first.rig, second: second.rig), old = turns[pair] ?? 0
            let wanted = turn(of: first.rig) - turn(of: second.rig) + (ankleHeight - foot.y) / rise
            let most = 2 * Self.largest / Self.share
            turns[pair] = (old + (wanted - old) * Self.gain).clamped(to: -most...most)
        }
    }

    /// Forgets a rig. It may stand elsewhere when it returns.
    public mutating func forget(_ rig: String) {
        turns = turns.filter { $0.key.first != rig && $0.key.second != rig }
    }

    /// Returns the middle of the ankles of a person who stands, or nil.
    private static func foot(of person: RoomPerson) -> Vector? {
        let speeds = person.velocities.present.map(\.value)
        guard let left = person.joints[.leftAnkle], let right = person.joints[.rightAnkle], !speeds.isEmpty,
            min(left.confidence, right.confidence) >= PersonPlacing.leastAnkle
        else { return nil }
        let speed = speeds.reduce(.zero, +) / Double(speeds.count)
        guard (speed * speed).sum() <= slowest * slowest else { return nil }
        return (left.place + right.place) / 2
    }

    /// Returns how much the place where two rays meet rises for each radian of a turn, of which each camera does one half:
    /// the first to the right, the second to the left. The result is nil if the rays are nearly parallel.
    private static func rise(of place: Vector, _ first: Vector, _ second: Vector) -> Double? {
        let a = place - first, b = place - second
        let farA = a.x * a.x + a.z * a.z, farB = b.x * b.x + b.z * b.z, area = a.x * b.z - a.z * b.x
        guard area * area > leastAngle * leastAngle * farA * farB else { return nil }
        // Each turn moves its ray across itself; the place follows to where both meet. It rises along the rays.
        let x = (farA * b.x + farB * a.x) / (2 * area), z = (farA * b.z + farB * a.z) / (2 * area)
        return (a.y * (a.x * x + a.z * z) / farA + b.y * (b.x * x + b.z * z) / farB) / 2
    }
}
