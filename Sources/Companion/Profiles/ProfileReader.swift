public import DockControl
internal import Geometry
internal import TOMLKit

/// Something wrong in a profile file: where, what is expected, and what was perhaps meant.
public struct ProfileProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file.
    public var file: String
    /// 1 = the first line; nil where there is no place (a missing key).
    public var line: Int?
    /// 1 = the first column; nil as for the line.
    public var column: Int?
    /// What is wrong and what is expected.
    public var text: String

    /// "file:line:column: text".
    public var description: String {
        let place = line.map { ":\($0)" + (column.map { ":\($0)" } ?? "") } ?? ""
        return "\(file)\(place): \(text)"
    }
}

/// Why a profile cannot be used: all problems of it at once.
public struct ProfileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// In the order of the file.
    public var problems: [ProfileProblem]

    /// A line each.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Reads a rig profile: TOML, walked by the row table, so that every problem is found at once and named with its place.
public enum ProfileReader {
    /// Reads the text of a profile file; `file` is its name for messages.
    /// - Throws: `ProfileError` with all problems.
    public static func read(_ text: String, file: String) throws(ProfileError) -> RigProfile {
        if let bad = HeaderScan.firstBad(in: text) {
            throw ProfileError(problems: [
                ProfileProblem(
                    file: file, line: bad.line, column: bad.column, text: "not TOML: a table is named here, as in [pan]"
                )
            ])
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ProfileError(problems: [
                ProfileProblem(
                    file: file, line: error.source.begin.line, column: error.source.begin.column,
                    text: "not TOML: \(error.description)")
            ])
        } catch {
            throw ProfileError(problems: [ProfileProblem(file: file, text: "not TOML: \(error)")])
        }
        var walk = ProfileWalk(file: file, places: KeyPlaces(text), table: table)
        return try walk.profile()
    }
}

/// One walk over a parsed file.
private struct ProfileWalk {
    let file: String
    let places: KeyPlaces
    let table: TOMLTable
    var problems: [ProfileProblem] = []

    mutating func profile() throws(ProfileError) -> RigProfile {
        let none = RigProfile.AxisProfile(range: 0...0, maxSpeed: 1, maxAcceleration: 1)
        var profile = RigProfile(name: "", driver: "", pan: none, tilt: none)
        for row in ProfileRow.all {
            guard let value = find(row.path) else {
                if row.required { add(row.path, "\"\(row.name)\" is missing: \(expectation(row.kind))") }
                continue
            }
            if let read = read(value, row) { row.set(&profile, read) }
        }
        checkKeys(table, under: [])
        readOptions(&profile)
        if problems.isEmpty { checkSense(profile) }
        guard problems.isEmpty else {
            throw ProfileError(problems: problems.sorted { ($0.line ?? .max) < ($1.line ?? .max) })
        }
        return profile
    }

    private func find(_ path: [String]) -> (any TOMLValueConvertible)? {
        var here: TOMLTable? = table
        for name in path.dropLast() { here = here?[name]?.table }
        guard let here, let last = path.last else { return nil }
        return here[last]
    }

    private mutating func read(_ value: any TOMLValueConvertible, _ row: ProfileRow) -> ProfileRow.Value? {
        switch row.kind {
        case .text:
            if let text = value.string { return .text(text) }
        case .oneOf(let words):
            if let text = value.string, words.contains(text) { return .text(text) }
        case .flag:
            if let flag = value.bool { return .flag(flag) }
        case .number(let range):
            if let number = number(value), range.contains(number) { return .number(number) }
        case .whole(let range):
            if let number = value.int, range.contains(Double(number)) { return .number(Double(number)) }
        }
        add(row.path, "\"\(row.name)\" is wrong: \(expectation(row.kind))")
        return nil
    }

    private func number(_ value: any TOMLValueConvertible) -> Double? { value.int.map(Double.init) ?? value.double }

    private func expectation(_ kind: ProfileRow.Kind) -> String {
        switch kind {
        case .text: "expected a text in quotes"
        case .oneOf(let words): "expected " + words.map { "\"\($0)\"" }.joined(separator: " or ")
        case .flag: "expected true or false"
        case .number(let range): "expected a number from \(tidy(range.lowerBound)) to \(tidy(range.upperBound))"
        case .whole(let range): "expected a whole number from \(tidy(range.lowerBound)) to \(tidy(range.upperBound))"
        }
    }

    private func tidy(_ value: Double) -> String { value == value.rounded() ? String(Int(value)) : String(value) }

    /// Keys that no row knows.
    private mutating func checkKeys(_ table: TOMLTable, under path: [String]) {
        for key in table.keys.sorted() {
            let here = path + [key]
            if here == ["options"] {
                if table[key]?.table == nil { add(here, "\"options\" is wrong: expected a table, as in [options]") }
                continue
            }
            let below = ProfileRow.all.filter { $0.path.starts(with: here) }
            if below.isEmpty {
                let siblings = Set(
                    ProfileRow.all.filter { $0.path.count > path.count && $0.path.starts(with: path) }
                        .map { $0.path[path.count] } + (path.isEmpty ? ["options"] : []))
                let near = Spelling.nearest(to: key, among: siblings.sorted())
                add(
                    here,
                    "\"\(here.joined(separator: "."))\" is unknown"
                        + (near.map { "; did you mean \"\($0)\"?" }
                            ?? "; known here: \(siblings.sorted().joined(separator: ", "))"))
            } else if below.contains(where: { $0.path.count > here.count }) {
                if let inner = table[key]?.table {
                    checkKeys(inner, under: here)
                } else {
                    add(here, "\"\(here.joined(separator: "."))\" is wrong: expected a table")
                }
            }
        }
    }

