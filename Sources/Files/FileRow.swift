/// One key of a TOML file: its path, its permitted values, and what it sets. A table of rows defines a file format.
public struct FileRow<Subject>: Sendable {
    /// The tables and the key: ["pan", "min"].
    public let path: [String]
    /// The values that it permits.
    public let kind: FileKind
    /// Whether a file without the key is wrong.
    public let required: Bool
    /// Returns a subject's value in the units of the file, or nil if there is none; then no line is written.
    public let get: @Sendable (Subject) -> FileValue?
    /// Sets a value in the units of the file.
    public let set: @Sendable (inout Subject, FileValue) -> Void

    /// Creates a row; `path` has a dot between tables and key: "pan.min".
    public init(
        _ path: String, _ kind: FileKind, required: Bool = false, get: @escaping @Sendable (Subject) -> FileValue?,
        set: @escaping @Sendable (inout Subject, FileValue) -> Void
    ) {
        self.path = path.split(separator: ".").map(String.init)
        self.kind = kind
        self.required = required
        self.get = get
        self.set = set
    }

    /// The path with dots.
    public var name: String { path.joined(separator: ".") }
}

/// The permitted values of a key.
public enum FileKind: Sendable {
    /// A string without control or invisible characters.
    case text
    /// One of these strings.
    case oneOf([String])
    /// At most this number of texts.
    case texts(most: Int)
    /// True or false.
    case flag
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// A whole number in a range.
    case whole(ClosedRange<Double>)
    /// "#RRGGBB".
    case colour
    /// Points of time (0 to 60 seconds, in order) and value: [[0, 0], [1.5, 0.2]].
    case curve(most: Int, ClosedRange<Double>)

    /// A description of the permitted values for error messages.
    public var expectation: String {
        switch self {
        case .text: "expected a string in quotes, without control or invisible characters"
        case .oneOf(let words): "expected " + words.map { "\"\($0)\"" }.joined(separator: " or ")
        case .texts(let most):
            "expected at most \(most) strings, as in [\"one\", \"two\"], without control or invisible characters"
        case .flag: "expected true or false"
        case .number(let range):
            "expected a number from \(Self.tidy(range.lowerBound)) to \(Self.tidy(range.upperBound))"
        case .whole(let range):
            "expected a whole number from \(Self.tidy(range.lowerBound)) to \(Self.tidy(range.upperBound))"
        case .colour: "expected a colour, as in \"#33CBFE\""
        case .curve(let most, let range):
            "expected 1 to \(most) pairs of seconds, each later than the one before, and a value from "
                + "\(Self.tidy(range.lowerBound)) to \(Self.tidy(range.upperBound)), as in [[0, 0], [1.5, 0.2]]"
        }
    }

    private static func tidy(_ value: Double) -> String { FileText.words(value) }
}

/// The value of a key.
public enum FileValue: Sendable, Equatable {
    /// A string, a word or a colour.
    case text(String)
    /// Several strings.
    case texts([String])
    /// True or false.
    case flag(Bool)
    /// A number, whole or not.
    case number(Double)
    /// Points of time (seconds) and value.
    case curve([SIMD2<Double>])

    /// The string; empty if the value is not a string.
    public var text: String { if case .text(let value) = self { value } else { "" } }
    /// The strings; empty if the value is not a list of strings.
    public var texts: [String] { if case .texts(let value) = self { value } else { [] } }
    /// The truth value; false if the value is not a flag.
    public var flag: Bool { if case .flag(let value) = self { value } else { false } }
    /// The number; 0 if the value is not a number.
    public var number: Double { if case .number(let value) = self { value } else { 0 } }
    /// The points; empty if the value is not a curve.
    public var curve: [SIMD2<Double>] { if case .curve(let value) = self { value } else { [] } }
}
