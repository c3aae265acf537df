import Glibc
import Geometry

extension Track {
    /// Its size, as a fraction of the frame.
    var apparentSize: Double { (box.width * box.height).squareRoot() }

    /// Updates the subject's salience, 0...1, smoothed over half a second. It is higher if the subject is large or near,
    /// central, in sight for a while, and speaking or looking at the camera. A person ranks above an object.
    mutating func updateSalience(at time: Seconds, elapsed: Seconds, scale: NearnessScale) {
        let center = rect.center
        let wide = kind == .person ? scale.size(apparentSize, distance: distance) : apparentSize
        let size = min(1, wide / 0.4)
        let dx = center.x - 0.5, dy = center.y - 0.5
        let centrality = exp(-2 * (dx * dx + dy * dy))
        let persistence = 1 - exp(-(time - born + 0.2) / 1.0)
        let attention = 0.25 * (attributes.speaking ?? 0) + 0.15 * (attributes.looking ?? 0)
        let freshness = isSeen ? 1 : exp(-(time - lastSeen) / 0.5)
        let now = (0.25 + 0.75 * size) * centrality * persistence * freshness * (0.6 + attention)
        let wanted = kind == .person ? now : 0.5 * now
        let share = salience == 0 ? 1 : 1 - exp(-elapsed / 0.5)
        salience += (wanted - salience) * share
    }
}
