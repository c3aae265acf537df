public import Files

/// What a person can set: in `log.toml`, in `DOCKFACE_LOG_*`, and on the command line.
public struct LogSettings: Sendable, Equatable {
    /// The room for all files, in MB of 1,000,000 bytes.
    public var budget = 64.0
    /// Whether it is kept who was seen from when to when.
    public var people = true

    /// The smallest and the largest budget, in MB.
    public static let budgets = 1.0...1_000_000

    /// Creates the default settings.
    public init() {}

    /// The room for all files, in bytes.
    public var bytes: Int { Int(budget * 1_000_000) }

    /// The keys of `log.toml`.
    public static let rows: [FileRow<LogSettings>] = [
        FileRow("budget", .number(budgets), get: { .number($0.budget) }) { $0.budget = $1.number },
        FileRow("people", .flag, get: { .flag($0.people) }) { $0.people = $1.flag },
    ]
}
