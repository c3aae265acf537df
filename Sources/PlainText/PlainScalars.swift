/// Decides scalar by scalar which parts of a text may be shown unchanged.
struct PlainScalars {
    /// The limit of marks on one base letter. No script needs more; more would cover the lines above and below.
    static let mostMarks = 4
    /// Starts at the limit, because a mark at the beginning would attach to the text before it.
    private var marks = mostMarks

    /// Whether the next scalar of the text is shown.
    mutating func accepts(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x300:
            marks = 0
            return true
        // Variation selectors: invisible themselves, but part of an emoji or a letter.
        case 0xFE00...0xFE0F: return acceptsMark()
        default: break
        }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark:
            return properties.isDefaultIgnorableCodePoint ? refused() : acceptsMark()
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            return refused()
        default:
            // Invisible letters, such as the Hangul fillers.
            if properties.isDefaultIgnorableCodePoint { return refused() }
            marks = 0
            return true
        }
    }

    private mutating func acceptsMark() -> Bool {
        guard marks < Self.mostMarks else { return false }
        marks += 1
        return true
    }

    /// No mark may attach to an escape either.
    private mutating func refused() -> Bool {
        marks = Self.mostMarks
        return false
    }
}
