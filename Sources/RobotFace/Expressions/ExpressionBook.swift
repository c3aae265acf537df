/// The expressions that a face knows: the 21, and behind them those that were added.
public struct ExpressionBook: Sendable {
    /// In the order in which a tap walks through them.
    public private(set) var all: [Expression]

    /// The 21 alone.
    public init() { all = Expression.all }

    /// With more of them; one whose name or words are taken is left out.
    public init(adding more: [Expression]) {
        self.init()
        for expression in more where ([expression.name] + expression.words).allSatisfy({ self[$0] == nil }) {
            var expression = expression
            expression.index = all.count + 1
            expression.ramp = FaceRamp(near: expression.colour, accent: expression.accent)
            all.append(expression)
        }
    }

    /// Finds one by name, by index as text or by another word for it; case does not matter.
    public subscript(text: String) -> Expression? {
        if let builtIn = Expression(named: text) { return builtIn }
        let word = text.lowercased()
        return all.dropFirst(Expression.all.count).first {
            $0.name == word || String($0.index) == word || $0.words.contains(word)
        }
    }

    /// Their names, in order.
    public var names: [String] { all.map(\.name) }

    /// The one after; after the last comes the first.
    public func next(after expression: Expression) -> Expression { all[expression.index % all.count] }
}
