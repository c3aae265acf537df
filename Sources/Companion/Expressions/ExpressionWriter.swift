internal import Files
public import RobotFace

/// Writes an expression as TOML: its differences from the calm face, and its motion. Reading the text gives the same
/// expression.
public enum ExpressionWriter {
    /// Returns the text of a file for an expression with this name.
    public static func text(of expression: Expression, as name: String) -> String {
        var draft = ExpressionDraft(expression: expression)
        draft.expression.name = String(name.prefix(ExpressionReader.longestName))
        draft.expression.words = []
        let plain = ExpressionDraft(expression: .normal)
        let rows = ExpressionDraft.rows.filter { row in
            row.name == "name" || row.get(draft) != row.get(plain)
        }
        var text = "# An expression for dockface. docs/FACE.md explains the keys.\n"
        text += FileText.lines(of: draft, rows.filter { $0.path.count == 1 })
        if expression.motion.isEmpty { text += "motion = []\n" }
        text += FileText.lines(of: draft, rows.filter { $0.path.count > 1 })
        for track in expression.motion where expression.motion != Expression.normal.motion {
            let draft = TrackDraft(track)
            text += "\n[[motion]]\n"
            for row in TrackDraft.rows {
                guard let value = row.get(draft), draft.mustSay(row.name) || value != row.get(TrackDraft()) else {
                    continue
                }
                text += FileText.line(row, value, draft)
            }
        }
        return text
    }
}
