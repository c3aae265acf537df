/// Tells scalar by scalar what of a text may be shown as it is.
struct PlainScalars {
    /// Marks on one base letter; more than any script needs only hide the lines above and below.
    static let mostMarks = 4
    /// A mark at the beginning would sit on what stands before the text.
    private var marks = mostMarks

    /// Whether the next scalar of the text is shown.
    mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x300:
            marks = 0
            return true
        // Which picture an emoji or a letter has: it shows nothing itself, but belongs there.
        case 0xFE00...0xFE0F: return takesMark()
        default: break
        }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark:
            return properties.isDefaultIgnorableCodePoint ? refused() : takesMark()
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            return refused()
        default:
            // Letters that show nothing, as the Hangul fillers.
            if properties.isDefaultIgnorableCodePoint { return refused() }
            marks = 0
            return true
        }
    }

    private mutating func takesMark() -> Bool {
        guard marks < Self.mostMarks else { return false }
        marks += 1
        return true
    }

    /// Nothing may sit on an escape either.
    private mutating func refused() -> Bool {
        marks = Self.mostMarks
        return false
    }
}
