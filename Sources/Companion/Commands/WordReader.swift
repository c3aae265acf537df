internal import FaceTracker
internal import Files

/// Reads the words of one command line in order; its errors name the wrong word.
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

    /// Consumes the next word if it is this one.
    mutating func skip(_ word: String) -> Bool {
        guard words.first?.lowercased() == word else { return false }
        words.removeFirst()
        return true
    }

    /// Reads a finite number.
    mutating func number(_ name: String) throws(CommandError) -> Double {
        guard let word = next() else { throw CommandError(message: "\(name) is missing", hint: "") }
        guard let value = Double(word), value.isFinite, abs(value) < 1e6 else {
            throw CommandError(message: "\(name) is not a number: \"\(word.prefix(40))\"", hint: "")
        }
        return value
    }

    /// Reads a number above 0 and not above `most`.
    mutating func positive(_ name: String, upTo most: Double) throws(CommandError) -> Double {
        let value = try number(name)
        guard value > 0, value <= most else {
            throw CommandError(message: "\(name) must be above 0 and at most \(Int(most))", hint: "")
        }
        return value
    }

    /// Reads a non-negative whole number.
    mutating func integer(_ name: String) throws(CommandError) -> Int {
        guard let word = next() else { throw CommandError(message: "\(name) is missing", hint: "") }
        guard let value = Int(word), value >= 0 else {
            throw CommandError(message: "\(name) is not a whole number: \"\(word.prefix(40))\"", hint: "")
        }
        return value
    }

    /// Reads a coordinate in the frame: 0...1, or pixels as "412px".
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
                message: "the image size is not known yet",
                hint: "give 0...1, or let the detector send \"image\" in its hello")
        }
        let extent = side == .horizontal ? size.width : size.height
        guard let value = Double(word.dropLast(2)), value >= 0, value <= extent else {
            throw CommandError(message: "\(name) must be between 0px and \(Int(extent))px", hint: "")
        }
        words.removeFirst()
        return value / extent
    }

    /// Reads a name, in lower case.
    mutating func name(_ what: String) throws(CommandError) -> String {
        guard let word = next() else { throw CommandError(message: "\(what) is missing", hint: "") }
        return word.lowercased()
    }

    /// Reads `on` as true and `off` as false.
    mutating func onOrOff() throws(CommandError) -> Bool {
        if skip("on") { return true }
        if skip("off") { return false }
        throw CommandError(message: "on or off?", hint: "")
    }

    /// Reads one of the cases, by its raw value.
    mutating func choice<Choice: RawRepresentable<String>>(
        _ name: String, _ all: [Choice]
    ) throws(CommandError) -> Choice {
        let word = next()?.lowercased() ?? ""
        guard let found = all.first(where: { $0.rawValue == word }) else {
            let near = Spelling.nearest(to: word, among: all.map(\.rawValue))
            throw CommandError(
                message: word.isEmpty ? "which \(name)?" : "unknown \(name) \"\(word.prefix(40))\"",
                hint: near.map { "did you mean `\($0)`?" } ?? "")
        }
        return found
    }
}
