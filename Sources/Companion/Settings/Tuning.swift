public import DockControl
internal import Geometry
internal import Logging

/// What a session begins with, and what a reload may change while the dock goes on: each is a command that a person could type.
public struct Tuning: Sendable, Equatable {
    /// Lines as the word `limits` takes them, "pan -60 60 45"; empty: the rig's own.
    public var limits: [String] = []
    /// Share of the speed of manual motion, 0.01...1.
    public var speed = 1.0
    /// Where in the picture the face is placed.
    public var framing = FramingMode.automatic
    /// Name or number of the face; nil: the session's usual one.
    public var expression: String?
    /// The head moves a little with expressions.
    public var gestures = false
    /// The least important lines that the log tells.
    public var logLevel = LogThreshold.info

    /// What holds where nobody says anything.
    public init() {}

    /// What makes it so where `before` holds; limits only with the beginning, because narrower ones want a stop first.
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

    /// Why a rig cannot have these limits; nil: it can. To be asked before anything is opened: a dock whose limits were refused
    /// would turn as far as its profile lets it.
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

    /// What is wrong with a line of limits, and what to write instead; nil: nothing.
    public static func flaw(inLimits line: String) -> String? {
        do throws(CommandError) {
            _ = try limit(line)
            return nil
        } catch {
            return error.hint.isEmpty ? error.message : "\(error.message): \(error.hint)"
        }
    }

    /// The command of a line of limits.
    /// - Throws: `CommandError` with what to write instead.
    static func limit(_ line: String) throws(CommandError) -> Command {
        guard !line.contains(where: \.isNewline), !line.hasPrefix("reset") else {
            throw CommandError(message: "no limits: \(line.prefix(40))", hint: "as in \"pan -60 60 45\"")
        }
        return try CommandWords.parse("limits " + line)
    }
}

/// How important a line of the log is, at least; the words of syslog.
public enum LogThreshold: String, Sendable, CaseIterable {
    /// What somebody who looks for a mistake in dockface wants to read.
    case debug
    /// What happens.
    case info
    /// What somebody should know.
    case notice
    /// What somebody should mend.
    case warning
    /// What does not work.
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

/// What became of reading the settings once more.
public enum Reload: Sendable, Equatable {
    /// They cannot be used, and the old ones stay: what is wrong, and where.
    case refused(String)
    /// They are what they were.
    case unchanged
    /// Only what can change while the dock goes on.
    case tuned(Tuning)
    /// These need a stop and a new beginning.
    case anew([String])
}