    private mutating func readOptions(_ profile: inout RigProfile) {
        guard let driver = DriverTable.driver(named: profile.driver) else {
            // One that is missing, or no text, is told already.
            if find(["driver"])?.string != nil {
                let names = DriverTable.all.map { $0.name }
                let near = Spelling.nearest(to: profile.driver, among: names)
                add(
                    ["driver"],
                    "there is no driver \"\(profile.driver)\""
                        + (near.map { "; did you mean \"\($0)\"?" } ?? "; there are: \(names.joined(separator: ", "))"))
            }
            return
        }
        guard let options = table["options"]?.table else { return }
        for key in options.keys.sorted() {
            guard let option = driver.options[key] else {
                let near = Spelling.nearest(to: key, among: driver.options.keys.sorted())
                add(
                    ["options", key],
                    "the driver \"\(driver.name)\" has no option \"\(key)\""
                        + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
                continue
            }
            if let value = options[key], let number = number(value), option.allows(number) {
                profile.options[key] = number
            } else {
                let kind = option.isWhole ? ProfileRow.Kind.whole(option.range) : .number(option.range)
                add(["options", key], "\"options.\(key)\" is wrong: \(expectation(kind))")
            }
        }
    }

    /// What each value allows and all of them together do not.
    private mutating func checkSense(_ profile: RigProfile) {
        if ![0, 90, 180, 270].contains(profile.camera.rotate) {
            add(["camera", "rotate"], "\"camera.rotate\" is wrong: expected 0, 90, 180 or 270")
        }
        for axis in Axis.allCases {
            let row = profile[axis], name = axis.rawValue
            let low = find([name, "min"]).flatMap(number) ?? 0, high = find([name, "max"]).flatMap(number) ?? 0
            guard low < high else {
                add([name, "min"], "\"\(name).min\" must be less than \"\(name).max\"")
                continue
            }
            if row.range.upperBound - row.range.lowerBound <= 2 * row.softMargin {
                add(
                    [name, "soft_margin"], "\"\(name).soft_margin\" leaves no room between \(name).min and \(name).max")
            } else if !row.softRange.contains(row.home) {
                add([name, "home"], "\"\(name).home\" must lie inside \(name).min and \(name).max, margins off")
            }
        }
        // Each driver knows what its device can be told.
        for found in DriverTable.driver(named: profile.driver)?.contradictions(in: profile) ?? [] {
            add(found.key.split(separator: ".").map(String.init), found.text)
        }
    }

    private mutating func add(_ path: [String], _ text: String) {
        let place = places.place(of: path)
        problems.append(ProfileProblem(file: file, line: place?.line, column: place?.column, text: text))
    }
}

/// Where keys stand in a TOML text; the parser does not tell it of keys that are right as far as TOML goes.
struct KeyPlaces {
    private var places: [String: (line: Int, column: Int)] = [:]

    /// The lines of a text, also where they end in CR LF, which is one character.
    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    init(_ text: String) {
        var section = "", depth = 0
        for (index, raw) in Self.lines(text).enumerated() {
            let line = raw.drop { $0 == " " || $0 == "\t" }
            // The rows of an array are neither sections nor keys.
            let isInside = depth > 0
            depth = max(0, depth + Self.brackets(line))
            if isInside { continue }
            let column = raw.count - line.count + 1
            if line.hasPrefix("["), let close = line.firstIndex(of: "]") {
                section = String(line[line.index(after: line.startIndex)..<close]).filter { $0 != " " && $0 != "[" }
                places[section] = (index + 1, column)
            } else if let equals = line.firstIndex(of: "="), !line.hasPrefix("#") {
                let key = line[..<equals].filter { $0 != " " && $0 != "\t" && $0 != "\"" }
                places[section.isEmpty ? key : section + "." + key] = (index + 1, column)
            }
        }
    }

    /// How many more brackets a line opens than it closes; those in texts and comments are none.
    private static func brackets(_ line: Substring) -> Int {
        var depth = 0, quote: Character?
        for character in line {
            switch character {
            case "\"", "'": quote = quote == nil ? character : quote == character ? nil : quote
            case "#" where quote == nil: return depth
            case "[" where quote == nil: depth += 1
            case "]" where quote == nil: depth -= 1
            default: break
            }
        }
        return depth
    }

    /// The place of a key; of the table or inline table around it where it has none of its own.
    func place(of path: [String]) -> (line: Int, column: Int)? {
        for length in stride(from: path.count, to: 0, by: -1) {
            if let place = places[path.prefix(length).joined(separator: ".")] { return place }
        }
        return nil
    }
}
