internal import ControlProtocol
package import DockControl
internal import Geometry
internal import Glibc

/// Writes traces as text (docs/TRACE.md). A trace contains rectangles, but never images.
package enum TraceWriter {
    /// The version of the format.
    static let version = 1

    /// The header's information about rig and program.
    struct About {
        var rig: String
        var driver: String
        var program: String
        /// The seconds since 1970 at the time of writing, and CLOCK_MONOTONIC at the same moment.
        var unix: Seconds
        var monotonic: Seconds
    }

    /// Returns the whole file.
    static func text(of copy: TraceCopy, _ records: [TraceRecord], about: About) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.count * 100)
        bytes += header(
            cause: copy.cause, from: records.first?.time ?? copy.time, at: copy.time, about: about, run: copy.about,
            counts: (records.count, copy.dropped))
        for record in records { bytes += line(of: record) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the file of a session that was recorded from its beginning.
    package static func session(_ run: TraceAbout, _ records: [TraceRecord], program: String) -> [UInt8] {
        let profile = run.options.profile, time = records.first?.time ?? 0
        let about = About(rig: profile.name, driver: profile.driver, program: program, unix: 0, monotonic: time)
        return header(cause: "session", from: time, at: time, about: about, run: run, counts: nil)
            + records.flatMap(line)
    }

    /// Returns the first line. `counts`: the records that follow, and those that were overwritten, or nil if not yet
    /// known.
    static func header(
        cause: String, from time: Seconds, at: Seconds, about: About, run: TraceAbout?,
        counts: (records: Int, dropped: Int)?
    ) -> [UInt8] {
        var line = TraceLineBuilder("trace", time: time)
        line.add("at", at)
        line.add("cause", cause)
        line.add("driver", about.driver)
        if let counts { line.add("dropped", counts.dropped) }
        line.add("program", about.program)
        if let counts { line.add("records", counts.records) }
        line.add("rig", about.rig)
        if let run { TraceRun.add(run, to: &line) }
        line.add("v", version)
        line.add(
            "written",
            raw: JSONValue.object([
                "monotonic": .number(about.monotonic), "unix": .number(about.unix), "utc": .string(utc(about.unix)),
            ]).bytes)
        return line.ended
    }

    /// Returns the line of one record.
    package static func line(of record: TraceRecord) -> [UInt8] {
        switch record.body {
        case .input(let input): return line(of: input, time: record.time)
        case .set(let velocity, let owner, let reason):
            var line = TraceLineBuilder("set", time: record.time)
            line.add("owner", owner)
            line.add("pan", velocity.pan)
            line.add("reason", reason)
            line.add("tilt", velocity.tilt)
            return line.ended
        case .command(let name, let numbers, let text):
            var line = TraceLineBuilder("cmd", time: record.time)
            line.add("command", name)
            if !text.isEmpty { line.add("text", text) }
            if !numbers.isEmpty { line.add("values", numbers) }
            return line.ended
        default: break
        }
        let (kind, members) = members(of: record.body)
        var line = TraceLineBuilder(kind, time: record.time)
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { line.add(name, raw: value.bytes) }
        return line.ended
    }

    /// Returns a time in the form "2026-11-21T17:48:28Z".
    static func utc(_ unix: Seconds) -> String {
        let (date, time) = calendar(unix)
        return date.map(padded).joined(separator: "-") + "T" + time.map(padded).joined(separator: ":") + "Z"
    }

    /// Returns a time in the form "20261121T174828Z", for file names: their alphabetical order is their order in time.
    static func stamp(_ unix: Seconds) -> String {
        let (date, time) = calendar(unix)
        return date.map(padded).joined() + "T" + time.map(padded).joined() + "Z"
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
        case .state(let state, let cause, let mode):
            return ("state", ["dock": .string(state), "cause": .string(orNull: cause), "mode": .string(mode)])
        case .end(let motion, let name, let outcome):
            return ("end", ["motion": .number(motion), "name": .string(name), "outcome": .string(outcome)])
        case .note(let text): return ("note", ["text": .string(text)])
        case .set, .command, .input: return ("none", [:])  // written above, with exact numbers
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
