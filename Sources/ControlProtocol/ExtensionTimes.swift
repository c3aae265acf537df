public import Geometry

/// The times on which extensions and those who run them agree, in seconds. The daemon (`run --with`), `ExtensionKit`
/// and the units (packaging/extension.service.in) all use these.
public enum ExtensionTimes {
    /// How long the work of an extension may take to end after TERM. `ExtensionKit` then ends the process.
    public static let end: Seconds = 5
    /// When a process that has not ended after TERM is killed: after `end`, so that it can end itself.
    public static let kill: Seconds = 6
    /// How often an extension reports its state.
    public static let report: Seconds = 2
    /// How long a report counts if it does not say. Five reports fit in, because a busy machine delays some.
    public static let silence: Seconds = 10
    /// How long the work of an extension may give no sign of life before it is no longer reported. A slow disk takes
    /// several seconds to write.
    public static let work: Seconds = 10
    /// How long systemd waits for a sign of life, which comes with each report.
    public static let watchdog: Seconds = 20
}
