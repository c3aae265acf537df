/// Writes values as TOML.
public enum FileText {
    /// Returns the lines of all keys that have a value, in groups with their headers.
    public static func lines<Subject>(of subject: Subject, _ rows: [FileRow<Subject>]) -> String
    where Subject: Equatable {
        var text = "", table: [String] = []
        for row in rows {
            guard let value = row.get(subject) else { continue }
            let folder = Array(row.path.dropLast())
            if folder != table {
                table = folder
                text += "\n[\(folder.joined(separator: "."))]\n"
            }
            text += line(row, value, subject)
        }
        return text
    }

    /// Returns the line of one key.
    public static func line<Subject>(_ row: FileRow<Subject>, _ value: FileValue, _ subject: Subject) -> String
    where Subject: Equatable {
        "\(row.path.last ?? "") = \(words(shortest(value, row, subject), row.kind))\n"
    }

    /// Returns a value as TOML.
    public static func words(_ value: FileValue, _ kind: FileKind) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .texts(let texts): "[" + texts.map(quoted).joined(separator: ", ") + "]"
        case .flag(let flag): flag ? "true" : "false"
        case .number(let number): words(number)
        case .curve(let points):
            "[" + points.map { "[\(words($0.x)), \(words($0.y))]" }.joined(separator: ", ") + "]"
        }
    }

    /// Returns a number without superfluous decimals.
    public static func words(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }

    /// Returns a value with the fewest decimals that are read as the same number. Conversion from radians, seconds or
    /// 32-bit floats leaves rounding errors in the last decimals.
    private static func shortest<Subject>(
        _ value: FileValue, _ row: FileRow<Subject>, _ subject: Subject
    ) -> FileValue where Subject: Equatable {
        guard case .number(let number) = value else { return value }
        var scale = 1.0
        for _ in 0...9 {
            let round = (number * scale).rounded() / scale
            var copy = subject
            row.set(&copy, .number(round))
            if copy == subject { return .number(round) }
            scale *= 10
        }
        return value
    }

    /// Returns a TOML string in one line.
    public static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Returns a 32-bit float with the decimals of its shortest text: 0.1, not 0.10000000149.
    public static func short(_ value: Float) -> Double { Double(value.description) ?? Double(value) }

    /// Converts a case's name to a key: upperCorner becomes upper_corner.
    public static func key<Case>(_ name: Case) -> String {
        "\(name)".reduce(into: "") { key, letter in
            key += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
        }
    }
}
