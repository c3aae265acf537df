package import DockControl

/// A trace read from a file.
package struct Trace: Sendable {
    /// The name of the rig's profile.
    package var rig = ""
    /// The name of its driver.
    package var driver = ""
    /// The version of the program that wrote it.
    package var program = ""
    /// The reason why it was written.
    package var cause = ""
    /// When it was written, according to the file, in UTC.
    package var written = ""
    /// The rig's profile as TOML text, or nil if it is not in the trace.
    package var profile: String?
    /// The records, in the order of the file.
    package var records: [TraceRecord] = []
    /// The initial state of the recorded loop, or nil if it is not in the trace, as in those of earlier versions.
    package var run: TraceAbout?
    /// The number of records before the first one that were overwritten.
    package var dropped = 0
    /// Whether the last line was cut off, for example by a full disk.
    package var isCut = false
    /// The number of lines of a kind that this program does not support.
    package var unknown = 0

    /// Creates an empty trace.
    init() {}
}
