public import DockControl

/// Writes a rig profile as TOML, every key of it, walked by the table that it is read with: what is read is what was written.
///
/// Comments of an earlier file are not kept.
public enum ProfileWriter {
    /// The text of a profile file; `comment` lines come first.
    public static func text(of profile: RigProfile, comment: [String] = []) -> String {
        var text = comment.map { "# \($0)\n" }.joined() + FileText.lines(of: profile, ProfileTable.rows)
        guard !profile.options.isEmpty else { return text }
        text += "\n[options]\n"
        for (key, value) in profile.options.sorted(by: { $0.key < $1.key }) {
            text += "\(key) = \(FileText.words(value))\n"
        }
        return text
    }
}
