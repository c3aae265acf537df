internal import ControlProtocol

/// Writes lines of a trace with numbers that are read back exactly.
struct TraceLineBuilder {
    private(set) var bytes: [UInt8] = []

    /// Begins a line with its time and kind, so that every line can be identified by its beginning.
    init(_ kind: String, time: Double) {
        bytes += #"{"t":"#.utf8
        bytes += Self.number(time)
        bytes += #","k":"\#(kind)""#.utf8
    }

    /// Appends a member.
    mutating func add(_ name: String, _ value: Double) { add(name, raw: Self.number(value)) }
    mutating func add(_ name: String, _ value: Int) { add(name, raw: Array(String(value).utf8)) }
    mutating func add(_ name: String, _ value: Bool) { add(name, raw: Array((value ? "true" : "false").utf8)) }
    mutating func add(_ name: String, _ text: String) { add(name, raw: JSONValue.string(text).bytes) }
    /// Appends a list. Numbers that are not finite become null.
    mutating func add(_ name: String, _ values: [Double]) { add(name, raw: Self.list(values.map(Self.number))) }
    mutating func add(_ name: String, raw: [UInt8]) {
        bytes += #","\#(name)":"#.utf8
        bytes += raw
    }

    /// The line with its end.
    var ended: [UInt8] { bytes + [UInt8(ascii: "}"), 0x0A] }

    static func list(_ elements: [[UInt8]]) -> [UInt8] {
        [UInt8(ascii: "[")] + elements.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    /// Returns the shortest text that is read back as the same double; null for a number that is not finite.
    static func number(_ value: Double) -> [UInt8] {
        guard value.isFinite else { return Array("null".utf8) }
        // -0.0 must keep its sign.
        if let whole = Int(exactly: value), value != 0 || value.sign == .plus { return Array(String(whole).utf8) }
        return Array("\(value)".utf8)
    }
}
