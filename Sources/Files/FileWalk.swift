internal import PlainText
package import TOMLKit

/// Reads a parsed TOML file by its tables of keys. It finds all problems at once and reports their positions.
public struct FileWalk {
    /// Its name for messages.
    public let file: String
    /// The parsed file.
    package let table: TOMLTable
    private let places: KeyPlaces
    private var problems: [FileProblem] = []

    /// Parses a text; `file` is its name for messages.
    /// - Throws: `FileError` if the text is not valid TOML.
    public init(_ text: String, file: String) throws(FileError) {
        do {
            table = try TOMLText.table(text)
        } catch {
            throw FileError(problems: [
                FileProblem(file: file, line: error.line, column: error.column, text: error.text)
            ])
        }
        self.file = file
        places = KeyPlaces(text)
    }

    /// The number of problems found; only the first `most` are reported.
    package private(set) var count = 0
    private static let most = 50

    /// Whether no problem was found.
    public var isFine: Bool { count == 0 }

    /// Throws the problems, in the order of the file.
    public func end() throws(FileError) {
        guard problems.isEmpty else {
            throw FileError(problems: problems.sorted { ($0.line ?? .max) < ($1.line ?? .max) })
        }
    }

    /// Adds a problem at the position of a key.
    public mutating func add(_ path: [String], _ text: String) {
        count += 1
        guard count <= Self.most else { return }
        let place = places.place(of: path)
        let text = count == Self.most ? text + " (the file may contain more problems)" : text
        problems.append(FileProblem(file: file, line: place?.line, column: place?.column, text: text))
    }

    /// Returns the line of a key, from 1, or nil if unknown.
    public func line(of path: [String]) -> Int? { places.place(of: path)?.line }

    /// Returns the value at a path.
    package func find(_ path: [String], in start: TOMLTable? = nil) -> (any TOMLValueConvertible)? {
        var here: TOMLTable? = start ?? table
        for name in path.dropLast() { here = here?[name]?.table }
        guard let here, let last = path.last else { return nil }
        return here[last]
    }

    /// Sets the values that the file has.
    public mutating func read<Subject>(_ rows: [FileRow<Subject>], into subject: inout Subject) {
        read(rows, into: &subject, part: table)
    }

    /// Sets the values that a table of the file has; `place` is the path of this table.
    package mutating func read<Subject>(
        _ rows: [FileRow<Subject>], into subject: inout Subject, part: TOMLTable, place: [String] = []
    ) {
        for row in rows {
            guard let value = find(row.path, in: part) else {
                if row.required { add(place + row.path, "\"\(row.name)\" is missing: \(row.kind.expectation)") }
                continue
            }
            if let read = Self.value(value, row.kind) {
                row.set(&subject, read)
            } else {
                add(place + row.path, "\"\(row.name)\" is wrong: \(row.kind.expectation)")
            }
        }
    }

    /// Finds unknown keys. `elsewhere`: tables whose keys are checked elsewhere.
    public mutating func checkKeys<Subject>(_ rows: [FileRow<Subject>], elsewhere: [String] = []) {
        checkKeys(table, under: [], rows.map(\.path), elsewhere, [])
    }

    /// Finds unknown keys in a table of the file; `place` is the path of this table.
    package mutating func checkKeys<Subject>(_ rows: [FileRow<Subject>], part: TOMLTable, place: [String]) {
        checkKeys(part, under: [], rows.map(\.path), [], place)
    }

    private mutating func checkKeys(
        _ table: TOMLTable, under path: [String], _ rows: [[String]], _ elsewhere: [String], _ place: [String]
    ) {
        for key in table.keys.sorted() {
            let here = path + [key]
            if path.isEmpty, elsewhere.contains(key) { continue }
            let below = rows.filter { $0.starts(with: here) }
            if below.isEmpty {
                let siblings = Set(
                    rows.filter { $0.count > path.count && $0.starts(with: path) }.map { $0[path.count] }
                        + (path.isEmpty ? elsewhere : []))
                let near = Spelling.nearest(to: key, among: siblings.sorted())
                add(
                    place + here,
                    "\"\(ForeignText.name(here.joined(separator: ".")))\" is unknown"
                        + (near.map { "; did you mean \"\($0)\"?" }
                            ?? "; known here: \(siblings.sorted().joined(separator: ", "))"))
            } else if below.contains(where: { $0.count > here.count }) {
                if let inner = table[key]?.table {
                    checkKeys(inner, under: here, rows, elsewhere, place)
                } else {
                    add(place + here, "\"\(ForeignText.name(here.joined(separator: ".")))\" is wrong: expected a table")
                }
            }
        }
    }

    /// Returns the value, or nil if it is not permitted.
    static func value(_ value: any TOMLValueConvertible, _ kind: FileKind) -> FileValue? {
        switch kind {
        case .text:
            // Texts from a file are shown, logged and passed on, so only plain ones are accepted.
            return value.string.flatMap { ForeignText.isPlain($0) ? .text($0) : nil }
        case .oneOf(let words): return value.string.flatMap { words.contains($0) ? .text($0) : nil }
        case .texts(let most):
            guard let array = value.array, array.count <= most else { return nil }
            let texts = array.compactMap(\.string)
            return texts.count == array.count && texts.allSatisfy { ForeignText.isPlain($0) } ? .texts(texts) : nil
        case .flag: return value.bool.map(FileValue.flag)
        case .number(let range):
            return number(value).flatMap { range.contains($0) ? .number($0) : nil }
        case .whole(let range):
            return value.int.flatMap { range.contains(Double($0)) ? .number(Double($0)) : nil }
        case .colour:
            guard let text = value.string, text.utf8.count == 7, text.hasPrefix("#"),
                text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit })
            else { return nil }
            return .text(text)
        case .curve(let most, let range):
            guard let array = value.array, (1...most).contains(array.count) else { return nil }
            var points: [SIMD2<Double>] = []
            for pair in array {
                guard let pair = pair.array, pair.count == 2, let time = number(pair[0]), let value = number(pair[1]),
                    (0...60).contains(time), points.last.map({ $0.x < time }) ?? true, range.contains(value)
                else { return nil }
                points.append(SIMD2(time, value))
            }
            return .curve(points)
        }
    }

    /// Returns a number, whole or not, or nil if the value is not a number.
    package static func number(_ value: any TOMLValueConvertible) -> Double? {
        value.int.map(Double.init) ?? value.double
    }
}
