internal import Files
internal import RobotFace

/// An expression in the form of its file.
struct ExpressionDraft: Sendable, Equatable {
    var expression: Expression

    static func == (a: ExpressionDraft, b: ExpressionDraft) -> Bool {
        a.expression.name == b.expression.name && a.expression.words == b.expression.words
            && a.expression.isDrawn(like: b.expression)
    }

    /// The keys of the file except `based_on` and `[[motion]]`. `eyes` come before `left` and `right`, which then
    /// contain only differences.
    static let rows: [FileRow<ExpressionDraft>] =
        general + eye("eyes", \.left) + eye("left", \.left) + eye("right", \.right) + face

    private static let valences = ["unpleasant", "neutral", "pleasant"]
    private static let gestures = ["none"] + Expression.all.filter { $0.gesture != nil }.map(\.name)

    private static let general: [FileRow<ExpressionDraft>] = [
        FileRow("name", .text, required: true, get: { .text($0.expression.name) }) { $0.expression.name = $1.text },
        FileRow("words", .texts(most: 16), get: { $0.expression.words.isEmpty ? nil : .texts($0.expression.words) }) {
            $0.expression.words = $1.texts.map { $0.lowercased() }
        },
        FileRow("valence", .oneOf(valences), get: { .text(valences[$0.expression.valence + 1]) }) {
            $0.expression.valence = (valences.firstIndex(of: $1.text) ?? 1) - 1
        },
        colour("colour", \.colour), colour("accent", \.accent),
        FileRow("mark", .oneOf(Mark.allCases.map { "\($0)" }), get: { .text("\($0.expression.mark)") }) { draft, word in
            draft.expression.mark = Mark.allCases.first { "\($0)" == word.text } ?? .none
        },
        FileRow("blinks_per_minute", .number(1...40), get: { .number($0.expression.blinksPerMinute) }) {
            $0.expression.blinksPerMinute = $1.number
        },
        FileRow("blink_length", .number(0.4...4), get: { .number($0.expression.blinkLength) }) {
            $0.expression.blinkLength = $1.number
        },
        FileRow("urgent", .flag, get: { .flag($0.expression.isUrgent) }) { $0.expression.isUrgent = $1.flag },
        FileRow("gesture", .oneOf(gestures), get: { .text(gestureName($0.expression)) }) { draft, word in
            draft.expression.gesture = Expression.all.first { $0.name == word.text }?.gesture
        },
    ]

    private static func gestureName(_ expression: Expression) -> String {
        guard let gesture = expression.gesture else { return "none" }
        return Expression.all.first { $0.gesture == gesture }?.name ?? "none"
    }

    private static func colour(
        _ name: String, _ path: any WritableKeyPath<Expression, UInt32> & Sendable
    ) -> FileRow<ExpressionDraft> {
        FileRow(
            name, .colour,
            get: {
                let digits = String($0.expression[keyPath: path], radix: 16, uppercase: true)
                return .text("#" + String(repeating: "0", count: 6 - digits.count) + digits)
            }
        ) {
            $0.expression[keyPath: path] = UInt32($1.text.dropFirst(), radix: 16) ?? 0
        }
    }

    /// Returns the rows of an eye parameter. A value is written to `[eyes]` if it is the same for both eyes, and
    /// otherwise to `[left]` and `[right]`.
    private static func eye(
        _ name: String, _ path: any WritableKeyPath<Expression, EyePose> & Sendable
    ) -> [FileRow<ExpressionDraft>] {
        let isBoth = name == "eyes"
        let glyph = FileRow<ExpressionDraft>(
            name + ".glyph", .oneOf(EyeGlyph.allCases.map { "\($0)" }),
            get: { draft in
                let expression = draft.expression
                guard (expression.left.glyph == expression.right.glyph) == isBoth else { return nil }
                return .text("\(expression[keyPath: path].glyph)")
            }
        ) { draft, word in
            let glyph = EyeGlyph.allCases.first { "\($0)" == word.text } ?? .none
            for path in isBoth ? [\Expression.left, \Expression.right] : [path] {
                draft.expression[keyPath: path].glyph = glyph
                draft.expression[keyPath: path][.morph] = glyph == .none ? 0 : 1
            }
        }
        // The animator controls the morph between eye and glyph, and the blink.
        let parameters = EyeParameter.allCases.filter { $0 != .morph && $0 != .lid }
        return [glyph]
            + parameters.map { parameter in
                let low = EyePose.limits.low[parameter.rawValue], high = EyePose.limits.high[parameter.rawValue]
                return FileRow(
                    name + "." + FileText.key(parameter), .number(FileText.short(low)...FileText.short(high)),
                    get: { draft in
                        let expression = draft.expression
                        guard (expression.left[parameter] == expression.right[parameter]) == isBoth else { return nil }
                        return .number(FileText.short(expression[keyPath: path][parameter]))
                    }
                ) { draft, value in
                    draft.expression[keyPath: path][parameter] = Float(value.number)
                    if isBoth { draft.expression.right[parameter] = Float(value.number) }
                }
            }
    }

    private static let face: [FileRow<ExpressionDraft>] = FaceParameter.allCases.map { parameter in
        let low = FacePose.limits.low[parameter.rawValue], high = FacePose.limits.high[parameter.rawValue]
        return FileRow(
            "face." + FileText.key(parameter), .number(FileText.short(low)...FileText.short(high)),
            get: { .number(FileText.short($0.expression.face[parameter])) }
        ) {
            $0.expression.face[parameter] = Float($1.number)
        }
    }
}
