package import DockControl

/// A trace read from a file.
package struct Trace: Sendable {
    /// Name of the rig's profile.
    package var rig = ""
    /// Name of its driver.
    package var driver = ""
    /// Version of the program that wrote it.
    package var program = ""
    /// Why it was written.
    package var cause = ""
    /// When it was written, according to the file, in UTC.
    package var written = ""
    /// The rig's profile as TOML text; nil: not in the trace.
    package var profile: String?
    /// The records, in the order of the file.
    package var records: [TraceRecord] = []
    /// The initial state of the recorded loop; nil: not in the trace, as in those of earlier versions.
    package var run: TraceAbout?
    /// Records before the first one that were overwritten.
    package var dropped = 0
    /// Whether the last line was cut off, for example by a full disk.
    package var isCut = false
    /// Lines of a kind that this program does not know.
    package var unknown = 0

    /// An empty trace.
    init() {}
}
