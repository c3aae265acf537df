public import DockControl
public import Files

/// Writes a rig profile as TOML with all keys, by the same table that reads it, so that reading the text gives the same
/// profile.
///
/// Comments of an earlier file are not preserved.
public enum ProfileWriter {
    /// Returns the text of a profile file; `comment` lines come first.
    /// - Throws: `FileError` if the reader would reject it, so it must not be written.
    public static func checked(_ profile: RigProfile, comment: [String]) throws(FileError) -> String {
        let text = text(of: profile, comment: comment)
        _ = try ProfileReader.read(text, file: "the profile")
        return text
    }

    /// Returns the text of a profile file; `comment` lines come first.
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
