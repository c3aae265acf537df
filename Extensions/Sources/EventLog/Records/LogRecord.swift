public import ControlProtocol
internal import ExtensionKit
internal import PlainText

/// One thing that happened: its kind, a word for what it was, and details.
public struct LogRecord: Sendable, Equatable {
    /// The kind.
    public var kind: LogKind
    /// What happened: "ready", "latched", "seen".
    public var what: String
    /// The details by name. Their names never are `time`, `order`, `kind` or `what`.
    public var details: [String: JSONValue]

    /// Creates a record. Texts in its details are made plain, because they come from elsewhere.
    public init(_ kind: LogKind, _ what: String, _ details: [String: JSONValue] = [:]) {
        (self.kind, self.what) = (kind, ForeignText.line(what))
        self.details = details.compactMapValues { $0.isNull ? nil : Self.plain($0) }
    }

    private static func plain(_ value: JSONValue) -> JSONValue {
        if case .string(let text) = value { .string(ForeignText.line(text)) } else { value }
    }

    /// Returns the line of a file, with its end.
    /// - Parameter order: the number of the record. It grows by one from record to record, whatever the clock does.
    func line(time: WallTime, order: Int) -> [UInt8] {
        var members = details
        members["time"] = .string(time.iso)
        members["order"] = .number(order)
        members["kind"] = .string(kind.rawValue)
        members["what"] = .string(what)
        return JSONValue.object(members).bytes + [0x0A]
    }
}

/// A record as it was read from a file. It may come from another version, or from another program that wrote the file.
public struct StoredRecord: Sendable, Equatable {
    /// When it happened.
    public var time: WallTime
    /// Its number.
    public var order: Int
    /// The name of its kind.
    public var kind: String
    /// What happened.
    public var what: String
    /// All members.
    public var json: JSONValue

    /// Reads a line without its end. The result is nil if it is no record.
    public init?(line: some Sequence<UInt8>) {
        guard let json = JSONValue(json: line), let time = json["time"]?.string.flatMap({ WallTime(iso: $0) }),
            let order = json["order"]?.integer, let kind = json["kind"]?.string, let what = json["what"]?.string
        else { return nil }
        (self.time, self.order, self.json) = (time, order, json)
        (self.kind, self.what) = (PlainLine.of(kind, bytes: 40), ForeignText.line(what))
    }
}
