/// Suggests a word for a misspelled one.
public enum Spelling {
    /// Returns the nearest candidate if at most a third of the letters differ, else the shortest one that begins with
    /// the word.
    public static func nearest(to word: String, among candidates: [String]) -> String? {
        guard !word.isEmpty, word.count < 40 else { return nil }
        let best = candidates.map { ($0, distance(Array(word), Array($0))) }.min { $0.1 < $1.1 }
        if let best, best.1 <= max(1, best.0.count / 3) { return best.0 }
        return word.count < 3 ? nil : candidates.filter { $0.hasPrefix(word) }.min { $0.count < $1.count }
    }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one word into the
    /// other.
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
