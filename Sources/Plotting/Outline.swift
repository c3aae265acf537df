/// Reduces a line to what a screen can show: no more points than its pixels need, but every peak.
enum Outline {
    /// Deviations below this are invisible, pixels.
    static let tolerance = 0.12

    /// The runs of a line between gaps, in pixels. Of all points in one column of pixels, the first, the last, the highest and
    /// the lowest are kept; of these, points on the straight line between their neighbours are removed.
    static func runs(of points: [Plot.Point]) -> [[Plot.Point]] {
        points.split { !$0.y.isFinite || !$0.x.isFinite }.map { simplified(columns(Array($0))) }
    }

    /// Each value holds until the next one.
    static func steps(_ points: [Plot.Point]) -> [Plot.Point] {
        var steps: [Plot.Point] = []
        for point in points {
            if let last = steps.last, last.y.isFinite { steps.append(Plot.Point(point.x, last.y)) }
            steps.append(point)
        }
        return steps
    }

    private static func columns(_ points: [Plot.Point]) -> [Plot.Point] {
        var kept: [Plot.Point] = [], start = 0
        while start < points.count {
            let column = points[start].x.rounded(.down)
            var end = start, low = start, high = start
            while end < points.count, points[end].x.rounded(.down) == column {
                if points[end].y < points[low].y { low = end }
                if points[end].y > points[high].y { high = end }
                end += 1
            }
            for index in Set([start, low, high, end - 1]).sorted() { kept.append(points[index]) }
            start = end
        }
        return kept
    }

    /// Splits the line at the point farthest from its chord, until no point is farther than the tolerance.
    private static func simplified(_ points: [Plot.Point]) -> [Plot.Point] {
        guard points.count > 2 else { return points }
        var keep = [Bool](repeating: false, count: points.count), open = [(0, points.count - 1)]
        keep[0] = true
        keep[points.count - 1] = true
        while let (first, last) = open.popLast() {
            guard last - first > 1 else { continue }
            let a = points[first], b = points[last]
            let dx = b.x - a.x, dy = b.y - a.y, length = (dx * dx + dy * dy).squareRoot()
            var farthest = first, distance = tolerance
            for index in first + 1..<last {
                let x = points[index].x - a.x, y = points[index].y - a.y
                let away = length > 0 ? abs(x * dy - y * dx) / length : (x * x + y * y).squareRoot()
                if away > distance { (farthest, distance) = (index, away) }
            }
            guard farthest > first else { continue }
            keep[farthest] = true
            open.append((first, farthest))
            open.append((farthest, last))
        }
        return points.indices.filter { keep[$0] }.map { points[$0] }
    }
}
