internal import DockControl
internal import Geometry
internal import Glibc

/// A trace as text: docs/TRACE.md. Rectangles, never pictures.
enum TraceWriter {
    /// The version of the format.
    static let version = 1

    /// What the header tells of the program.
    struct About {
        var rig: String
        var driver: String
        var program: String
        /// Seconds since 1970 at the writing, and CLOCK_MONOTONIC in the same moment.
        var unix: Seconds
        var monotonic: Seconds
    }

    /// The whole file.
    static func text(of copy: TraceCopy, _ records: [TraceRecord], about: About) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.count * 100)
        let header: JSONValue = .object([
            "v": .number(version), "rig": .string(about.rig), "driver": .string(about.driver),
            "program": .string(about.program), "cause": .string(copy.cause), "at": .number(copy.time),
            "written": .object([
                "monotonic": .number(about.monotonic), "unix": .number(about.unix), "utc": .string(utc(about.unix)),
            ]), "records": .number(records.count), "dropped": .number(copy.dropped),
        ])
        line("trace", time: records.first?.time ?? copy.time, header, to: &bytes)
        for record in records {
            let (kind, members) = members(of: record.body)
            line(kind, time: record.time, .object(members), to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// "2026-11-21T17:48:28Z"
    static func utc(_ unix: Seconds) -> String {
        let (date, time) = calendar(unix)
        return date.map(padded).joined(separator: "-") + "T" + time.map(padded).joined(separator: ":") + "Z"
    }

    /// "20261121T174828Z", for names of files: in their order they are in the order of time.
    static func stamp(_ unix: Seconds) -> String {
        let (date, time) = calendar(unix)
        return date.map(padded).joined() + "T" + time.map(padded).joined() + "Z"
    }

    /// Time and kind first: so every line tells at its beginning what it is.
    private static func line(_ kind: String, time: Seconds, _ members: JSONValue, to bytes: inout [UInt8]) {
        bytes += #"{"t":"#.utf8
        bytes += JSONValue.number(time).bytes
        bytes += #","k":"\#(kind)","#.utf8
        bytes += members.bytes.dropFirst()
        bytes.append(0x0A)
    }

    private static func members(of body: TraceRecord.Body) -> (String, [String: JSONValue]) {
        switch body {
        case .toDock(let bytes, let isCut):
            return ("tx", ["hex": hex(bytes)].merging(isCut ? ["cut": .bool(true)] : [:]) { $1 })
        case .fromDock(let bytes): return ("rx", ["hex": hex(bytes)])
        case .pose(let sample, let deadmanTripped):
            return (
                "pose",
                [
                    "at": .number(sample.time), "pan": .number(sample.pose.pan), "tilt": .number(sample.pose.tilt),
                    "panRate": .number(sample.rate.pan), "tiltRate": .number(sample.rate.tilt),
                ].merging(deadmanTripped ? ["deadman": .bool(true)] : [:]) { $1 }
            )
        case .rectangles(let exposure, let all):
            return ("rect", ["exposure": .number(exposure), "subjects": .array(all.map(rectangle))])
        case .set(let velocity, let owner, let reason):
            return (
                "set",
                [
                    "pan": .number(velocity.pan), "tilt": .number(velocity.tilt), "owner": .string(owner),
                    "reason": .string(reason),
                ]
            )
        case .command(let name, let numbers, let text):
            var members: [String: JSONValue] = ["command": .string(name)]
            if !numbers.isEmpty { members["values"] = .array(numbers.map(JSONValue.number)) }
            if !text.isEmpty { members["text"] = .string(text) }
            return ("cmd", members)
        case .state(let state, let cause, let mode):
            return ("state", ["dock": .string(state), "cause": .string(orNull: cause), "mode": .string(mode)])
        case .end(let motion, let name, let outcome):
            return ("end", ["motion": .number(motion), "name": .string(name), "outcome": .string(outcome)])
        case .note(let text): return ("note", ["text": .string(text)])
        }
    }

    private static func rectangle(_ one: FlightRecorder.Rectangle) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .number(one.id),
            "rect": .array([one.rect.x, one.rect.y, one.rect.width, one.rect.height].map(JSONValue.number)),
        ]
        if one.isCoasting { members["coasting"] = .bool(true) }
        if one.isFollowed { members["followed"] = .bool(true) }
        return .object(members)
    }

    private static func hex(_ bytes: [UInt8]) -> JSONValue {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return .string(String(decoding: text, as: UTF8.self))
    }

    private static func calendar(_ unix: Seconds) -> (date: [Int32], time: [Int32]) {
        var seconds = time_t(unix.clamped(to: 0...4e9)), parts = tm()
        gmtime_r(&seconds, &parts)
        return ([parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday], [parts.tm_hour, parts.tm_min, parts.tm_sec])
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
