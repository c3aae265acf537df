/// A half line of the room: from a camera through a point of its picture.
public struct Ray: Sendable, Equatable {
    /// A place or a direction.
    public typealias Vector = RigidTransform.Vector

    /// Where it begins, in metres.
    public var origin: Vector
    /// Where it goes; a unit vector.
    public let direction: Vector

    /// Creates a ray. The direction may have any length but 0.
    public init(origin: Vector, direction: Vector) {
        self.origin = origin
        self.direction = direction / (direction * direction).sum().squareRoot()
    }

    /// Returns the place at a distance from the origin, in metres.
    public func place(at distance: Double) -> Vector { origin + direction * distance }

    /// Returns how far along the ray it comes nearest to a place, in metres; below 0 is behind the origin.
    public func reach(of place: Vector) -> Double { ((place - origin) * direction).sum() }

    /// Returns the distance of a place from the ray, in metres.
    public func distance(to place: Vector) -> Double {
        let offset = place - self.place(at: max(0, reach(of: place)))
        return (offset * offset).sum().squareRoot()
    }

    /// Returns the smallest distance between two rays, in metres. Rays that come together only behind an origin are as
    /// far apart as that origin and the other ray.
    public func distance(to other: Ray) -> Double {
        let offset = other.origin - origin, cosine = (direction * other.direction).sum()
        let along = (offset * direction).sum(), back = (offset * other.direction).sum()
        let determinant = 1 - cosine * cosine
        guard determinant > 1e-9 else { return distance(to: other.origin) }
        let mine = (along - cosine * back) / determinant, theirs = (cosine * along - back) / determinant
        guard mine >= 0 else { return other.distance(to: origin) }
        guard theirs >= 0 else { return distance(to: other.origin) }
        let gap = place(at: mine) - other.place(at: theirs)
        return (gap * gap).sum().squareRoot()
    }

    /// Returns the place where the ray meets a level plane at a height, or nil if it does not within `reach` metres.
    public func meets(height: Double, within reach: Double) -> Vector? {
        let way = (height - origin.y) / direction.y
        guard way.isFinite, way > 0, way <= reach else { return nil }
        return place(at: way)
    }

    /// Returns the place where the ray meets the plane through a place with a normal, or nil if it does not.
    public func meets(planeThrough place: Vector, normal: Vector) -> Vector? {
        let slope = (direction * normal).sum(), way = ((place - origin) * normal).sum() / slope
        guard way.isFinite, way > 0 else { return nil }
        return self.place(at: way)
    }

    /// Returns the place that is nearest to weighted rays, in the sense of the least squares of their distances; nil if
    /// fewer than two count or they are parallel.
    public static func meeting(of rays: [(ray: Ray, weight: Double)]) -> Vector? {
        var equations = NormalEquations()
        for (ray, weight) in rays where weight > 0 {
            let d = ray.direction
            // The projection across the ray.
            let rows = [Vector(1, 0, 0) - d * d.x, Vector(0, 1, 0) - d * d.y, Vector(0, 0, 1) - d * d.z]
            for row in rows { equations.add(row, (row * ray.origin).sum(), weight: weight) }
        }
        return rays.count(where: { $0.weight > 0 }) >= 2 ? equations.solution : nil
    }
}

/// Weighted least squares with three unknowns: the sums over all equations, and their solution.
struct NormalEquations: Sendable {
    typealias Vector = RigidTransform.Vector

    private var x = Vector.zero, y = Vector.zero, z = Vector.zero, right = Vector.zero

    /// Adds the equation row * unknowns = value.
    mutating func add(_ row: Vector, _ value: Double, weight: Double) {
        x += row * (row.x * weight)
        y += row * (row.y * weight)
        z += row * (row.z * weight)
        right += row * (value * weight)
    }

    /// The unknowns, or nil if the equations do not determine them.
    var solution: Vector? {
        let determinant = Self.determinant(x, y, z), size = x.x + y.y + z.z
        guard abs(determinant) > 1e-9 * size * size * size, size > 0 else { return nil }
        // The matrix is symmetric, so its rows are its columns.
        return Vector(
            Self.determinant(right, y, z), Self.determinant(x, right, z), Self.determinant(x, y, right))
            / determinant
    }

    private static func determinant(_ a: Vector, _ b: Vector, _ c: Vector) -> Double {
        a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x) + a.z * (b.x * c.y - b.y * c.x)
    }
}
