public import Geometry

/// What the daemon says back to a detector; optional to honour.
public enum DetectorRequest: Sendable, Equatable {
    /// How many frames per second are wanted at most, and which scores are used (0...1); nil: as the detector likes.
    case config(framesPerSecond: Double?, acquire: Double?, hold: Double?)
    /// Nobody looks: rest.
    case pause
    /// Go on.
    case resume
    /// Asks for the detector's clock; the answer is
    /// `{"type":"pong","sent":<as it came>,"t":<the detector's clock, seconds>}`.
    case ping(sent: Seconds)

    /// Adds the request's line, its line end included, to `output`.
    public func write(to output: inout [UInt8]) {
        var writer = JSONWriter()
        switch self {
        case .config(let rate, let acquire, let hold):
            writer.raw(#"{"type":"config""#)
            let rows: [(key: StaticString, value: Double?)] = [
                (#","fps":"#, rate), (#","acquire":"#, acquire), (#","hold":"#, hold),
            ]
            for (key, value) in rows {
                guard let value else { continue }
                writer.raw(key)
                writer.number(value, decimals: 3)
            }
        case .pause: writer.raw(#"{"type":"pause""#)
        case .resume: writer.raw(#"{"type":"resume""#)
        case .ping(let sent):
            writer.raw(#"{"type":"ping","sent":"#)
            writer.number(sent, decimals: 9)
        }
        writer.raw("}\n")
        output += writer.bytes
    }
}
