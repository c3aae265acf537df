public import RobotFace

extension ExpressionBook {
    /// What to say of a name that no face has: what is wrong, and the nearest name or all of them.
    public func missing(_ name: String) -> (message: String, nearest: String?, all: String) {
        (
            "there is no face \"\(name.prefix(40))\"", Spelling.nearest(to: name.lowercased(), among: names),
            "one of: " + names.joined(separator: " ")
        )
    }
}
