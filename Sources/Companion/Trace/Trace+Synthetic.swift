internal import ControlProtocol
package import DockControl
package import Geometry

/// Creates traces that do not come from a flight recorder.
extension Trace {
    /// Creates a trace of a rig; `cause` describes its origin. The first record is a note with the cause, at `start`
    /// (CLOCK_MONOTONIC).
    package init(of profile: RigProfile, cause: String, start: Seconds, records: [TraceRecord]) {
        self.init()
        (rig, driver, program, self.cause) = (profile.name, profile.driver, ProgramVersion.current, cause)
        self.profile = ProfileWriter.text(of: profile)
        self.records = [TraceRecord(time: start, body: .note(cause))] + records
    }

    /// The text of the whole file. Equal traces give equal bytes.
    package var text: String {
        var header = TraceLineBuilder("trace", time: records.first?.time ?? 0)
        header.add("cause", cause)
        header.add("driver", driver)
        header.add("dropped", dropped)
        if let profile { header.add("profile", profile) }
        header.add("program", program)
        header.add("records", records.count)
        header.add("rig", rig)
        header.add("v", TraceWriter.version)
        if !written.isEmpty { header.add("written", raw: JSONValue.object(["utc": .string(written)]).bytes) }
        return String(decoding: header.ended + records.flatMap(TraceWriter.line), as: UTF8.self)
    }
}
