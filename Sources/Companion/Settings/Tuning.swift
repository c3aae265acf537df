public import DockControl
public import DockTypes
internal import Geometry
internal import Logging

/// The initial values of a session that a reload can change while the dock runs. Each is a command that a person could
/// type.
public struct Tuning: Sendable, Equatable {
    /// The lines in the format of the word `limits`, "pan -60 60 45"; empty for the rig's own limits.
    public var limits: [String] = []
    /// The speed of manual motion as a fraction, 0.01...1.
    public var speed = 1.0
    /// The position of the face in the frame.
    public var framing = FramingMode.automatic
    /// The name or number of the expression, or nil for the session's default.
    public var expression: String?
    /// Whether the head moves a little with expressions.
    public var gestures = false
    /// The lowest level of log lines that are written.
    public var logLevel = LogThreshold.info

    /// Creates the default values.
    public init() {}

    /// Returns the commands that change the values from `before` to these. The limits are set only at the start
    /// (`before` is nil), because narrower limits need a stop first.
    func commands(after before: Tuning?) -> [Command] {
        let old = before ?? Tuning()
        var commands: [Command] = []
        if before == nil { commands += limits.compactMap { try? Self.limit($0) } }
        if speed != old.speed { commands.append(.motion(.setSpeed(speed))) }
        if framing != old.framing { commands.append(.motion(.setFraming(framing))) }
        if expression != old.expression { commands.append(.face(expression ?? "normal")) }
        if gestures != old.gestures { commands.append(.gestures(gestures)) }
        return commands
    }

    /// Returns the reason why a rig cannot have these limits, or nil if it can. Check this before a dock is opened: a
    /// dock whose limits were rejected would turn as far as its profile permits.
    public func refusal(for profile: RigProfile) -> DockError? {
        for line in limits {
            guard case .motion(.setLimits(let pan, let tilt)) = try? Self.limit(line) else { continue }
            for (axis, change) in [(Axis.pan, pan), (.tilt, tilt)] {
                guard case .set(let low, let high, let speed) = change,
                    let refusal = profile.refusal(axis, low: low, high: high, speed: speed)
                else { continue }
                return DockError(.configuration, "limits \"\(line)\": \(refusal.message)", hint: refusal.hint)
            }
        }
        return nil
    }

    /// Returns the mistake in a line of limits and what to write instead, or nil if there is no mistake.
    public static func flaw(inLimits line: String) -> String? {
        do throws(CommandError) {
            _ = try limit(line)
            return nil
        } catch {
            return error.hint.isEmpty ? error.message : "\(error.message): \(error.hint)"
        }
    }

    /// Returns the command for a line of limits.
    /// - Throws: `CommandError` with a hint on what to write instead.
    static func limit(_ line: String) throws(CommandError) -> Command {
        guard !line.contains(where: \.isNewline), !line.hasPrefix("reset") else {
            throw CommandError(message: "not a limit: \(line.prefix(40))", hint: "write it as in \"pan -60 60 45\"")
        }
        return try CommandWords.parse("limits " + line)
    }
}

/// The lowest level of log lines that are written, in the terms of syslog.
public enum LogThreshold: String, Sendable, CaseIterable {
    /// Details for debugging dockface.
    case debug
    /// Normal events.
    case info
    /// Events that a person should be aware of.
    case notice
    /// Problems that a person should correct.
    case warning
    /// Failures.
    case error

    var level: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        }
    }
}

/// The result of reading the settings again.
public enum Reload: Sendable, Equatable {
    /// They are invalid and the old ones stay in effect; the text contains the mistakes and their positions.
    case refused(String)
    /// They have not changed.
    case unchanged
    /// Only values that can change while the dock runs have changed.
    case tuned(Tuning)
    /// These keys have changed and need a stop and a restart.
    case restart([String])
}
