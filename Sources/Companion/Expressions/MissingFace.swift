internal import Files
public import RobotFace

extension ExpressionBook {
    /// Returns the error for an unknown name, with the nearest name and the list of all names.
    public func missing(_ name: String) -> (message: String, nearest: String?, all: String) {
        (
            "there is no face \"\(name.prefix(40))\"", Spelling.nearest(to: name.lowercased(), among: names),
            "one of: " + names.joined(separator: " ")
        )
    }
}
