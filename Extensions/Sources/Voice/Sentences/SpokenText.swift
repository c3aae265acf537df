/// Text of other programs, made safe to speak.
public enum SpokenText {
    /// The most scalars of a sentence. It takes a voice about half a minute.
    public static let longest = 500

    /// Returns the text as one line without controls and invisible characters, or nil if it has nothing that can be spoken.
    public static func of(_ text: String) -> String? {
        var plain = String.UnicodeScalarView(), count = 0, isGap = true, hasWord = false
        for scalar in text.unicodeScalars {
            guard count < longest else { break }
            guard isSpoken(scalar) else {
                // Runs of spaces become one.
                if !isGap { plain.append(" ") }
                count += isGap ? 0 : 1
                isGap = true
                continue
            }
            // Two brackets would begin phonemes for espeak-ng.
            if scalar == "[", plain.last == "[" {
                plain.append(" ")
                count += 1
            }
            hasWord = hasWord || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            plain.append(scalar)
            count += 1
            isGap = false
        }
        if plain.last == " " { plain.removeLast() }
        return hasWord ? String(plain) : nil
    }

    private static func isSpoken(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: false
        case .lineSeparator, .paragraphSeparator, .spaceSeparator: false
        default: true
        }
    }
}
