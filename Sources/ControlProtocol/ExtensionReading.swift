/// The state of an extension, a program beside the daemon.
public enum ExtensionState: String, Sendable, CaseIterable {
    /// It is preparing its work.
    case starting
    /// It works.
    case ready
    /// It lacks something, such as a device or a server, and tries to get it.
    case trying
    /// It cannot work, for the reason that it gives.
    case fault
    /// It has not reported in time.
    case silent
    /// The daemon starts it again in a moment.
    case restarting
    /// It ended too often, or with an error that it would repeat. The daemon starts it again now and then.
    case failed
    /// It has finished its work.
    case over

    /// The states that an extension can report of itself.
    public static let reported: [ExtensionState] = [.starting, .ready, .trying, .fault]
    /// Whether people should notice it.
    public var isTrouble: Bool { [.fault, .silent, .restarting, .failed].contains(self) }
}

/// An element of `extensions` in the status.
public struct ExtensionReading: Record, Equatable {
    /// Its name.
    public var name = ""
    /// Its version; empty if it is not known.
    public var version = ""
    /// Its state.
    public var state = ExtensionState.starting
    /// The reason for the state, for people; empty if there is none. At most 80 bytes.
    public var text = ""
    /// Whether the daemon has started it (`dockface run --with`).
    public var isChild = false
    /// How often the daemon has started it again.
    public var restarts = 0
    /// The process group that reports, or that the daemon has started; nil if it is not known. It is no member.
    public var process: Int32?

    /// Creates a reading in which nothing is known.
    public init() {}

    /// The members.
    public static let rows: [RecordRow<ExtensionReading>] = [
        RecordRow("name", .name, get: { .string($0.name) }) { $0.name = $1.string ?? "" },
        RecordRow("version", .anyText, get: { .string($0.version) }) { $0.version = $1.string ?? "" },
        RecordRow(
            "state", .word(ExtensionState.allCases.map(\.rawValue)), get: { .string($0.state.rawValue) }
        ) { $0.state = $1.string.flatMap(ExtensionState.init(rawValue:)) ?? .starting },
        RecordRow("text", .anyText, get: { .string($0.text) }) { $0.text = $1.string ?? "" },
        RecordRow("child", .flag, get: { .bool($0.isChild) }) { $0.isChild = $1.bool ?? false },
        RecordRow("restarts", .count, get: { .number($0.restarts) }) { $0.restarts = $1.integer ?? 0 },
    ]
}
