public import ControlProtocol

/// Which indicators were switched on or off, as a pure value.
public struct IndicatorChanges: Sendable, Equatable {
    private struct Key: Sendable, Hashable { var name: String, client: Int }

    /// The maximum number of indicators; the daemon has no more.
    static let most = 256

    private var shown: [Key: IndicatorReading] = [:]

    /// Creates a value in which all indicators are off.
    public init() {}

    /// Takes what the daemon reports. Returns the records of changes.
    public mutating func read(_ reading: IndicatorsReading) -> [LogRecord] {
        var now: [Key: IndicatorReading] = [:]
        for indicator in reading.indicators.prefix(Self.most) where indicator.state != .off {
            now[Key(name: indicator.name, client: indicator.client)] = indicator
        }
        let before = shown
        shown = now
        let off = before.filter { now[$0.key] == nil }.map { ($0.key, "off", "") }
        let on = now.compactMap { key, new -> (Key, String, String)? in
            guard let old = before[key], old.state == new.state, old.text == new.text else {
                return (key, new.state.rawValue, new.text)
            }
            return nil
        }
        return (off + on).sorted { ($0.0.name, $0.0.client) < ($1.0.name, $1.0.client) }.map { key, state, text in
            var details: [String: JSONValue] = ["name": .string(key.name), "client": .number(key.client)]
            if !text.isEmpty { details["text"] = .string(text) }
            return LogRecord(.indicator, state, details)
        }
    }

    /// Forgets all: the daemon is gone, and its indicators with it.
    public mutating func forget() { shown = [:] }
}
