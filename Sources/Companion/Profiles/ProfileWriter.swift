public import DockControl

/// Writes a rig profile as TOML, every key of it, walked by the table that it is read with: what is read is what was written.
///
/// Comments of an earlier file are not kept.
public enum ProfileWriter {
    /// The text of a profile file; `comment` lines come first.
    public static func text(of profile: RigProfile, comment: [String] = []) -> String {
        var text = comment.map { "# \($0)\n" }.joined(), table: [String] = []
        for row in ProfileRow.all {
            guard let value = row.get(profile) else { continue }
            let folder = Array(row.path.dropLast())
            if folder != table {
                table = folder
                text += "\n[\(folder.joined(separator: "."))]\n"
            }
            text += "\(row.path.last ?? "") = \(words(value, row, profile))\n"
        }
        guard !profile.options.isEmpty else { return text }
        text += "\n[options]\n"
        for (key, value) in profile.options.sorted(by: { $0.key < $1.key }) { text += "\(key) = \(words(value))\n" }
        return text
    }

    private static func words(_ value: ProfileRow.Value, _ row: ProfileRow, _ profile: RigProfile) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .flag(let flag): flag ? "true" : "false"
        case .number(let number): words(shortest(number, row, profile))
        }
    }

    /// Degrees and milliseconds that come from radians and seconds have ragged ends: the fewest decimals that are read as the same.
    private static func shortest(_ number: Double, _ row: ProfileRow, _ profile: RigProfile) -> Double {
        var scale = 1.0
        for _ in 0...9 {
            let round = (number * scale).rounded() / scale
            var copy = profile
            row.set(&copy, .number(round))
            if copy == profile { return round }
            scale *= 10
        }
        return number
    }

    private static func words(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
    }

    /// A TOML string in one line.
    private static func quoted(_ text: String) -> String {
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
}
