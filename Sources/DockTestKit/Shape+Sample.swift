public import ControlProtocol

extension Shape {
    /// A value of this form, with as little in it as the form permits.
    public var sample: JSONValue {
        switch self {
        case .flag: .bool(false)
        case .yes: .bool(true)
        case .number(let range): .number(min(max(0, range.lowerBound), range.upperBound))
        case .positive(let most): .number(min(1, most))
        case .whole(let range): .number(min(max(0, range.lowerBound), range.upperBound))
        case .multiple(let step, let range): .number(Self.multiple(of: step, in: range))
        case .word(let all): .string(all.first ?? "")
        case .name: .string("sample")
        case .expression: .string("normal")
        case .text(let range): .string(String(repeating: "x", count: max(0, range.lowerBound)))
        case .rect: .array([0.25, 0.25, 0.5, 0.5].map { .number($0) })
        case .list(let part, let range, _): .array(Array(repeating: part.sample, count: max(0, range.lowerBound)))
        case .object(let fields): Self.object(fields)
        case .map: .object([:])
        case .oneOf(let shapes): shapes.first?.sample ?? .null
        case .named: resolved.sample
        case .orNull, .anything: .null
        }
    }

    private static func multiple(of step: Int, in range: ClosedRange<Int>) -> Int {
        guard step > 0, range.lowerBound > 0 else { return 0 }
        let (rounded, isTooMuch) = range.lowerBound.addingReportingOverflow(step - 1)
        return isTooMuch ? 0 : rounded / step * step
    }

    private static func object(_ fields: [Field]) -> JSONValue {
        .object(
            fields.filter(\.isRequired).reduce(into: [:]) { members, field in members[field.name] = field.shape.sample }
        )
    }
}
