/// Writes the small part of SVG 1.1 that a chart needs. All text from outside is escaped.
package struct SVGWriter: Sendable {
    /// The output so far.
    package private(set) var text = ""
    private var open: [String] = []

    /// An empty document.
    package init() {}

    /// Opens the root element, with a title for screen readers.
    package mutating func begin(width: Double, height: Double, title: String) {
        let size = "\(Self.number(width)) \(Self.number(height))"
        begin(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("width", Self.number(width)),
                ("height", Self.number(height)), ("viewBox", "0 0 " + size), ("role", "img"),
            ])
        text += "<title>\(Self.escaped(title))</title>\n"
    }

    /// Opens an element with children.
    package mutating func begin(_ name: String, _ attributes: [(String, String)] = []) {
        tag(name, attributes)
        text += ">\n"
        open.append(name)
    }

    /// Closes the element that was opened last.
    package mutating func end() {
        guard let name = open.popLast() else { return }
        text += "</\(name)>\n"
    }

    /// An empty element.
    package mutating func element(_ name: String, _ attributes: [(String, String)]) {
        tag(name, attributes)
        text += "/>\n"
    }

    /// Text at a position, pixels.
    package mutating func words(_ words: String, x: Double, y: Double, _ attributes: [(String, String)] = []) {
        tag("text", [("x", Self.number(x)), ("y", Self.number(y))] + attributes)
        text += ">\(Self.escaped(words))</text>\n"
    }

    private mutating func tag(_ name: String, _ attributes: [(String, String)]) {
        text += "<" + name
        for (key, value) in attributes { text += " \(key)=\"\(Self.escaped(value))\"" }
    }

    /// The path data through these points, pixels: the first point absolute, the others relative to the previous one, in
    /// tenths.
    package static func path(_ runs: [[Plot.Point]]) -> String {
        var path = ""
        for run in runs where !run.isEmpty {
            var at = (x: 0, y: 0)
            for (index, point) in run.enumerated() {
                let x = tenths(point.x), y = tenths(point.y)
                if index == 0 {
                    path += "M\(tenth(x)) \(tenth(y))"
                    // A run of one point is a dot; a round cap draws it.
                    path += run.count == 1 ? "h0" : "l"
                } else {
                    guard (x, y) != at || run.count == 2 else { continue }
                    let dx = tenth(x - at.x), dy = tenth(y - at.y)
                    let needsSpace = path.last != "l" && !dx.hasPrefix("-")
                    path += (needsSpace ? " " : "") + dx + (dy.hasPrefix("-") ? "" : " ") + dy
                }
                at = (x, y)
            }
            // All points are at one position.
            if path.last == "l" { path += "0 0" }
        }
        return path
    }

    private static func tenths(_ value: Double) -> Int {
        Int(((value.isFinite ? min(max(value, -1e6), 1e6) : 0) * 10).rounded())
    }

    private static func tenth(_ tenths: Int) -> String {
        let whole = abs(tenths) / 10, rest = abs(tenths) % 10
        let digits = rest == 0 ? "\(whole)" : whole == 0 ? ".\(rest)" : "\(whole).\(rest)"
        return (tenths < 0 ? "-" : "") + digits
    }

    /// A number with at most (`isFull`: exactly) this many decimals; 0 if it is not finite.
    package static func number(_ value: Double, decimals: Int = 1, isFull: Bool = false) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "0" }
        let decimals = min(max(decimals, 0), 6)
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let whole = Int((abs(value) * Double(scale)).rounded()), rest = whole % scale
        var fraction = decimals == 0 ? "" : String(scale + rest).dropFirst().description
        if !isFull { while fraction.last == "0" { fraction.removeLast() } }
        return (value < 0 && whole > 0 ? "-" : "") + "\(whole / scale)" + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// Escapes text for elements and attributes; a character that XML does not allow becomes "?".
    package static func escaped(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE:
                safe += "?"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}
