internal import Geometry

/// Where people are, from what the rigs see of them: triangulated where two rigs see a person, else from the feet on the
/// floor, else from the size of the body.
public struct PersonPlacing: Sendable {
    /// The height of an ankle above the floor, in metres: 0.039 of the stature (Drillis and Contini, 1966), here of 1.7 m.
    public var ankleHeight = 0.066
    /// The size of a person beside the average, for the placing by size.
    public var size = 1.0

    /// The least confidence of a joint that is triangulated, and the largest angle between a ray and the place, in
    /// radians: 15 pixels at a focal length of 600.
    static let leastConfidence = 0.3, largestAngle = 0.025
    /// The largest distance of a ray from the joint's place, root of the mean square, in metres.
    static let largestError = 0.1
    /// The least confidence of an ankle that stands on the floor.
    static let leastAnkle = 0.5
    /// How far away a person is placed at most, in metres.
    static let farthest = 15.0
    /// The least number of joints of a person that is placed.
    static let leastJoints = 3

    /// Creates a placing for people of average size.
    public init() {}

    /// Returns the people that the views show, each once.
    public func people(_ views: [RigView]) -> [PlacedPerson] {
        PersonGroups.groups(views).compactMap { members in
            let seen = members.map { (view: views[$0.view], person: views[$0.view].people[$0.person]) }
            if seen.count > 1, let person = triangulated(seen) { return person }
            return seen.lazy.compactMap { alone($0.view, $0.person) }.first
        }
    }

    private func triangulated(_ seen: [(view: RigView, person: SeenPerson)]) -> PlacedPerson? {
        let rays = seen.map { $0.view.rays(to: $0.person, least: Self.leastConfidence) }
        var joints = Joints<PlacedPerson.PlacedJoint>()
        for joint in Joint.allCases { joints[joint] = Self.meeting(rays.compactMap { $0[joint] }) }
        guard joints.present.count >= Self.leastJoints else { return nil }
        return PlacedPerson(joints: joints, method: .triangulation, rigs: seen.map(\.view.rig).sorted())
    }

    /// Returns where rays meet, or nil if they do not. While they do not fit and there are more than two, the ray without
    /// which the others fit best is left out.
    static func meeting(_ rays: [WeightedRay]) -> PlacedPerson.PlacedJoint? {
        guard rays.count >= 2, let place = nearest(to: rays) else { return nil }
        if rays.count > 2, misfit(rays, place) > largestAngle {
            let fewer = rays.indices.map { left in rays.indices.filter { $0 != left }.map { rays[$0] } }
            let best = fewer.min { a, b in misfit(a, nearest(to: a)) < misfit(b, nearest(to: b)) }
            return best.flatMap { meeting($0) }
        }
        let squares = rays.map { ray in
            let distance = ray.ray.distance(to: place)
            return distance * distance
        }
        let error = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
        let isAhead = rays.allSatisfy { (0...farthest).contains($0.ray.reach(of: place)) }
        guard error <= largestError, isAhead else { return nil }
        return PlacedPerson.PlacedJoint(place, confidence: rays.map(\.confidence).min() ?? 0)
    }

    /// Returns the largest angle between a ray and the direction from its origin to a place, in radians, for small
    /// angles; infinite without a place.
    private static func misfit(_ rays: [WeightedRay], _ place: RigidTransform.Vector?) -> Double {
        guard let place else { return .infinity }
        return rays.map { $0.ray.distance(to: place) / max($0.ray.reach(of: place), 0.1) }.max() ?? 0
    }

    /// An error in the picture counts the same for a near camera and a far one, so the distance from a ray is weighted
    /// with the distance from its camera. Two rounds settle it.
    private static func nearest(to rays: [WeightedRay]) -> RigidTransform.Vector? {
        var place = Ray.meeting(of: rays.map { ($0.ray, $0.confidence) })
        for _ in 0..<2 {
            guard let known = place else { return nil }
            place = Ray.meeting(
                of: rays.map { ray in
                    let reach = max(ray.ray.reach(of: known), 0.1)
                    return (ray.ray, ray.confidence / (reach * reach))
                })
        }
        return place
    }

    private func alone(_ view: RigView, _ person: SeenPerson) -> PlacedPerson? {
        let rays = view.rays(to: person, least: Self.leastConfidence)
        let ways: [(PlacedPerson.Method, Joints<PlacedPerson.PlacedJoint>?)] = [
            (.floor, onFloor(view, rays)), (.bodySize, bySize(view, person)),
        ]
        for (method, joints) in ways {
            guard let joints, joints.present.count >= Self.leastJoints else { continue }
            return PlacedPerson(joints: joints, method: method, rigs: [view.rig])
        }
        return nil
    }

    /// Places a person who stands upright where the rays to the ankles meet the floor.
    private func onFloor(_ view: RigView, _ rays: Joints<WeightedRay>) -> Joints<PlacedPerson.PlacedJoint>? {
        let feet = [Joint.leftAnkle, .rightAnkle].compactMap { joint -> RigidTransform.Vector? in
            guard let ray = rays[joint], ray.confidence >= Self.leastAnkle else { return nil }
            return ray.ray.meets(height: ankleHeight, within: Self.farthest)
        }
        guard !feet.isEmpty else { return nil }
        let foot = feet.reduce(.zero, +) / Double(feet.count)
        // The upright plane through the feet that faces the camera.
        var facing = foot - view.camera.origin
        facing.y = 0
        var joints = Joints<PlacedPerson.PlacedJoint>()
        for (joint, ray) in rays.present {
            guard let place = ray.ray.meets(planeThrough: foot, normal: facing) else { continue }
            joints[joint] = PlacedPerson.PlacedJoint(place, confidence: ray.confidence)
        }
        return joints
    }

    /// Moves a body of known size to where its joints appear as they were seen, in the sense of least squares.
    private func bySize(_ view: RigView, _ person: SeenPerson) -> Joints<PlacedPerson.PlacedJoint>? {
        var equations = NormalEquations(), count = 0
        for (joint, seen) in person.joints.present where seen.confidence >= Self.leastConfidence {
            guard let body = person.shape[joint], let ray = view.lens.ray(through: seen.point, from: .identity)
            else { continue }
            // In the camera's axes it looks along -z: (x + tx) / -(z + tz) = u, and so for y.
            let part = body * size, u = -ray.direction.x / ray.direction.z, v = -ray.direction.y / ray.direction.z
            equations.add(RigidTransform.Vector(1, 0, u), -part.x - u * part.z, weight: seen.confidence)
            equations.add(RigidTransform.Vector(0, 1, v), -part.y - v * part.z, weight: seen.confidence)
            count += 1
        }
        guard count >= Self.leastJoints, let hips = equations.solution, hips.z < 0, -hips.z <= Self.farthest
        else { return nil }
        var joints = Joints<PlacedPerson.PlacedJoint>()
        for (joint, body) in person.shape.present {
            guard let seen = person.joints[joint] else { continue }
            joints[joint] = PlacedPerson.PlacedJoint(
                view.camera.place(body * size + hips), confidence: seen.confidence)
        }
        return joints
    }
}
