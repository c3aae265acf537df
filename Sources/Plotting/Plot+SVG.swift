extension Plot {
    /// The image. The same plot gives the same bytes.
    package var svg: String {
        var writer = SVGWriter()
        writer.begin(width: width, height: height, title: title.isEmpty ? panels.first?.title ?? "plot" : title)
        // Its own background, so that it is readable on light and dark pages.
        writer.element(
            "rect", [("width", "100%"), ("height", "100%"), ("rx", "6"), ("fill", "#ffffff")])
        writer.begin("g", [("font-family", "system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif"), size(1)])
        let top = head(&writer)
        let shown = span ?? extent(panels.flatMap(\.series), \.x, least: 0, pad: 0)
        let boxes = boxes(below: top)
        for (index, panel) in panels.enumerated() {
            let frame = Frame(
                box: boxes[index], x: shown,
                y: extent(visible(panel, in: shown), \.y, least: panel.leastSpan, pad: 0.05))
            axes(of: panel, frame, isLast: index == panels.count - 1, &writer)
            lines(of: panel, frame, number: index, &writer)
        }
        if let first = boxes.first, let last = boxes.last {
            let frame = Frame(box: first, x: shown, y: 0...1)
            for mark in marks where shown.contains(mark.x) { draw(mark, frame, bottom: last.bottom, &writer) }
        }
        writer.end()
        writer.end()
        return writer.text
    }

    /// The drawing area of a panel, pixels.
    struct Box {
        var left: Double, right: Double, top: Double, bottom: Double
    }

    /// A drawing area and the range that it shows.
    struct Frame {
        var box: Box
        var x: ClosedRange<Double>, y: ClosedRange<Double>

        func across(_ value: Double) -> Double {
            box.left + (value - x.lowerBound) / max(x.upperBound - x.lowerBound, 1e-9) * (box.right - box.left)
        }
        func down(_ value: Double) -> Double {
            box.bottom - (value - y.lowerBound) / max(y.upperBound - y.lowerBound, 1e-9) * (box.bottom - box.top)
        }
    }

    private func size(_ share: Double) -> (String, String) { ("font-size", SVGWriter.number(textSize * share)) }

    /// The approximate width of a text, pixels; the reader's font is unknown.
    private func length(_ words: String) -> Double { 0.56 * textSize * Double(words.count) }

    // MARK: over the panels

    /// Draws title, note and legend. Returns the top of the first panel.
    private func head(_ writer: inout SVGWriter) -> Double {
        var y = textSize * 0.6, left = textSize
        if !title.isEmpty {
            y += textSize * 1.2
            writer.words(title, x: left, y: y, [size(1.2), ("font-weight", "600"), ("fill", "#202124")])
            y += textSize * 0.3
        }
        if !note.isEmpty {
            y += textSize * 1.2
            writer.words(note, x: left, y: y, [("fill", "#80868b")])
        }
        var named: Set<String> = [""]
        let entries = panels.flatMap(\.series).filter { named.insert($0.name).inserted }
        if !entries.isEmpty { y += textSize * 1.4 }
        for entry in entries {
            let whole = textSize * 2.9 + length(entry.name)
            if left > textSize, left + whole > width { (left, y) = (textSize, y + textSize * 1.4) }
            let middle = SVGWriter.number(y - textSize * 0.35)
            writer.element(
                "path",
                [("d", "M\(SVGWriter.number(left)) \(middle)h\(SVGWriter.number(textSize * 1.6))")]
                    + look(entry.style, atLeast: 2.2))
            writer.words(entry.name, x: left + textSize * 2.1, y: y, [("fill", Self.ink)])
            left += whole
        }
        return y
    }

    /// The panels' boxes. They share the same left edge, which leaves room for the widest number.
    private func boxes(below top: Double) -> [Box] {
        let shown = span ?? extent(panels.flatMap(\.series), \.x, least: 0, pad: 0)
        let heading = textSize * 2.1, foot = textSize * 1.8
        let shares = panels.reduce(0) { $0 + $1.share }
        let free = max(0, height - top - heading * Double(panels.count) - foot)
        var labels = 0, y = top, heights: [Double] = []
        for panel in panels {
            heights.append(free * panel.share / max(shares, 1e-9))
            let range = extent(visible(panel, in: shown), \.y, least: panel.leastSpan, pad: 0.05)
            let ticks = Ticks(range, most: most(heights[heights.count - 1]))
            labels = max(labels, ticks.values.map { ticks.label($0).count }.max() ?? 0)
        }
        let left = textSize * 1.3 + length(String(repeating: "0", count: labels))
        return heights.map { height in
            defer { y += heading + height }
            return Box(left: left, right: width - textSize * 1.4, top: y + heading, bottom: y + heading + height)
        }
    }

    /// How many numbers fit below each other.
    func most(_ height: Double) -> Int { max(2, Int(height / (textSize * 1.8))) }

    // MARK: what is shown

    /// The lines with the points in the range, and one more on either side.
    func visible(_ panel: Panel, in range: ClosedRange<Double>) -> [Series] {
        panel.series.map { series in
            var series = series
            let inside = series.points.indices.filter { range.contains(series.points[$0].x) }
            guard let first = inside.first, let last = inside.last else {
                series.points = []
                return series
            }
            series.points = Array(series.points[max(0, first - 1)...min(series.points.count - 1, last + 1)])
            return series
        }
    }

    /// The range of a coordinate, with a margin; 0 to 1 if there are no points.
    private func extent(
        _ series: [Series], _ value: (Point) -> Double, least: Double, pad: Double
    ) -> ClosedRange<Double> {
        let values = series.flatMap { $0.points.map(value) }.filter(\.isFinite)
        guard var low = values.min(), var high = values.max(), (high - low).isFinite else { return 0...1 }
        let missing = max(0, least - (high - low)) / 2
        (low, high) = (low - missing, high + missing)
        let room = pad * (high - low)
        return low - room...high + room
    }
}
