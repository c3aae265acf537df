internal import ControlProtocol
internal import DockClient
internal import DockTypes

/// What an extension reports to the daemon, and to which daemons, as a pure value.
struct ReportRule: Sendable {
    /// The maximum length of a text, in bytes.
    static let longest = 80

    /// The daemon that does not know the call.
    private var older: ControlGreeting?
    private var said: Set<String> = []

    /// Whether a daemon with this greeting gets reports.
    func reaches(_ greeting: ControlGreeting) -> Bool { older != greeting }

    /// Records that the daemon with this greeting rejected a report. Returns what to say, or nil.
    mutating func failed(_ error: DockError, by greeting: ControlGreeting) -> String? {
        switch error.code {
        // An unknown method arrives as `protocolError`. The daemon is older, and that is no fault.
        case .notSupported, .protocolError:
            older = greeting
            return nil
        // The next report comes in a moment.
        case .notConnected, .timeout, .busy: return nil
        default: return said.insert(error.message).inserted ? "the daemon rejects the report: \(error.message)" : nil
        }
    }

    /// Returns a state in words: "ready", "trying: no gamepad".
    static func words(_ state: ExtensionState, _ text: String) -> String {
        let plain = PlainLine.of(text, bytes: longest)
        return state.rawValue + (plain.isEmpty ? "" : ": " + plain)
    }

    /// Returns the parameters of the call `setExtension`.
    static func parameters(
        _ identity: ExtensionIdentity, _ state: ExtensionState, _ text: String
    ) -> [String: JSONValue] {
        [
            "name": .string(identity.name), "version": .string(identity.version), "state": .string(state.rawValue),
            "text": .string(PlainLine.of(text, bytes: longest)), "ttl": .number(ExtensionTimes.silence),
        ]
    }
}
