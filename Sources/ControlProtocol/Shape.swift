/// The form of a JSON value: what the control API accepts and what it sends. The schema, the check of a call's
/// parameters and the tests of all answers are views of it.
public indirect enum Shape: Sendable, Equatable {
    /// True or false.
    case flag
    /// The value true.
    case yes
    /// A finite number in a range. An infinite bound means no bound.
    case number(ClosedRange<Double>)
    /// A number above 0.
    case positive(upTo: Double)
    /// A whole number in a range. `Int.min` and `Int.max` mean no bound.
    case whole(ClosedRange<Int>)
    /// A multiple of a whole number in a range.
    case multiple(of: Int, ClosedRange<Int>)
    /// One of these strings.
    case word([String])
    /// A name of a preset, a motion or a detector: 1 to 32 of a-z 0-9 _ -.
    case name
    /// The name of an expression: a lower-case letter, then at most 23 of a-z 0-9 -.
    case expression
    /// A string with this number of bytes.
    case text(ClosedRange<Int>)
    /// A rectangle that a program gives: [x, y, width, height], normalised.
    case rect
    /// An array.
    case list(of: Shape, ClosedRange<Int>, isUnique: Bool = false)
    /// An object with these members and no others.
    case object([Field])
    /// An object with any names and values of one form.
    case map(Shape)
    /// One of these forms.
    case oneOf([Shape])
    /// A type of the table, by name.
    case named(String)
    /// This form, or null.
    case orNull(Shape)
    /// Any value.
    case anything

    /// Any finite number.
    public static let anyNumber = Shape.number(-.infinity ... .infinity)
    /// A number of seconds, metres or fractions that is not negative.
    public static let amount = Shape.number(0 ... .infinity)
    /// A fraction of a whole, 0 to 1.
    public static let share = Shape.number(0...1)
    /// A non-negative count.
    public static let count = Shape.whole(0...Int.max)
    /// Any string.
    public static let anyText = Shape.text(0...Int.max)
    /// A string that is not empty.
    public static let someText = Shape.text(1...Int.max)
}

/// A member of an object, or a parameter of a method.
public struct Field: Sendable, Equatable {
    /// The member's name.
    public let name: String
    /// The form of its value.
    public let shape: Shape
    /// Whether an object without it is wrong.
    public let isRequired: Bool
    /// The members without which it has no meaning.
    public let partners: [String]

    /// Returns a member that is always present.
    public static func required(_ name: String, _ shape: Shape) -> Field {
        Field(name: name, shape: shape, isRequired: true, partners: [])
    }

    /// Returns a member that may be missing; it is given only together with its partners.
    public static func optional(_ name: String, _ shape: Shape, with partners: [String] = []) -> Field {
        Field(name: name, shape: shape, isRequired: false, partners: partners)
    }

    /// Returns the names of the members; a question mark follows optional ones.
    public static func usage(_ fields: [Field]) -> String {
        fields.map { $0.name + ($0.isRequired ? "" : "?") }.joined(separator: ", ")
    }
}
