public import RobotFace

/// Writes an expression as TOML: what differs from the calm face, and how it moves. What is read is what was written.
public enum ExpressionWriter {
    /// The text of a file, for an expression of this name.
    public static func text(of expression: Expression, as name: String) -> String {
        var draft = ExpressionDraft(expression: expression)
        draft.expression.name = String(name.prefix(ExpressionReader.longestName))
        draft.expression.words = []
        let plain = ExpressionDraft(expression: .normal)
        let rows = ExpressionDraft.rows.filter { row in
            row.name == "name" || row.get(draft) != row.get(plain)
        }
        var text = "# A face for dockface: docs/FACE.md says what the keys mean.\n"
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
