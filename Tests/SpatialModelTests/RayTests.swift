import SpatialModel
import Testing

/// Rays, and where they meet.
@Suite struct RayTests {
    @Test func `two rays are as far apart as their nearest points`() {
        let a = Ray(origin: [0, 0, 0], direction: [1, 0, 0]), b = Ray(origin: [5, 2, -3], direction: [0, 0, 4])
        #expect(abs(a.distance(to: b) - 2) < 1e-12 && abs(b.distance(to: a) - 2) < 1e-12)
        // They would cross behind an origin.
        let away = Ray(origin: [5, 2, 3], direction: [0, 0, 1])
        #expect(abs(a.distance(to: away) - (4.0 + 9).squareRoot()) < 1e-12)
        // Parallel ones.
        #expect(abs(a.distance(to: Ray(origin: [1, 3, 4], direction: [2, 0, 0])) - 5) < 1e-9)
    }

    @Test func `rays meet where they pass, and parallel ones do not`() throws {
        let place: Ray.Vector = [0.3, 1.5, -2]
        let origins: [Ray.Vector] = [[0, 0, 0], [2, 1, 0], [-1, 0.5, -4]]
        let rays = origins.map { (Ray(origin: $0, direction: place - $0), 1.0) }
        let met = try #require(Ray.meeting(of: rays)), off = met - place
        #expect((off * off).sum() < 1e-20)
        #expect(Ray.meeting(of: [rays[0]]) == nil)
        #expect(Ray.meeting(of: [rays[0], (rays[1].0, 0)]) == nil)
        let beside = Ray(origin: [1, 0, 0], direction: rays[0].0.direction)
        #expect(Ray.meeting(of: [rays[0], (beside, 1)]) == nil)
    }

    @Test func `a ray meets the floor ahead of it, and not too far away`() throws {
        let ray = Ray(origin: [0, 1.5, 0], direction: [0, -1, -2])
        let foot = try #require(ray.meets(height: 0, within: 10))
        #expect(abs(foot.z + 3) < 1e-12 && abs(foot.y) < 1e-12)
        #expect(ray.meets(height: 0, within: 3) == nil)
        #expect(ray.meets(height: 2, within: 10) == nil)
        #expect(Ray(origin: [0, 1.5, 0], direction: [0, 0, -1]).meets(height: 0, within: 10) == nil)
    }
}
