/// Text from outside (a dock, a file, a child, a socket, a command line) made safe to show.
///
/// A terminal executes control characters, and bidirectional controls rearrange what a reader sees. Text passes through here
/// when it enters, so that it is plain everywhere else. Every unsafe character is written as `\u{1b}`, which is visible and
/// exact enough to find it in the source. Plain text is unchanged, so applying a function twice has no further effect.
public enum ForeignText {
    /// The longest line, scalars.
    public static let longestLine = 1000
    /// The longest name of a dock, a camera, a key or a word.
    public static let longestName = 120
    /// The most lines that `lines` returns.
    public static let mostLines = 400

    /// One line: no controls, no line ends, nothing invisible, no base letter with a heap of marks. If it is longer than
    /// `longest` scalars, it is cut there and ends with an ellipsis.
    public static func line(_ text: some StringProtocol, longest: Int = longestLine) -> String {
        if isShortASCII(text.utf8, longest) { return String(text) }
        var plain = BoundedText(longest: longest)
        var marks = PlainScalars()
        for scalar in text.unicodeScalars {
            guard marks.accepts(scalar) ? plain.add(scalar) : plain.add(escaped: scalar) else { break }
        }
        return plain.text
    }

    /// One line from bytes; invalid UTF-8 becomes U+FFFD.
    public static func line(bytes: some Collection<UInt8>, longest: Int = longestLine) -> String {
        // A scalar has at most four bytes; the extra ones show that something was cut.
        line(String(decoding: bytes.prefix(longest * 4 + 4), as: UTF8.self), longest: longest)
    }

    /// A name for use in a sentence: one line of at most 120 scalars.
    public static func name(_ text: some StringProtocol) -> String { line(text, longest: longestName) }

    /// Text that keeps its line ends, such as an answer to `help`: each line is plain, and there are at most 400.
    public static func lines(_ text: some StringProtocol) -> String {
        // Split by scalars, because a carriage return and a line feed form one character.
        let all = String(text).unicodeScalars.split(
            separator: "\n", maxSplits: mostLines, omittingEmptySubsequences: false)
        let plain = all.prefix(mostLines).map { line(Substring($0)) }
        return (all.count > mostLines ? plain + ["\u{2026}"] : plain).joined(separator: "\n")
    }

    /// The second protection, where text leaves the program: everything that a terminal would interpret, except a line feed, is
    /// escaped. Length, marks and letters are unchanged.
    public static func guarded(_ text: String) -> String {
        guard text.utf8.contains(where: mayCommand) else { return text }
        guard text.unicodeScalars.contains(where: { commands($0) && $0 != "\n" }) else { return text }
        var guarded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if commands(scalar), scalar != "\n" {
                guarded.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                guarded.append(scalar)
            }
        }
        return String(guarded)
    }

    /// Whether `line` would leave a text unchanged.
    public static func isPlain(_ text: some StringProtocol) -> Bool {
        var marks = PlainScalars()
        return text.unicodeScalars.allSatisfy { marks.accepts($0) }
    }

    /// Whether a terminal interprets a scalar, or the scalar rearranges its neighbours: C0, DEL, C1, bidirectional controls,
    /// line and paragraph separators.
    @inline(__always)
    public static func commands(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F: false
        case 0x00..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether a UTF-8 byte can be part of such a scalar: a control, or the first byte of a longer one.
    @inline(__always)
    public static func mayCommand(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x0A: false
        case 0x00..<0x20, 0x7F, 0xC2, 0xD8, 0xE2: true
        default: false
        }
    }

    /// `\u{1b}`.
    static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{" + String(scalar.value, radix: 16) + "}" }

    private static func isShortASCII(_ bytes: some Sequence<UInt8>, _ longest: Int) -> Bool {
        var count = 0
        for byte in bytes {
            count += 1
            guard count <= longest, (0x20..<0x7F).contains(byte) else { return false }
        }
        return true
    }
}

/// Text of bounded length that ends with an ellipsis if it was cut. An escape is never cut.
struct BoundedText {
    private let longest: Int
    private var scalars = String.UnicodeScalarView()
    private var count = 0
    /// The last position at which an ellipsis still fits.
    private var cut: String.UnicodeScalarView.Index

    init(longest: Int) {
        self.longest = max(1, longest)
        cut = scalars.startIndex
    }

    /// False if the text has reached its limit; it is complete then.
    mutating func add(_ scalar: Unicode.Scalar) -> Bool {
        guard count < longest else { return end() }
        scalars.append(scalar)
        return grown(by: 1)
    }

    /// The same for a scalar that must be escaped.
    mutating func add(escaped scalar: Unicode.Scalar) -> Bool {
        let escape = ForeignText.escape(scalar).unicodeScalars
        guard count + escape.count <= longest else { return end() }
        scalars.append(contentsOf: escape)
        return grown(by: escape.count)
    }

    private mutating func grown(by more: Int) -> Bool {
        count += more
        if count < longest { cut = scalars.endIndex }
        return true
    }

    private mutating func end() -> Bool {
        scalars.removeSubrange(cut...)
        scalars.append("\u{2026}")
        return false
    }

    var text: String { String(scalars) }
}
