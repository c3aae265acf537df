public import Files
public import RobotFace
internal import TOMLKit

/// Reads an expression from TOML. It finds all problems at once and reports their positions.
public enum ExpressionReader {
    /// The maximum length of a name, and maximum number of tracks of a motion.
    static let longestName = 24, mostTracks = 24

    /// Reads the text of a file; `file` is its name for messages.
    /// - Throws: `FileError` with all problems.
    public static func read(_ text: String, file: String) throws(FileError) -> Expression {
        var walk = try FileWalk(text, file: file)
        var draft = ExpressionDraft(expression: base(&walk))
        (draft.expression.name, draft.expression.words) = ("", [])
        walk.read(ExpressionDraft.rows, into: &draft)
        walk.checkKeys(ExpressionDraft.rows, elsewhere: ["based_on", "motion"])
        checkNames(draft.expression, &walk)
        if let motion = motion(&walk) { draft.expression.motion = motion }
        if walk.isFine { checkFlashes(draft.expression, &walk) }
        try walk.end()
        return draft.expression
    }

    /// Returns the expression that supplies everything that the file omits.
    private static func base(_ walk: inout FileWalk) -> Expression {
        guard let value = walk.find(["based_on"]) else { return .normal }
        if let name = value.string, let found = Expression(named: name) { return found }
        let names = Expression.all.map(\.name), near = Spelling.nearest(to: value.string ?? "", among: names)
        walk.add(
            ["based_on"],
            "\"based_on\" is wrong: expected one of the 21"
                + (near.map { "; did you mean \"\($0)\"?" } ?? ": \(names.joined(separator: " "))"))
        return .normal
    }

    private static func checkNames(_ expression: Expression, _ walk: inout FileWalk) {
        // A name that is missing or is not a string has already been reported.
        let names = walk.find(["name"])?.string == nil ? [] : [("name", expression.name)]
        for (key, word) in names + expression.words.map({ ("words", $0) }) {
            if !isName(word) {
                walk.add(
                    [key],
                    "\"\(word.prefix(40))\" is not a valid name: use a lower-case letter, then a-z, 0-9 and \"-\", at most 24 characters"
                )
            } else if let taken = Expression(named: word) {
                walk.add([key], "\"\(word)\" is \(taken.name == word ? "one of the 21" : "a word for \(taken.name)")")
            } else if ["next", "random"].contains(word) {
                walk.add([key], "\"\(word)\" is reserved for the word `face \(word)`")
            }
        }
    }

    private static func checkFlashes(_ expression: Expression, _ walk: inout FileWalk) {
        let share = FlashMeter.flashing(expression)
        guard share > FlashMeter.area else { return }
        walk.add(
            ["motion"],
            "\(Int((share * 100).rounded())) % of the face flashes more than \(FlashMeter.most) times a second, which can cause "
                + "seizures (WCAG 2.3.1): make the motions slower or smaller")
    }

    private static func isName(_ word: String) -> Bool {
        guard let first = word.utf8.first, word.utf8.count <= longestName else { return false }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z"), digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return letters.contains(first)
            && word.utf8.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") }
    }

    // MARK: motion

    /// Reads the motion. It is nil if it is not in the file, and the expression then moves like the one on which it is
    /// based.
    private static func motion(_ walk: inout FileWalk) -> [MotionTrack]? {
        guard let value = walk.find(["motion"]) else { return nil }
        guard let array = value.array, array.count <= mostTracks, array.allSatisfy({ $0.table != nil }) else {
            walk.add(["motion"], "\"motion\" is wrong: expected at most \(mostTracks) tables, as in [[motion]]")
            return nil
        }
        return array.enumerated().compactMap { index, value in
            value.table.flatMap { track($0, ["motion", String(index)], &walk) }
        }
    }

    private static func track(_ table: TOMLTable, _ place: [String], _ walk: inout FileWalk) -> MotionTrack? {
        let before = walk.count
        var draft = TrackDraft()
        walk.read(TrackDraft.rows, into: &draft, part: table, place: place)
        walk.checkKeys(TrackDraft.rows, part: table, place: place)
        // A track that already has mistakes gets no further ones.
        guard walk.count == before else { return nil }
        if let wrong = draft.contradiction(given: Set(table.keys)) {
            walk.add(place + ["curve"], wrong)
            return nil
        }
        guard let track = draft.track else {
            let names = TrackDraft.targets.map(\.name), near = Spelling.nearest(to: draft.moves, among: names)
            let isKey = ExpressionDraft.rows.contains { $0.name == draft.moves }
            walk.add(
                place + ["moves"],
                isKey
                    ? "\"\(draft.moves)\" cannot be moved"
                    : "there is no \"\(draft.moves.prefix(40))\" to move"
                        + (near.map { "; did you mean \"\($0)\"?" } ?? ", for example \"eyes.height\" or \"face.roll\"")
            )
            return nil
        }
        if case .keys(let keys, let period) = track.curve, period > 0, let last = keys.last, last.time > period {
            walk.add(place + ["keys"], "the time of the last key is after the end of the cycle, \"every\"")
        }
        return track
    }
}
