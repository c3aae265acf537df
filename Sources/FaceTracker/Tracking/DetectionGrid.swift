import Geometry

/// Detections sorted into cells by their centres, so that a track examines only its neighbourhood.
struct DetectionGrid: Sendable {
    private var side = 1
    private var left = 0.0, top = 0.0, cellWidth = 1.0, cellHeight = 1.0
    private var widest = 0.0, tallest = 0.0
    private var starts: [Int] = []
    private var items: [Int] = []

    /// Adds the detections that score at least `hold`.
    mutating func fill(_ detections: [Detection], above hold: Double) {
        var right = -Double.infinity, bottom = -Double.infinity
        left = .infinity
        top = .infinity
        widest = 0
        tallest = 0
        for detection in detections where detection.isUsable {
            let center = detection.rect.center
            left = min(left, center.x)
            right = max(right, center.x)
            top = min(top, center.y)
            bottom = max(bottom, center.y)
            widest = max(widest, detection.rect.width)
            tallest = max(tallest, detection.rect.height)
        }
        side = detections.count < 12 ? 1 : min(32, Int(Double(detections.count / 2).squareRoot()))
        cellWidth = max((right - left) / Double(side), 1e-6)
        cellHeight = max((bottom - top) / Double(side), 1e-6)
        starts.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        for _ in 0...side * side { starts.append(0) }
        for detection in detections where detection.score >= hold && detection.isUsable {
            starts[cell(detection.rect.center) + 1] += 1
        }
        for index in 0..<side * side { starts[index + 1] += starts[index] }
        for _ in 0..<(starts.last ?? 0) { items.append(0) }
        for (index, detection) in detections.enumerated().reversed() where detection.score >= hold && detection.isUsable
        {
            // Each cell is filled from its end. Afterwards starts[cell + 1] is the cell's beginning.
            let place = cell(detection.rect.center) + 1
            starts[place] -= 1
            items[starts[place]] = index
        }
    }

    /// Calls `body` with every detection that may lie within `reach` mean sizes of the track, and with some that do
    /// not.
    @inline(__always)
    func forEach(around track: Track, reach: Double, _ body: (Int) -> Void) {
        let dx = reach * 0.5 * (track.box.width + widest), dy = reach * 0.5 * (track.box.height + tallest)
        let columns = column(track.box.x.position - dx)...column(track.box.x.position + dx)
        for row in row(track.box.y.position - dy)...row(track.box.y.position + dy) {
            let first = row * side + columns.lowerBound, last = row * side + columns.upperBound
            let end = last + 2 < starts.count ? starts[last + 2] : items.count
            for place in starts[first + 1]..<end { body(items[place]) }
        }
    }

    private func cell(_ point: Point) -> Int { row(point.y) * side + column(point.x) }

    private func column(_ x: Double) -> Int { Int(((x - left) / cellWidth).clamped(to: 0...Double(side - 1))) }

    private func row(_ y: Double) -> Int { Int(((y - top) / cellHeight).clamped(to: 0...Double(side - 1))) }
}

extension Array {
    /// Sorts in place without allocating memory.
    mutating func heapSort(by precedes: (Element, Element) -> Bool) {
        guard count > 1 else { return }
        for root in stride(from: count / 2 - 1, through: 0, by: -1) { sift(root, count, precedes) }
        for end in stride(from: count - 1, to: 0, by: -1) {
            swapAt(0, end)
            sift(0, end, precedes)
        }
    }

    private mutating func sift(_ start: Int, _ end: Int, _ precedes: (Element, Element) -> Bool) {
        var root = start
        while 2 * root + 1 < end {
            var child = 2 * root + 1
            if child + 1 < end, precedes(self[child], self[child + 1]) { child += 1 }
            guard precedes(self[root], self[child]) else { return }
            swapAt(root, child)
            root = child
        }
    }
}
