/// The expressions that a face can show: the 21, followed by the added ones.
public struct ExpressionBook: Sendable {
    /// The expressions in the order in which taps go through them.
    public private(set) var all: [Expression]

    /// Creates a book of only the 21 expressions.
    public init() { all = Expression.all }

    /// Creates a book with more expressions. One whose name or words are already used is skipped.
    public init(adding more: [Expression]) {
        self.init()
        for expression in more where ([expression.name] + expression.words).allSatisfy({ self[$0] == nil }) {
            var expression = expression
            expression.index = all.count + 1
            expression.ramp = FaceRamp(near: expression.colour, accent: expression.accent)
            all.append(expression)
        }
    }

    /// Finds an expression by name, by index as text or by a synonym. Case does not matter.
    public subscript(text: String) -> Expression? {
        if let builtIn = Expression(named: text) { return builtIn }
        let word = text.lowercased()
        return all.dropFirst(Expression.all.count).first {
            $0.name == word || String($0.index) == word || $0.words.contains(word)
        }
    }

    /// Their names, in order.
    public var names: [String] { all.map(\.name) }

    /// Returns the next expression. The first follows the last.
    public func next(after expression: Expression) -> Expression { all[expression.index % all.count] }
}
