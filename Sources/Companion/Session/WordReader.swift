internal import FaceTracker

/// Reads the words of one command line, one after the other, with errors that say which word was wrong.
struct WordReader {
    enum Side { case horizontal, vertical }

    private var words: ArraySlice<String>
    private let pictureSize: PictureSize?

    init(_ line: String, pictureSize: PictureSize?) {
        words = line.split(whereSeparator: { $0.isWhitespace }).map(String.init)[...]
        self.pictureSize = pictureSize
    }

    var hasMore: Bool { !words.isEmpty }

    mutating func next() -> String? { words.popFirst() }

    /// Takes the next word if it is this one.
    mutating func skip(_ word: String) -> Bool {
        guard words.first?.lowercased() == word else { return false }
        words.removeFirst()
        return true
    }

    /// A finite number.
    mutating func number(_ name: String) throws(CommandError) -> Double {
        guard let word = next() else { throw CommandError(message: "\(name) is missing", hint: "") }
        guard let value = Double(word), value.isFinite, abs(value) < 1e6 else {
            throw CommandError(message: "\(name) is no number: \"\(word.prefix(40))\"", hint: "")
        }
        return value
    }

    /// A number above 0 and not above `most`.
    mutating func positive(_ name: String, upTo most: Double) throws(CommandError) -> Double {
        let value = try number(name)
        guard value > 0, value <= most else {
            throw CommandError(message: "\(name) must be above 0 and at most \(Int(most))", hint: "")
        }
        return value
    }

    /// A whole number, not negative.
    mutating func integer(_ name: String) throws(CommandError) -> Int {
        guard let word = next() else { throw CommandError(message: "\(name) is missing", hint: "") }
        guard let value = Int(word), value >= 0 else {
            throw CommandError(message: "\(name) is no whole number: \"\(word.prefix(40))\"", hint: "")
        }
        return value
    }

    /// A coordinate of the picture: 0...1, or pixels as "412px".
    mutating func coordinate(_ name: String, _ side: Side) throws(CommandError) -> Double {
        guard let word = words.first, word.hasSuffix("px") else {
            let value = try number(name)
            guard (0...1).contains(value) else {
                throw CommandError(message: "\(name) must be between 0 and 1", hint: "or give pixels: tap 412px 300px")
            }
            return value
        }
        guard let size = pictureSize else {
            throw CommandError(
                message: "the picture's size is not known yet",
                hint: "give 0...1, or let the detector say \"image\" in hello")
        }
        let extent = side == .horizontal ? size.width : size.height
        guard let value = Double(word.dropLast(2)), value >= 0, value <= extent else {
            throw CommandError(message: "\(name) must be between 0px and \(Int(extent))px", hint: "")
        }
        words.removeFirst()
        return value / extent
    }

    /// A word that names something, in lower case.
    mutating func name(_ what: String) throws(CommandError) -> String {
        guard let word = next() else { throw CommandError(message: "\(what) is missing", hint: "") }
        return word.lowercased()
    }

    /// `on` is true, `off` is false.
    mutating func onOrOff() throws(CommandError) -> Bool {
        if skip("on") { return true }
        if skip("off") { return false }
        throw CommandError(message: "on or off?", hint: "")
    }

    /// One of the cases, by raw value.
    mutating func choice<Choice: RawRepresentable<String>>(
        _ name: String, _ all: [Choice]
    ) throws(CommandError) -> Choice {
        let word = next()?.lowercased() ?? ""
        guard let found = all.first(where: { $0.rawValue == word }) else {
            let near = Spelling.nearest(to: word, among: all.map(\.rawValue))
            throw CommandError(
                message: word.isEmpty ? "which \(name)?" : "there is no \(name) \"\(word.prefix(40))\"",
                hint: near.map { "did you mean `\($0)`?" } ?? "")
        }
        return found
    }
}

/// Finds the word that was meant.
enum Spelling {
    /// The nearest of the candidates, if it is near enough to be meant: at most a third of its letters differ.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        guard !word.isEmpty, word.count < 40 else { return nil }
        let best = candidates.map { ($0, distance(Array(word), Array($0))) }.min { $0.1 < $1.1 }
        guard let best, best.1 <= max(1, best.0.count / 3) else { return nil }
        return best.0
    }

    /// Insertions, deletions, replacements and swaps of neighbours from one to the other.
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for i in 1...max(1, a.count) where i <= a.count {
            var row = [i] + Array(repeating: 0, count: b.count)
            for j in 1...max(1, b.count) where j <= b.count {
                row[j] = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    row[j] = min(row[j], rows[i - 2][j - 2] + 1)
                }
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
