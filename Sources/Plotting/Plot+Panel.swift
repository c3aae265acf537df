/// Draws one panel: grid, numbers, lines.
extension Plot {
    func axes(of panel: Panel, _ frame: Frame, isLast: Bool, _ writer: inout SVGWriter) {
        let box = frame.box, wide = SVGWriter.number(box.right - box.left),
            high = SVGWriter.number(box.bottom - box.top)
        writer.words(panel.title, x: box.left, y: box.top - textSize * 0.55, [("fill", "#5f6368")])
        let rows = Ticks(frame.y, most: most(box.bottom - box.top))
        let columns = Ticks(frame.x, most: max(2, Int((box.right - box.left) / (textSize * 4.5))))
        func grid(_ path: String, isZero: Bool) {
            writer.element("path", [("d", path), ("stroke", isZero ? "#9aa0a6" : "#e8eaed"), ("fill", "none")])
        }
        for value in columns.values {
            grid("M\(SVGWriter.number(frame.across(value))) \(SVGWriter.number(box.top))v\(high)", isZero: false)
        }
        for value in rows.values {
            grid("M\(SVGWriter.number(box.left)) \(SVGWriter.number(frame.down(value)))h\(wide)", isZero: value == 0)
            writer.words(
                rows.label(value), x: box.left - textSize * 0.45, y: frame.down(value) + textSize * 0.35,
                [("text-anchor", "end"), ("fill", "#5f6368")])
        }
        guard isLast else { return }
        for value in columns.values {
            let label = columns.label(value) + (value == columns.values.last ? " " + unit : "")
            writer.words(
                label, x: frame.across(value), y: box.bottom + textSize * 1.25,
                [("text-anchor", "middle"), ("fill", "#5f6368")])
        }
    }

    func lines(of panel: Panel, _ frame: Frame, number: Int, _ writer: inout SVGWriter) {
        let box = frame.box
        writer.begin("clipPath", [("id", "panel\(number)")])
        writer.element(
            "rect",
            [
                ("x", SVGWriter.number(box.left)), ("y", SVGWriter.number(box.top)),
                ("width", SVGWriter.number(box.right - box.left)), ("height", SVGWriter.number(box.bottom - box.top)),
            ])
        writer.end()
        writer.begin("g", [("clip-path", "url(#panel\(number))")])
        for series in visible(panel, in: frame.x) {
            let points = series.isStepped ? Outline.steps(series.points) : series.points
            let path = SVGWriter.path(Outline.runs(of: points.map { Point(frame.across($0.x), frame.down($0.y)) }))
            if !path.isEmpty { writer.element("path", [("d", path)] + look(series.style)) }
        }
        writer.end()
    }

    func draw(_ mark: Mark, _ frame: Frame, bottom: Double, _ writer: inout SVGWriter) {
        let x = frame.across(mark.x), top = frame.box.top
        writer.element(
            "path",
            [("d", "M\(SVGWriter.number(x)) \(SVGWriter.number(top))V\(SVGWriter.number(bottom))")]
                + look(Style("#b3261e", width: 1, dashes: [4, 3])))
        let isRight = x > (frame.box.left + frame.box.right) / 2
        writer.words(
            mark.text, x: x + (isRight ? -4 : 4), y: top + textSize,
            [("text-anchor", isRight ? "end" : "start"), ("fill", "#b3261e")])
    }

    func look(_ style: Style, atLeast width: Double = 0) -> [(String, String)] {
        [
            ("fill", "none"), ("stroke", style.colour), ("stroke-width", SVGWriter.number(max(width, style.width))),
            ("stroke-linejoin", "round"), ("stroke-linecap", style.dashes.isEmpty ? "round" : "butt"),
        ]
            + (style.dashes.isEmpty
                ? [] : [("stroke-dasharray", style.dashes.map { SVGWriter.number($0) }.joined(separator: " "))])
    }
}
