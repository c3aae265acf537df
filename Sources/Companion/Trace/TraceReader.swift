internal import ControlProtocol
internal import DockControl
package import DockTypes
internal import Geometry
internal import PlainText

/// Reads a trace from a file.
extension Trace {
    /// Reads a file's bytes.
    /// - Throws: `configuration`, with file and line, if the bytes are not a trace. A last line that was cut off is
    ///   skipped.
    package init(_ bytes: [UInt8], name: String) throws(DockError) {
        var hasHeader = false
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let isLast = index == lines.count - 1
            func wrong(_ what: String) -> DockError {
                DockError(
                    .configuration, "\(name):\(index + 1): \(what)",
                    hint: "traces are written by `dockface trace` and on faults; docs/TRACE.md describes them")
            }
            guard let value = JSONValue(json: line), let kind = value["k"]?.string else {
                // The last line has no line end if writing was interrupted.
                if isLast, hasHeader {
                    isCut = true
                    continue
                }
                throw wrong("not a line of a trace")
            }
            if !hasHeader {
                guard kind == "trace" else { throw wrong("a trace begins with its header, a line of kind \"trace\"") }
                guard value["v"]?.integer == TraceWriter.version else {
                    throw wrong(
                        "version \(value["v"]?.number.map { "\($0)" } ?? "?") of the format; this program reads 1")
                }
                hasHeader = true
                readHeader(value)
                continue
            }
            guard let time = value["t"]?.number, Self.clock.contains(time) else {
                throw wrong("\"t\" is missing or not a time")
            }
            guard let body = Self.body(kind, value) else {
                guard !Self.kinds.contains(kind) else {
                    throw wrong("a \"\(kind)\" line with a missing or wrong member")
                }
                unknown += 1
                continue
            }
            records.append(TraceRecord(time: time, body: body))
        }
        guard hasHeader else {
            throw DockError(.configuration, "\(name) is empty", hint: "write a trace with `dockface trace`")
        }
    }

    private mutating func readHeader(_ value: JSONValue) {
        func word(_ value: JSONValue?) -> String { ForeignText.line(value?.string ?? "") }
        rig = word(value["rig"])
        driver = word(value["driver"])
        program = word(value["program"])
        cause = word(value["cause"])
        profile = value["profile"]?.string
        written = word(value["written"]?["utc"])
        dropped = value["dropped"]?.integer ?? 0
        run = TraceRun.read(value)
    }

    /// The permitted times (CLOCK_MONOTONIC, three centuries) and numbers of commands, wide enough for every command.
    /// The program calculates with numbers from a file, so they must be bounded.
    static let clock = 0.0...1e10, sane = -1e10...1e10

    /// The maximum length of a text in a record, in scalars.
    static let longestText = 8192

    private static let kinds: Set = Set([
        "tx", "rx", "pose", "rect", "set", "cmd", "state", "end", "note",
    ]).union(inputKinds)

    private static func body(_ kind: String, _ value: JSONValue) -> TraceRecord.Body? {
        func number(_ name: String) -> Double? { value[name]?.number.flatMap { $0.isFinite ? $0 : nil } }
        // The trace may come from outside, and its texts are shown, so they must be made safe.
        func text(_ name: String) -> String? { value[name]?.string.map { ForeignText.line($0, longest: longestText) } }
        func hex() -> [UInt8]? { value["hex"]?.string.flatMap(bytes) }
        func pair(_ pan: String, _ tilt: String) -> PanTilt? {
            guard let pan = number(pan), let tilt = number(tilt) else { return nil }
            return PanTilt(pan: pan, tilt: tilt)
        }
        switch kind {
        case "tx": return hex().map { .toDock($0, isCut: value["cut"]?.bool ?? false) }
        case "rx": return hex().map { .fromDock($0) }
        case "pose":
            guard let at = number("at"), let pose = pair("pan", "tilt"), let rate = pair("panRate", "tiltRate") else {
                return nil
            }
            return .pose(
                MotionSample(time: at, pose: pose, rate: rate), deadmanTripped: value["deadman"]?.bool ?? false)
        case "rect":
            guard let exposure = number("exposure"), let all = value["subjects"]?.array else { return nil }
            let rectangles = all.compactMap(rectangle)
            return rectangles.count == all.count ? .rectangles(exposure: exposure, rectangles) : nil
        case "set":
            guard let velocity = pair("pan", "tilt") else { return nil }
            return .set(velocity, owner: text("owner") ?? "?", reason: text("reason") ?? "?")
        case "cmd":
            let entries = value["values"]?.array ?? [], values = entries.compactMap(\.number).filter(Self.sane.contains)
            guard values.count == entries.count else { return nil }
            return text("command").map { .command($0, values, text: text("text") ?? "") }
        case "state": return text("dock").map { .state($0, cause: text("cause"), mode: text("mode") ?? "?") }
        case "end":
            guard let motion = value["motion"]?.integer, let outcome = text("outcome") else { return nil }
            return .end(motion, name: text("name") ?? "?", outcome: outcome)
        case "note": return text("text").map { .note($0) }
        default: return input(kind, value).map { .input($0) }
        }
    }

    private static func rectangle(_ value: JSONValue) -> FlightRecorder.Rectangle? {
        let numbers = (value["rect"]?.array ?? []).compactMap(\.number).filter(\.isFinite)
        guard let id = value["id"]?.integer, numbers.count == 4 else { return nil }
        return FlightRecorder.Rectangle(
            id: id, rect: Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
            isCoasting: value["coasting"]?.bool ?? false, isFollowed: value["followed"]?.bool ?? false)
    }

    private static func bytes(_ hex: String) -> [UInt8]? {
        let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == hex.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
