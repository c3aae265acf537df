/// The positions of keys in a TOML text. The parser does not report them for keys that are valid TOML.
package struct KeyPlaces {
    private var places: [String: (line: Int, column: Int)] = [:]

    /// Splits a text into lines. Swift treats CR LF as one character.
    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    /// Finds the positions in a text.
    package init(_ text: String) {
        var section = "", depth = 0, counts: [String: Int] = [:]
        for (index, raw) in Self.lines(text).enumerated() {
            let line = raw.drop { $0 == " " || $0 == "\t" }
            // Lines inside an array are neither sections nor keys.
            let isInside = depth > 0
            depth = max(0, depth + Self.brackets(line))
            if isInside { continue }
            let column = raw.count - line.count + 1
            if line.hasPrefix("["), let close = line.firstIndex(of: "]") {
                section = String(line[line.index(after: line.startIndex)..<close]).filter { !" \t[\"'".contains($0) }
                // The second `[[motion]]` has the path `motion.1`.
                if line.hasPrefix("[[") {
                    let count = counts[section, default: 0]
                    counts[section] = count + 1
                    if count == 0 { places[section] = (index + 1, column) }
                    section += ".\(count)"
                }
                places[section] = (index + 1, column)
            } else if let equals = line.firstIndex(of: "="), !line.hasPrefix("#") {
                let key = line[..<equals].filter { !" \t\"'".contains($0) }
                places[section.isEmpty ? key : section + "." + key] = (index + 1, column)
            }
        }
    }

    /// Returns how many more brackets a line opens than it closes, without those in strings and comments.
    private static func brackets(_ line: Substring) -> Int {
        var depth = 0, quote: Character?, isEscaped = false
        for character in line {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch character {
            case "\\" where quote == "\"": isEscaped = true
            case "\"", "'": quote = quote == nil ? character : quote == character ? nil : quote
            case "#" where quote == nil: return depth
            case "[" where quote == nil: depth += 1
            case "]" where quote == nil: depth -= 1
            default: break
            }
        }
        return depth
    }

    /// Returns the position of a key, or of the table around it if the key has none.
    package func place(of path: [String]) -> (line: Int, column: Int)? {
        for length in stride(from: path.count, to: 0, by: -1) {
            if let place = places[path.prefix(length).joined(separator: ".")] { return place }
        }
        return nil
    }
}
