/// One key of a TOML file: its path, its permitted values, and what it sets. A table of rows defines a file format.
struct FileRow<Subject>: Sendable {
    /// Tables and key: ["pan", "min"].
    let path: [String]
    let kind: FileKind
    let required: Bool
    /// Returns a subject's value in the units of the file; nil: none, and no line is written.
    let get: @Sendable (Subject) -> FileValue?
    let set: @Sendable (inout Subject, FileValue) -> Void

    init(
        _ path: String, _ kind: FileKind, required: Bool = false, get: @escaping @Sendable (Subject) -> FileValue?,
        set: @escaping @Sendable (inout Subject, FileValue) -> Void
    ) {
        self.path = path.split(separator: ".").map(String.init)
        self.kind = kind
        self.required = required
        self.get = get
        self.set = set
    }

    var name: String { path.joined(separator: ".") }
}

/// The permitted values of a key.
enum FileKind: Sendable {
    case text
    case oneOf([String])
    /// At most this number of texts.
    case texts(most: Int)
    case flag
    case number(ClosedRange<Double>)
    case whole(ClosedRange<Double>)
    /// "#RRGGBB".
    case colour
    /// Points of time (0 to 60 seconds, in order) and value: [[0, 0], [1.5, 0.2]].
    case curve(most: Int, ClosedRange<Double>)

    /// A description of the permitted values for error messages.
    var expectation: String {
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
enum FileValue: Sendable, Equatable {
    case text(String)
    case texts([String])
    case flag(Bool)
    case number(Double)
    case curve([SIMD2<Double>])

    var text: String { if case .text(let value) = self { value } else { "" } }
    var texts: [String] { if case .texts(let value) = self { value } else { [] } }
    var flag: Bool { if case .flag(let value) = self { value } else { false } }
    var number: Double { if case .number(let value) = self { value } else { 0 } }
    var curve: [SIMD2<Double>] { if case .curve(let value) = self { value } else { [] } }
}
