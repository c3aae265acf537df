public import DockControl
internal import Geometry

/// A plot of a recording's first strokes in plain characters: the commanded and the reported position.
public enum CalibrationPlot {
    /// The size of the plot without its axes, in characters.
    public static let width = 60, height = 12
    /// The duration of the plot, and of the part before the first stroke, in seconds. In a longer plot, a lag would be
    /// narrower than a column.
    static let span = 2.4, before = 0.1

    /// Returns the title and the lines of the plot; empty if nothing was recorded.
    public static func lines(_ recording: MotionRecording, title: String) -> [String] {
        guard let first = recording.cuts.first else { return [] }
        let begin = first - before, column = span / Double(width)
        let readings = recording.readings.filter { $0.time >= begin && $0.time < begin + span }
        guard let start = readings.first?.position else { return [] }
        let commanded = (0..<width).map { index in
            recording.way(from: begin, to: begin + column * (Double(index) + 0.5)).inDegrees
        }
        let reported = readings.map { (Int(($0.time - begin) / column), ($0.position - start).inDegrees) }
        let all = commanded + reported.map(\.1)
        let low = min(all.min() ?? 0, -1), high = max(all.max() ?? 0, 1), row = (high - low) / Double(height - 1)
        var cells = [[Character]](repeating: Array(repeating: " ", count: width), count: height)
        func put(_ mark: Character, _ x: Int, _ value: Double) {
            let y = height - 1 - Int(((value - low) / row).rounded())
            guard cells.indices.contains(y), (0..<width).contains(x) else { return }
            cells[y][x] = cells[y][x] == " " || cells[y][x] == mark ? mark : "@"
        }
        for (x, value) in commanded.enumerated() { put(".", x, value) }
        for (x, value) in reported { put("o", x, value) }
        var lines = ["\(title): . commanded, o reported, @ both (degrees, \(CalibrationReport.decimals(span, 1)) s)"]
        for (y, line) in cells.enumerated() {
            let value = CalibrationReport.decimals(high - row * Double(y), 1)
            let label = y == 0 || y == height - 1 || y == height / 2 ? value : ""
            lines.append(String(repeating: " ", count: max(0, 6 - label.count)) + label + " |" + String(line))
        }
        lines.append("       +" + String(repeating: "-", count: width))
        return lines
    }
}
